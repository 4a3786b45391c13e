package io.headgate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * What a test does with the browser, and what it never may see: after each test, whatever it was
 * about, the console has no error, and every request went to the gateway that was opened.
 *
 * <p>A test class has one as a static field with {@code @RegisterExtension}.
 */
final class Browser implements BeforeAllCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(Browser.class);
  private static final Path SCREENSHOTS =
      Path.of(System.getProperty("headgate.target", "target"), "screenshots");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WIDTH = 1200;
  private static final int HEIGHT = 900;

  private ChromeDriver driver;
  private String origin = "";

  @Override
  public void beforeAll(ExtensionContext context) {
    driver =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(Chromium.class, key -> Chromium.start(), Chromium.class)
            .driver();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    List<String> complaints = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      // An answer that is no success is told here, too, and it is what many tests are about.
      if (!entry.getMessage().contains("Failed to load resource")) {
        complaints.add(entry.getMessage());
      }
    }
    requests().stream().filter(url -> !url.startsWith(origin)).forEach(complaints::add);
    assertThat(complaints).as("the console, and requests to elsewhere than %s", origin).isEmpty();
  }

  /** Every URL that was asked for since this was last called. */
  List<String> requests() {
    List<String> urls = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      JsonNode message = read(entry.getMessage()).get("message");
      if (message.get("method").asText().equals("Network.requestWillBeSent")) {
        String url = message.at("/params/request/url").asText();
        if (!url.startsWith("data:") && !url.startsWith("about:")) {
          urls.add(url);
        }
      }
    }
    return urls;
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens a page as somebody who was never there; on a wide screen that prefers light. */
  Browser open(URI page) {
    driver.get("about:blank");
    requests();
    driver.manage().logs().get(LogType.BROWSER);
    origin = page.getScheme() + "://" + page.getAuthority() + "/";
    command("Storage.clearDataForOrigin", Map.of("origin", origin, "storageTypes", "all"));
    screen(WIDTH, HEIGHT);
    prefer("light");
    driver.get(page.toString());
    return this;
  }

  void screen(int width, int height) {
    command(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** What the system is said to prefer, {@code light} or {@code dark}. */
  void prefer(String scheme) {
    command(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  Map<String, Object> command(String name, Map<String, Object> parameters) {
    return driver.executeCdpCommand(name, parameters);
  }

  String url() {
    return driver.getCurrentUrl();
  }

  String title() {
    return driver.getTitle();
  }

  /** The first that there is, now or soon. */
  WebElement find(String css) {
    return await()
        .ignoreExceptions()
        .until(() -> driver.findElement(By.cssSelector(css)), e -> true);
  }

  List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  /** What is to be read there now; empty if there is no such element. */
  String text(String css) {
    try {
      return all(css).stream().findFirst().map(WebElement::getText).orElse("");
    } catch (StaleElementReferenceException e) {
      return ""; // drawn anew meanwhile
    }
  }

  /** Waits until this is to be read there. */
  void awaitText(String css, String part) {
    await().untilAsserted(() -> assertThat(text(css)).contains(part));
  }

  /** The texts of all of them. */
  List<String> texts(String css) {
    return await()
        .ignoreException(StaleElementReferenceException.class) // drawn anew meanwhile
        .until(() -> all(css).stream().map(WebElement::getText).toList(), texts -> true);
  }

  void click(String css) {
    await()
        .ignoreException(StaleElementReferenceException.class)
        .until(
            () -> {
              find(css).click();
              return true;
            });
  }

  /** Chooses from a list by its value. */
  void choose(String css, String value) {
    find(css + " option[value='" + value + "']").click();
  }

  void type(String css, String text) {
    WebElement field = find(css);
    field.clear();
    field.sendKeys(text);
  }

  /** Presses keys, one after the other, where the focus is. */
  void press(CharSequence... keys) {
    for (CharSequence key : keys) {
      driver.switchTo().activeElement().sendKeys(key);
    }
  }

  /** Goes on with the tabulator until this has the focus. */
  void tabTo(String css) {
    for (int i = 0; i < 60; i++) {
      if (isFocused(css)) {
        return;
      }
      press(Keys.TAB);
    }
    throw new AssertionError("not reached by the tabulator: " + css);
  }

  boolean isFocused(String css) {
    return Boolean.TRUE.equals(
        run(
            "return document.activeElement !== null && document.activeElement.matches(arguments[0])",
            css));
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  void back() {
    driver.navigate().back();
  }

  void reload() {
    driver.navigate().refresh();
  }

  /** Keeps what is to be seen, from top to bottom, as {@code target/screenshots/name.png}. */
  void picture(String name) {
    Object data =
        command("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
            .get("data");
    try {
      Files.createDirectories(SCREENSHOTS);
      Files.write(
          SCREENSHOTS.resolve(name + ".png"), Base64.getDecoder().decode(String.valueOf(data)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails if axe finds something that is serious or worse for people who see or move otherwise. */
  void assertAccessible() {
    try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
      run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Object found =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run({resultTypes: ["violations"]}).then(
                ({violations}) => done(violations
                    .filter((each) => each.impact === "serious" || each.impact === "critical")
                    .map((each) => each.id + ": "
                        + each.nodes.map((node) => node.html).join("\\n    "))),
                (fault) => done([String(fault)]));
            """);
    assertThat((List<?>) found).as("what axe finds on %s", url()).isEmpty();
  }
}
