package io.headgate.fn.v1;

import io.headgate.fn.FnCore;
import io.headgate.fn.Harness;
import io.headgate.fn.Harnesses.Arrival;
import io.headgate.fn.v1.HarnessCall.Ending;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The four services: decides whether a harness may open a stream (F2), and opens it. On the loop.
 */
public final class FnServices {
  /** The longest worker id; it is kept, logged and shown. */
  private static final int MOST_ID_CHARS = 256;

  private final FnCore core;
  private final Set<HarnessStream> streams = new HashSet<>();

  /** A service of the protocol; each has one call. */
  public enum Service {
    CONTROL("BeamFnControl", "Control"),
    DATA("BeamFnData", "Data"),
    STATE("BeamFnState", "State"),
    LOGGING("BeamFnLogging", "Logging");

    private final String service;
    private final String method;

    Service(String service, String method) {
      this.service = service;
      this.method = method;
    }

    /** The service's name, package included. */
    public String fullName() {
      return "org.apache.beam.fn.v1." + service;
    }

    /** The name of its call. */
    public String method() {
      return method;
    }
  }

  public FnServices(FnCore core) {
    this.core = core;
  }

  /** A harness opens a stream. It is let in, or the call is ended. */
  public void open(Service service, HarnessCall call) {
    if (call.workerId().length() > MOST_ID_CHARS) {
      call.end(Ending.INVALID_ARGUMENT);
      return;
    }
    Arrival arrival = core.harnesses().arrive(call.workerId(), call.subject());
    if (arrival instanceof Arrival.Known known) {
      HarnessStream stream = stream(service, known.harness(), call);
      if (stream.open()) {
        streams.add(stream);
        stream.whenOver(() -> streams.remove(stream));
        call.listen(stream);
      } else {
        core.harnesses().countDuplicate();
        call.end(Ending.ALREADY_EXISTS);
      }
    } else {
      boolean crowded = arrival instanceof Arrival.Crowded;
      call.end(crowded ? Ending.RESOURCE_EXHAUSTED : Ending.PERMISSION_DENIED);
    }
  }

  /** Ends all streams. */
  public void stop() {
    List.copyOf(streams).forEach(stream -> stream.end(Ending.UNAVAILABLE));
  }

  private HarnessStream stream(Service service, Harness harness, HarnessCall call) {
    return switch (service) {
      case CONTROL -> new ControlStream(core, harness, call);
      case DATA -> new DataStream(core, harness, call);
      case STATE -> new StateStream(core, harness, call);
      case LOGGING -> new LoggingStream(core, harness, call);
    };
  }
}
