package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.headgate.fn.kit.Samples;
import io.headgate.kit.TestGateway;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is shown of the Fn API: harnesses, and a page for each bundle descriptor. */
class DescriptorPageTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  /** Nothing that would do as a segment of a path without escapes. */
  private static final String ID = "a b/<i>?#%2f";

  private static TestGateway gateway;

  @BeforeAll
  static void start() throws InvalidProtocolBufferException {
    gateway =
        TestGateway.recorded("fn.enabled", "true", "fn.port", "0", "fn.http.enabled", "true")
            .unchecked(); // pages that are open go on asking
    assertThat(gateway.post("/fn/bundle-descriptors", descriptor()).statusCode()).isEqualTo(200);
  }

  private static String descriptor() throws InvalidProtocolBufferException {
    return JsonFormat.printer()
        .print(
            ProcessBundleDescriptor.newBuilder()
                .setId(ID)
                .addCoders(Samples.coder("bytes"))
                .addPrimitiveTransform(
                    Samples.transform("read", Samples.INPUT_URN)
                        .putOutputs("out", Samples.collection("bytes")))
                .addPrimitiveTransform(
                    Samples.transform("write", Samples.OUTPUT_URN)
                        .setStepName("<b>Write</b>")
                        .putInputs("in", Samples.targets(Samples.target("read", "out")))));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @Test
  void a_descriptor_is_found_on_the_start_page_and_shown() {
    BROWSER.open(gateway.uri("/ui/"));
    BROWSER.awaitText("#fn", "No harness is connected to this gateway.");
    BROWSER.awaitText("#fn .ids", ID);
    BROWSER.click("#fn .ids a");
    BROWSER.awaitText("#title", "Bundle descriptor " + ID);
    BROWSER.awaitText("#nodes", "2 of 2 nodes");
    assertThat(BROWSER.texts("#nodes tbody tr"))
        .anySatisfy(row -> assertThat(row).contains("source", "Step read", Samples.INPUT_URN))
        .anySatisfy(row -> assertThat(row).contains("sink", "<b>Write</b>", Samples.OUTPUT_URN));
    await()
        .until(
            () ->
                Boolean.TRUE.equals(
                    BROWSER.run(
                        "return document.querySelector('#picture img')?.naturalWidth > 0")));
    BROWSER.assertAccessible();
    BROWSER.picture("descriptor");
  }

  @Test
  void a_descriptor_that_is_not_there_is_said() {
    BROWSER.open(gateway.uri("/ui/fn/descriptors/nothing"));
    BROWSER.awaitText("#lineage-problem", "No bundle descriptor has this id.");
    assertThat(BROWSER.text("#lineage-problem")).contains("404 DESCRIPTOR_NOT_FOUND");
  }
}
