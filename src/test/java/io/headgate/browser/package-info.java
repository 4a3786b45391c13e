/**
 * The page as its users see it: a real headless Chromium in front of a whole gateway. One browser
 * serves all tests of a run. Start with {@link io.headgate.browser.Browser}.
 */
package io.headgate.browser;
