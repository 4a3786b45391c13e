/**
 * What holds for every test class, whatever it tests: no event loop is ever blocked and no buffer
 * is ever leaked. {@link io.headgate.house.HouseRules} is registered for all of them through {@code
 * META-INF/services}.
 */
@NullMarked
package io.headgate.house;

import org.jspecify.annotations.NullMarked;
