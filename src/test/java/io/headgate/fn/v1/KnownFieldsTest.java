package io.headgate.fn.v1;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.vertx.core.buffer.Buffer;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleRequest;
import org.junit.jupiter.api.Test;

/** What the protocol does not have, and what there is too much of, is not kept. */
class KnownFieldsTest {
  @Test
  void F10_fields_that_are_unknown_are_not_kept() throws MalformedMessageException {
    UnknownFieldSet.Field one = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    InstructionResponse known = InstructionResponse.newBuilder().setInstructionId("i").build();
    InstructionResponse more =
        known.toBuilder()
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(99, one).build())
            .build();
    assertThat(
            new KnownFields<>(InstructionResponse.parser()).read(Buffer.buffer(more.toByteArray())))
        .isEqualTo(known);
  }

  @Test
  void F10_a_bundle_has_at_most_a_thousand_cache_tokens() {
    ProcessBundleRequest.Builder request =
        ProcessBundleRequest.newBuilder().setProcessBundleDescriptorReference("d");
    for (int i = 0; i < 1_000; i++) {
      request.addCacheTokensBuilder();
    }
    BundleRequestReader reader = new BundleRequestReader();
    assertThat(reader.read(request.build().toByteArray())).isNotNull();
    assertThat(reader.read(request.addCacheTokens(request.getCacheTokens(0)).build().toByteArray()))
        .isNull();
  }
}
