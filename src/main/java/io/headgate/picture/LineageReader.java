package io.headgate.picture;

import io.headgate.graph.NodeKind;
import io.headgate.picture.Scene.Flow;
import io.headgate.picture.Scene.Stage;
import io.headgate.wire.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a lineage answer of this gateway, a job's or a bundle descriptor's, into a {@link Scene}.
 * It trusts the text, which is our own. One reader an answer; not thread-safe.
 */
final class LineageReader {
  /** How many paths of a node are shown. */
  static final int PATHS = 3;

  /** One character more than a label has, each as the longest escape. */
  private static final int LABEL_BYTES = 6 * (Labels.LENGTH + 1);

  private static final byte[][] ANSWER =
      names("jobId", "descriptorId", "nodes", "edges", "warnings");
  private static final byte[][] NODE = names("id", "kind", "name", "tablePaths", "urn");
  private static final byte[][] EDGE =
      names("pipelineId", "sourceNodeId", "targetNodeId", "sideInput");
  private static final byte[][] WARNING = names("nodeId");

  private final JsonCursor in;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final List<Stage> stages = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private boolean ofJob = true;
  private String id = "";

  private LineageReader(byte[] answer) {
    in = new JsonCursor(answer);
  }

  /** The scene that {@code answer} tells of. */
  static Scene read(byte[] answer) {
    return new LineageReader(answer).answer();
  }

  private static byte[][] names(String... names) {
    return Stream.of(names)
        .map(name -> name.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  private Scene answer() {
    in.enter();
    for (int member = in.nextMember(ANSWER);
        member != JsonCursor.END;
        member = in.nextMember(ANSWER)) {
      switch (member) {
        case 0 -> id = label();
        case 1 -> {
          ofJob = false;
          id = label();
        }
        case 2 -> each(this::node);
        case 3 -> each(this::edge);
        case 4 -> each(this::warning);
        default -> in.skip();
      }
    }
    return new Scene(
        ofJob ? "Job " + id : "Bundle descriptor " + id,
        ofJob ? "job-lineage/" + id : "the descriptor's lineage",
        ofJob,
        List.copyOf(stages),
        List.copyOf(flows));
  }

  private void each(Runnable element) {
    in.enter();
    while (in.nextElement()) {
      in.enter();
      element.run();
    }
  }

  private void node() {
    String node = "";
    NodeKind kind = NodeKind.TRANSFORM;
    String name = "";
    List<String> details = new ArrayList<>(PATHS);
    int paths = 0;
    for (int member = in.nextMember(NODE); member != JsonCursor.END; member = in.nextMember(NODE)) {
      switch (member) {
        case 0 -> node = whole();
        case 1 -> kind = NodeKind.valueOf(whole());
        case 2 -> name = label();
        case 3 -> paths = paths(details);
        case 4 -> {
          String urn = label();
          if (!urn.isEmpty()) {
            details.add(urn);
          }
        }
        default -> in.skip();
      }
    }
    indexes.put(node, stages.size());
    int further = Math.max(0, paths - PATHS);
    stages.add(new Stage(Labels.of(node), kind, name, List.copyOf(details), further, null));
  }

  private int paths(List<String> shown) {
    int count = 0;
    in.enter();
    while (in.nextElement()) {
      if (count++ < PATHS) {
        shown.add(label());
      } else {
        in.skip();
      }
    }
    return count;
  }

  private void edge() {
    int pipeline = 0;
    int source = 0;
    int target = 0;
    boolean side = false;
    for (int member = in.nextMember(EDGE); member != JsonCursor.END; member = in.nextMember(EDGE)) {
      switch (member) {
        case 0 -> {
          in.readInteger();
          pipeline = (int) in.integer();
        }
        case 1 -> source = index(whole());
        case 2 -> target = index(whole());
        case 3 -> {
          side = in.peek() == 't';
          in.skip();
        }
        default -> in.skip();
      }
    }
    flows.add(new Flow(pipeline, source, target, side));
  }

  private void warning() {
    int index = -1;
    for (int member = in.nextMember(WARNING);
        member != JsonCursor.END;
        member = in.nextMember(WARNING)) {
      if (member == 0) {
        index = index(whole());
      } else {
        in.skip();
      }
    }
    Stage stage = stages.get(index);
    stages.set(
        index,
        new Stage(
            stage.id(),
            stage.kind(),
            stage.name(),
            stage.details(),
            stage.further(),
            notice(stage.details())));
  }

  private @Nullable String notice(List<String> details) {
    if (!ofJob) {
      return "side input from elsewhere";
    }
    return details.isEmpty() ? "no dataset metadata" : "dataset metadata incomplete";
  }

  private int index(String node) {
    return Objects.requireNonNull(indexes.get(node), "an edge or warning of a node that is not");
  }

  private String whole() {
    in.readString();
    return in.string();
  }

  private String label() {
    in.readString();
    in.cutString(LABEL_BYTES);
    return Labels.of(in.string());
  }
}
