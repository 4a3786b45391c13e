@NullMarked
package io.headgate;

import org.jspecify.annotations.NullMarked;
