package io.headgate.upstream.zeta;

import io.headgate.wire.CappedBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a job-info body: a few scalars and the text of the graph. {@link ObjectScanner}
 * says where the members of the outermost object and their values begin and end; everything else
 * that passes by is not looked at (L14). Not thread-safe.
 */
final class KeptParts implements Members {
  /** How the graph member of the body looked. */
  enum Graph {
    MISSING,
    NULL,
    OBJECT,
    /** The graph's own JSON text was wrapped into a string; what is kept is unwrapped. */
    STRING,
    OTHER
  }

  /** The members that are kept, by their names in the body. */
  enum Member {
    JOB_ID("jobId"),
    JOB_STATUS("jobStatus"),
    CREATE_TIME("createTime"),
    FINISH_TIME("finishTime"),
    JOB_DAG("jobDag");

    private static final Member[] ALL = values();

    private final byte[] name;

    Member(String name) {
      this.name = name.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** What stands for a scalar that is no scalar or far too long: present, and never right. */
  static final String UNUSABLE = "?";

  /** The scalars that are kept are ids, states and times; the recordings stay below 32. */
  private static final int MAX_SCALAR_BYTES = 128;

  private static final int FIRST_SLICE_BYTES = 4 * 1024;

  private final int maxBytes;
  private final @Nullable String[] scalars = new String[Member.JOB_DAG.ordinal()];

  // The member being read. Its value began in this chunk at keptFrom, or in one before.
  private @Nullable Member member;
  private int membersSeen;
  private boolean otherMembers;
  private int keptFrom;

  private @Nullable CappedBuffer scalar;

  // A graph that stands in the body as it is: the parts of the chunks that it runs over.
  private final List<ByteBuffer> pieces = new ArrayList<>();
  private boolean collecting;

  // A graph inside a string.
  private @Nullable StringUnwrapper unwrapper;

  private Graph graph = Graph.MISSING;
  private @Nullable CappedBuffer slice;

  /**
   * @param maxBytes the most bytes a graph may have; none if nothing is to be kept
   */
  KeptParts(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  Graph graph() {
    return graph;
  }

  /** The graph's JSON text, put together when it is first asked for. */
  @Nullable CappedBuffer slice() {
    if (!pieces.isEmpty()) {
      int length = pieces.stream().mapToInt(ByteBuffer::remaining).sum();
      slice = new CappedBuffer(length, maxBytes);
      for (ByteBuffer piece : pieces) {
        slice.put(piece.array(), piece.position(), piece.remaining());
      }
      pieces.clear();
    }
    return slice;
  }

  @Nullable String scalar(Member wanted) {
    String text = scalars[wanted.ordinal()];
    return "null".equals(text) ? null : text;
  }

  boolean hasMembersBesidesId() {
    return otherMembers;
  }

  @Override
  public void drop() {
    scalar = null;
    unwrapper = null;
    collecting = false;
    pieces.clear();
    slice = null;
  }

  /** False for one that matters and was there before: which of the two is meant can't be told. */
  @Override
  public boolean beginMember(byte[] key, int keyLength) {
    member = null;
    if (maxBytes == 0) {
      return true;
    }
    for (Member wanted : Member.ALL) {
      if (Arrays.equals(key, 0, keyLength, wanted.name, 0, wanted.name.length)) {
        member = wanted;
      }
    }
    if (member != Member.JOB_ID) {
      otherMembers = true;
    }
    if (member == null) {
      return true;
    }
    int bit = 1 << member.ordinal();
    boolean first = (membersSeen & bit) == 0;
    membersSeen |= bit;
    return first;
  }

  @Override
  public void beginValue(byte first, int at) {
    keptFrom = at;
    if (member == Member.JOB_DAG) {
      beginGraph(first);
    } else if (member != null && (first == '{' || first == '[')) {
      scalars[member.ordinal()] = UNUSABLE;
    } else if (member != null) {
      scalar = new CappedBuffer(MAX_SCALAR_BYTES, MAX_SCALAR_BYTES);
    }
  }

  private void beginGraph(byte first) {
    graph =
        switch (first) {
          case '{' -> Graph.OBJECT;
          case '"' -> Graph.STRING;
          case 'n' -> Graph.NULL;
          default -> Graph.OTHER;
        };
    collecting = graph == Graph.OBJECT;
    if (graph == Graph.STRING) {
      slice = new CappedBuffer(FIRST_SLICE_BYTES, maxBytes);
      unwrapper = new StringUnwrapper(slice);
    }
  }

  @Override
  public void run(byte[] chunk, int from, int to) {
    if (unwrapper != null) {
      unwrapper.run(chunk, from, to);
    }
  }

  @Override
  public void escape(byte second) {
    if (unwrapper != null) {
      unwrapper.escape(second);
    }
  }

  @Override
  public void unit(int value) {
    if (unwrapper != null) {
      unwrapper.unit(value);
    }
  }

  @Override
  public void endValue(byte[] chunk, int end) {
    if (unwrapper != null) {
      unwrapper.end();
      unwrapper = null;
    }
    keep(chunk, end);
    if (scalar != null && member != null && scalars[member.ordinal()] == null) {
      scalars[member.ordinal()] =
          new String(scalar.array(), 0, scalar.length(), StandardCharsets.UTF_8);
    }
    scalar = null;
    collecting = false;
    member = null;
  }

  @Override
  public void endChunk(byte[] chunk) {
    keep(chunk, chunk.length);
    keptFrom = 0;
  }

  private void keep(byte[] chunk, int to) {
    if (collecting) {
      pieces.add(ByteBuffer.wrap(chunk, keptFrom, to - keptFrom));
    } else if (scalar != null && member != null) {
      if (scalar.length() + to - keptFrom > MAX_SCALAR_BYTES) {
        scalars[member.ordinal()] = UNUSABLE;
      } else {
        scalar.put(chunk, keptFrom, to - keptFrom);
      }
    }
  }
}
