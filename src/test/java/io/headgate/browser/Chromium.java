package io.headgate.browser;

import io.headgate.kit.SystemPrograms;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless Chromium with its driver, as processes of their own; for one thread at a time. Closed
 * by JUnit when the last test class is over.
 */
final class Chromium implements AutoCloseable {
  /** Set to true where a missing browser has to be a failure, as in {@code .ci/run}. */
  private static final String REQUIRED = "REQUIRE_BROWSER";

  private static final String MISSING =
      "no chromium or no chromedriver on this machine; Debian's packages are chromium,"
          + " chromium-driver";

  private final ChromeDriver driver;

  private Chromium(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Starts it. Where it is not installed the test is skipped, or fails if the environment says
   * {@code REQUIRE_BROWSER=true}.
   */
  static Chromium start() {
    Optional<Path> browser = SystemPrograms.find("chromium");
    Optional<Path> driver = SystemPrograms.find("chromedriver");
    if (browser.isEmpty() || driver.isEmpty()) {
      return SystemPrograms.missing(MISSING, REQUIRED);
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.get().toString());
    options.addArguments(
        "--headless=new",
        "--no-sandbox", // root in a container can have none; only our own pages are opened
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        "--lang=en-US",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(driver.get().toFile())
            .usingAnyFreePort()
            .build();
    return new Chromium(new ChromeDriver(service, options));
  }

  ChromeDriver driver() {
    return driver;
  }

  @Override
  public void close() {
    driver.quit();
  }
}
