package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.headgate.kit.TestGateway;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page where it is not at the root, and not for everybody. */
class GuardedPageTest {
  @RegisterExtension static final Browser BROWSER = new Browser();

  @Test
  void behind_a_base_path_and_with_users_everything_is_found(@TempDir Path folder)
      throws IOException {
    Path users = folder.resolve("users");
    String hash = BCrypt.withDefaults().hashToString(10, "secret".toCharArray());
    Files.writeString(users, "ann:" + hash + ":read\nbob:" + hash + ":write\n");
    try (TestGateway gateway =
        TestGateway.recorded(
                "http.basePath", "/gate/way", "http.auth.basic.usersFile", users.toString())
            .unchecked()) {
      authorize(Map.of("Authorization", basic("ann:secret")));
      BROWSER.open(gateway.uri("/gate/way/"));
      BROWSER.awaitText("#running", "cdc2");
      BROWSER.awaitText("#gateway", "lineage");
      authorize(Map.of("Authorization", basic("bob:secret")));
      BROWSER.awaitText("#gateway .problem", "Your user may not see this.");
      authorize(Map.of("Authorization", basic("ann:secret")));
      giveUpAtTheNextPrompt();
      BROWSER.click("#gateway .problem button");
      BROWSER.awaitText("#gateway .problem", "You have to log in to see this.");
      BROWSER.click("#gateway .problem button");
      await().until(() -> BROWSER.text("#gateway .problem").isEmpty());
      BROWSER.click("#running tbody a");
      BROWSER.awaitText("#nodes", "nodes");
      assertThat(BROWSER.url()).startsWith(gateway.uri("/gate/way/ui/jobs/").toString());
      authorize(Map.of());
      BROWSER.click("nav a"); // a page that the browser has, but must ask for again
      assertThat(BROWSER.text("body")).doesNotContain("cdc2");
    } finally {
      authorize(Map.of());
    }
  }

  /**
   * A browser asks its user for a password by itself, and hands the 401 to the page if they give
   * up. One without a head has nobody to ask, so its answer to the page is put in here.
   */
  private static void giveUpAtTheNextPrompt() {
    BROWSER.run(
        "const real = window.fetch;"
            + "window.fetch = async () => { window.fetch = real;"
            + "return new Response('{\"code\":\"UNAUTHORIZED\"}', {status: 401}); }");
  }

  private static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  private static void authorize(Map<String, String> headers) {
    BROWSER.command("Network.enable", Map.of());
    BROWSER.command("Network.setExtraHTTPHeaders", Map.of("headers", headers));
  }
}
