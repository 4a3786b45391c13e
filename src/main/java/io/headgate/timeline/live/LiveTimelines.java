package io.headgate.timeline.live;

import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineStore;

/**
 * What a gateway that keeps timelines has for them; where it keeps none, there is none of this.
 *
 * @param store where they are kept
 * @param pages answers questions for them
 * @param config what is kept and told
 * @param reports the way in of what comes over HTTP
 */
public record LiveTimelines(
    TimelineStore store, TimelinePages pages, TimelineConfig config, TimelineReports reports) {}
