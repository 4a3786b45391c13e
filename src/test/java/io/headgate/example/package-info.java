/** The programs that the documentation shows. */
@NullMarked
package io.headgate.example;

import org.jspecify.annotations.NullMarked;
