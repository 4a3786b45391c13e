package io.headgate.fn;

/**
 * A data port of a bundle: the transform, and what it calls its only output or input there.
 *
 * @param transform the transform's id
 * @param name the output's name for an input of the bundle, the input's name for an output
 */
public record PortId(String transform, String name) implements Comparable<PortId> {
  @Override
  public int compareTo(PortId other) {
    int order = transform.compareTo(other.transform);
    return order != 0 ? order : name.compareTo(other.name);
  }
}
