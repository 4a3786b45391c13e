package io.headgate.timeline;

/**
 * Why a decision was taken or a change ended as it did: the requirement's list (T9). One that is
 * not in it is kept as {@link #UNKNOWN}. Stored by ordinal, so a new one goes to the end.
 */
public enum ReasonCode {
  POLICY_STRICT,
  POLICY_IGNORE,
  SOURCE_EVENT_FILTER,
  TRANSFORM_EVENT_FILTER,
  TARGET_RESOLUTION_FAILED,
  SINK_UNSUPPORTED,
  SINK_APPLY_FAILED,
  APPLY_SUCCEEDED,
  UNKNOWN
}
