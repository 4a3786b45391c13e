package io.headgate.graph;

import io.headgate.graph.DescriptorGraph.Edge;
import io.headgate.graph.DescriptorGraph.Node;
import io.headgate.graph.DescriptorGraph.Warning;
import io.headgate.wire.JsonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the transforms and coders of a bundle descriptor in any order, counts them against the
 * limits, checks what they refer to (F3) and puts them in order (F4).
 *
 * <p>As with {@link JobGraphBuilder}, a limit goes before a fault, and of the faults the first
 * counts. Strings must be well-formed Unicode, which a protobuf parser sees to. Not thread-safe;
 * used once. Trees are used rather than hash maps: the keys are a client's, and nobody can choose
 * them so that they are slow.
 */
public final class DescriptorGraphBuilder {
  private final String id;
  private final GraphLimits limits;
  private final TreeMap<String, Transform> transforms = new TreeMap<>();
  private final TreeSet<String> coders = new TreeSet<>();
  private final TreeSet<String> components = new TreeSet<>();
  private final TreeSet<String> outputCoders = new TreeSet<>();
  private int transformCount;
  private int edgeCount;
  private int nameCount;
  private @Nullable Excess excess;
  private @Nullable DescriptorFault fault;

  /** A transform as it was reported, with the edges that end in it. */
  private static final class Transform {
    final String id;
    final String urn;
    final String name;
    final TreeSet<String> outputs = new TreeSet<>();
    final List<Edge> inputs = new ArrayList<>();
    int openInputs;
    boolean fed;
    boolean feeds;

    Transform(String id, String urn, String name) {
      this.id = id;
      this.urn = urn;
      this.name = name;
    }
  }

  /** What became of a descriptor. */
  public sealed interface Built {
    /** It passed every check. */
    record Checked(DescriptorGraph graph) implements Built {}

    /** It passed a limit. */
    record TooLarge(Excess reason) implements Built {}

    /** It is missing something or contradicts itself. */
    record Refused(DescriptorFault reason) implements Built {}
  }

  public DescriptorGraphBuilder(String id, GraphLimits limits) {
    this.id = id;
    this.limits = limits;
    requireId(id);
  }

  /** A coder and the coders that it is made of. */
  public void coder(String coder, Collection<String> madeOf) {
    requireId(coder);
    nameCount += 1 + madeOf.size();
    if (nameCount > limits.paths()) {
      exceed(Excess.PATHS);
      return;
    }
    coders.add(coder);
    components.addAll(madeOf);
  }

  /** The transform that the next outputs and inputs belong to. */
  public Stage transform(String transform, String urn, String name) {
    requireId(transform);
    check(urn);
    check(name);
    if (transformCount++ == limits.nodes()) {
      exceed(Excess.NODES);
    }
    Transform begun = new Transform(transform, urn, name);
    if (excess == null && transforms.putIfAbsent(transform, begun) != null) {
      fault(DescriptorFault.DUPLICATE_TRANSFORM);
    }
    return new Stage(begun);
  }

  /** One transform while it is being reported. */
  public final class Stage {
    private final Transform transform;

    private Stage(Transform transform) {
      this.transform = transform;
    }

    /** An output and the coder of its elements. */
    public void output(String name, String coder) {
      check(name);
      if (nameCount++ >= limits.paths()) {
        exceed(Excess.PATHS);
        return;
      }
      transform.outputs.add(name);
      outputCoders.add(coder);
    }

    /** An input, whether or not anything feeds it: a transform that has one is no source. */
    public void input(String name) {
      check(name);
      if (nameCount++ >= limits.paths()) {
        exceed(Excess.PATHS);
      }
      transform.fed = true;
    }

    /** One of the outputs that feed an input. */
    public void feed(String input, String source, String output) {
      add(new Edge(source, output, transform.id, input, false));
    }

    /** Where a side input comes from, as far as anybody says. */
    public void sideInput(String name, String source, String output) {
      check(name);
      add(new Edge(source, output, transform.id, name, true));
    }

    private void add(Edge edge) {
      if (edgeCount++ == limits.edges()) {
        exceed(Excess.EDGES);
      }
      if (excess == null) {
        transform.inputs.add(edge);
      }
    }
  }

