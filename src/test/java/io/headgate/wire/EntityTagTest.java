package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tag of a body (L9). */
class EntityTagTest {
  @Test
  void L9_it_is_a_truncated_SHA_256_of_the_bytes_in_quotes() throws Exception {
    byte[] body = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    byte[] sha = MessageDigest.getInstance("SHA-256").digest(body);
    String expected = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sha, 18));
    assertThat(Digests.etag(body, body.length)).isEqualTo('"' + expected + '"');
  }

  @Test
  void L9_it_is_the_same_on_every_JVM() {
    assertThat(Digests.etag(new byte[0], 0)).isEqualTo("\"47DEQpj8HBSa-_TImW-5JCeu\"");
  }

  @Test
  void L9_it_is_strong_and_holds_no_character_that_a_tag_may_not_have() {
    Set<String> tags = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      byte[] body = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
      String tag = Digests.etag(body, body.length);
      assertThat(tag).matches("\"[A-Za-z0-9_-]{24}\"");
      tags.add(tag);
    }
    assertThat(tags).as("different bodies, different tags").hasSize(2_000);
  }

  @Test
  void L9_only_the_content_counts_and_not_what_is_reserved_behind_it() {
    byte[] body = {'a', 'b', 'c', 'd'};
    byte[] longer = {'a', 'b', 'c', 'x', 'y'};
    assertThat(Digests.etag(longer, 3)).isEqualTo(Digests.etag(body, 3));
    assertThat(Digests.etag(body, 4)).isNotEqualTo(Digests.etag(body, 3));
  }

  @Test
  void sha_256_is_a_fresh_computation_each_time() {
    Digests.sha256().update((byte) 1);
    assertThat(HexFormat.of().formatHex(Digests.sha256().digest()))
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }
}
