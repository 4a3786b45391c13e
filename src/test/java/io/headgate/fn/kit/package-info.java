/** Harnesses, descriptors and a gateway for the tests of the Fn API. */
package io.headgate.fn.kit;