  private void requireId(String text) {
    check(text);
    if (text.isEmpty()) {
      fault(DescriptorFault.MISSING_ID);
    }
  }

  private void check(String text) {
    if (text.length() > limits.stringBytes() || JsonText.utf8Length(text) > limits.stringBytes()) {
      exceed(Excess.STRING_BYTES);
    }
  }

  /** Notes a fault; the first one counts. */
  public void fault(DescriptorFault reason) {
    if (fault == null) {
      fault = reason;
    }
  }

  private void exceed(Excess reason) {
    if (excess == null) {
      excess = reason;
      transforms.clear();
    }
  }

  /** Ends the descriptor: checks what can only be seen as a whole, and puts it in order. */
  public Built build() {
    if (excess != null) {
      return new Built.TooLarge(excess);
    }
    checkCoders();
    List<Edge> edges = new ArrayList<>();
    List<Warning> warnings = new ArrayList<>();
    transforms.values().forEach(each -> resolve(each, edges, warnings));
    if (fault == null && hasCycle(edges)) {
      fault(DescriptorFault.CYCLE);
    }
    if (fault != null) {
      return new Built.Refused(fault);
    }
    edges.sort(
        Comparator.comparing(Edge::sourceId)
            .thenComparing(Edge::targetId)
            .thenComparing(Edge::output)
            .thenComparing(Edge::input)
            .thenComparing(Edge::sideInput));
    warnings.sort(Comparator.comparing(Warning::nodeId).thenComparing(Warning::input));
    List<Node> nodes =
        transforms.values().stream()
            .map(each -> new Node(each.id, kind(each), each.name, each.urn))
            .toList();
    return new Built.Checked(
        new DescriptorGraph(id, nodes, edges.stream().distinct().toList(), warnings));
  }

  private void checkCoders() {
    if (!coders.containsAll(outputCoders)) {
      fault(DescriptorFault.UNKNOWN_CODER);
    }
    if (!coders.containsAll(components)) {
      fault(DescriptorFault.UNKNOWN_COMPONENT);
    }
  }

  private void resolve(Transform target, List<Edge> edges, List<Warning> warnings) {
    for (Edge edge : target.inputs) {
      Transform source = transforms.get(edge.sourceId());
      boolean found = source != null && source.outputs.contains(edge.output());
      if (source != null && found) {
        source.feeds = true;
        edges.add(edge);
      } else if (edge.sideInput()) {
        warnings.add(new Warning(target.id, edge.input()));
      } else {
        fault(source == null ? DescriptorFault.UNKNOWN_TRANSFORM : DescriptorFault.UNKNOWN_OUTPUT);
      }
    }
  }

  private static NodeKind kind(Transform transform) {
    if (!transform.fed) {
      return NodeKind.SOURCE;
    }
    return transform.feeds ? NodeKind.TRANSFORM : NodeKind.SINK;
  }

  /**
   * Takes away transforms that nothing feeds until none is left; side inputs don't count.
   * Iterative: a chain of any length takes no stack.
   */
  private boolean hasCycle(List<Edge> edges) {
    Edge[] main = edges.stream().filter(edge -> !edge.sideInput()).toArray(Edge[]::new);
    Arrays.sort(main, Comparator.comparing(Edge::sourceId));
    for (Edge edge : main) {
      target(edge).openInputs++;
    }
    List<Transform> free = new ArrayList<>();
    for (Transform each : transforms.values()) {
      if (each.openInputs == 0) {
        free.add(each);
      }
    }
    for (int taken = 0; taken < free.size(); taken++) {
      String source = free.get(taken).id;
      for (int i = first(main, source); i < main.length && main[i].sourceId().equals(source); i++) {
        Transform target = target(main[i]);
        if (--target.openInputs == 0) {
          free.add(target);
        }
      }
    }
    return free.size() < transforms.size();
  }

  private Transform target(Edge edge) {
    return java.util.Objects.requireNonNull(transforms.get(edge.targetId()));
  }

  /** The index of the first edge that begins at {@code source} or behind it. */
  private static int first(Edge[] bySource, String source) {
    int low = 0;
    int high = bySource.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bySource[middle].sourceId().compareTo(source) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
