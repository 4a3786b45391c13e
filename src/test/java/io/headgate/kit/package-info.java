/** What tests of the running gateway share: the gateway, a scripted engine, raw sockets. */
@NullMarked
package io.headgate.kit;

import org.jspecify.annotations.NullMarked;
