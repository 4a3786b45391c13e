package io.headgate.fn.kit;

import io.headgate.fn.FnLimits;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;

/** Limits that differ from the defaults in what a test names. */
public final class Limits {
  private Limits() {}

  /** The defaults, but for these components of the record. */
  public static FnLimits with(Map<String, ?> changes) {
    try {
      RecordComponent[] components = FnLimits.class.getRecordComponents();
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        Object changed = changes.get(components[i].getName());
        values[i] =
            changed == null ? components[i].getAccessor().invoke(FnLimits.DEFAULT) : changed;
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return FnLimits.class.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
