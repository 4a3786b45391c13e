/**
 * Where graphs are read from. Each source is a package of its own behind {@link
 * io.headgate.graph.JobGraphSource}; sources know nothing of permits, flights or HTTP servers. For
 * now there is {@link io.headgate.upstream.zeta}, a real engine.
 */
@NullMarked
package io.headgate.upstream;

import org.jspecify.annotations.NullMarked;
