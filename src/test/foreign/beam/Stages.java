import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.StringJoiner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.Impulse;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pipeline of two stages, "words" and "visits", and their user code. */
final class Stages {
  private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

  private Stages() {}

  /** Stages have an output only where what comes next is not the harness's. */
  static Pipeline pipeline() {
    Pipeline pipeline = Pipeline.create();
    pipeline
        .apply(Impulse.create())
        .apply("words", ParDo.of(new Words()))
        .apply("visits", ParDo.of(new Visits()))
        .apply(GroupByKey.create());
    return pipeline;
  }

  /**
   * Gives each word of a text with itself in capitals. Of a number n, n kilobytes, one at a time;
   * fails on the word "fail".
   */
  static final class Words extends DoFn<byte[], KV<byte[], byte[]>> {
    @ProcessElement
    public void process(@Element byte[] element, OutputReceiver<KV<byte[], byte[]>> out) {
      String text = new String(element, UTF_8);
      LOG.info("words of {}", text);
      for (String word : text.split(" ", -1)) {
        if (word.equals("fail")) {
          throw new IllegalArgumentException("asked to fail");
        }
        if (word.matches("[0-9]+")) {
          byte[] kilobyte = new byte[1000];
          for (int i = 0; i < Integer.parseInt(word); i++) {
            out.output(KV.of(new byte[0], kilobyte));
          }
        } else {
          out.output(KV.of(word.getBytes(UTF_8), word.toUpperCase().getBytes(UTF_8)));
        }
      }
    }
  }

  /**
   * Gives a key with all values that it has come with since "forget", joined by commas; fails on
   * the value "fail".
   */
  static final class Visits extends DoFn<KV<byte[], byte[]>, KV<byte[], byte[]>> {
    @StateId("seen")
    private final StateSpec<BagState<byte[]>> seen = StateSpecs.bag(ByteArrayCoder.of());

    @ProcessElement
    public void process(
        @Element KV<byte[], byte[]> element,
        @StateId("seen") BagState<byte[]> values,
        OutputReceiver<KV<byte[], byte[]>> out) {
      String value = new String(element.getValue(), UTF_8);
      LOG.warn("visit of {}", value);
      if (value.equals("forget")) {
        values.clear();
        return;
      }
      values.add(element.getValue());
      StringJoiner all = new StringJoiner(",");
      for (byte[] one : values.read()) {
        all.add(new String(one, UTF_8));
      }
      if (value.equals("fail")) {
        throw new IllegalArgumentException("asked to forget all of " + all);
      }
      out.output(KV.of(element.getKey(), all.toString().getBytes(UTF_8)));
    }
  }
}
