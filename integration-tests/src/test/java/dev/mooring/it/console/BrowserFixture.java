package dev.mooring.it.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base of tests of the console in a real browser. Screenshots are in {@code target/screenshots}.
 */
abstract class BrowserFixture {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final String ADDRESS_PREFIX = "console at ";
  private static final double MIN_CONTRAST = 4.5;

  /**
   * Finds the lowest contrast between any text on the page and its background, with its location.
   */
  private static final String CONTRAST =
      """
      () => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const rgba = (color) => {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          return canvas.getImageData(0, 0, 1, 1).data;
        };
        const over = (top, under) => [0, 1, 2].map((i) => (top[i] * top[3] + under[i] * (255 - top[3])) / 255);
        const behind = (element) => {
          if (!element) {
            return rgba("Canvas");
          }
          const own = rgba(getComputedStyle(element).backgroundColor);
          return own[3] === 255 ? own : over(own, behind(element.parentElement));
        };
        const light = (color) => {
          const [r, g, b] = [0, 1, 2].map((i) => {
            const part = color[i] / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        let least = { ratio: 99, where: "" };
        for (const element of document.querySelectorAll("body *")) {
          const says = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
          if (!says || element.closest(".hidden, .skip, .off")) {
            continue;
          }
          const back = behind(element);
          const front = over(rgba(getComputedStyle(element).color), back);
          const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
          const ratio = (a + 0.05) / (b + 0.05);
          if (ratio < least.ratio) {
            least = { ratio, where: element.tagName + "." + element.className + ": " + element.textContent.slice(0, 40) };
          }
        }
        return least;
      }
      """;

  private static final String AXE = readAxe();

  private static final String FINDINGS =
      """
      async () => {
        const said = await axe.run(document, { resultTypes: ["violations"] });
        return said.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html).join(" | ").slice(0, 300));
      }
      """;

  @TempDir Path folder;
  final List<String> browserErrors = new ArrayList<>();
  ApiServer server;
  RestApi api;
  JavaProcess process;
  private Playwright playwright;
  Browser browser;
  private String url;

  private static Optional<Path> findChromium() {
    return Stream.of(
            System.getProperty("mooring.chromium", ""),
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome")
        .filter(name -> !name.isEmpty())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Skips the tests if there is no browser, and starts a server and the browser. */
  @BeforeEach
  void startBrowser() throws IOException {
    Optional<Path> chromium = findChromium();
    Assumptions.assumeTrue(
        chromium.isPresent(),
        "no Chromium found: apt-get install chromium, or set -Dmooring.chromium");
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = new RestApi(server.url(), "");
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(chromium.get())
                    .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
  }

  /** Starts Mooring with the console. */
  void startMooring() throws Exception {
    start("run", "--mode=replace", "--endpoints=off", "--leader-elect=false");
  }

  /** Starts a shadow with the console. */
  void startShadow() throws Exception {
    start("shadow");
  }

  private void start(String... command) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(
        List.of(
            "--kubeconfig=" + kubeconfig,
            "--console=127.0.0.1:0",
            "--plugins=" + Resources.plugins()));
    process = JavaProcess.startMooring(arguments.toArray(String[]::new));
    String line = process.awaitLine(output -> output.contains(ADDRESS_PREFIX));
    url = line.substring(line.indexOf(ADDRESS_PREFIX) + ADDRESS_PREFIX.length()).split(" ", 2)[0];
  }

  @AfterEach
  void stop() throws Exception {
    if (playwright != null) {
      playwright.close();
    }
    if (process != null) {
      process.close();
    }
    if (server != null) {
      server.close();
    }
  }

  void create(String json) throws Exception {
    api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  static String claim(String name, String storageClass, String size) {
    return "{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': '%s', 'namespace': 'default'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s', 'resources': {'requests': {'storage': '%s'}}}}"
        .formatted(name, storageClass, size);
  }

  Page openPage(Browser.NewContextOptions options, String path) {
    BrowserContext context = browser.newContext(options);
    context.setDefaultTimeout(TestWait.LONGEST.toMillis());
    Page page = context.newPage();
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.text().contains("Content Security Policy")) {
        browserErrors.add(message.text());
      }
    });
    page.onPageError(browserErrors::add);
    page.navigate(url + path);
    return page;
  }

  static Browser.NewContextOptions desktopOptions(ColorScheme scheme) {
    return new Browser.NewContextOptions().setViewportSize(1280, 900).setColorScheme(scheme);
  }

  static Browser.NewContextOptions phoneOptions() {
    return new Browser.NewContextOptions().setViewportSize(390, 844).setIsMobile(true);
  }

  static void saveScreenshot(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")).setFullPage(true));
  }

  static LocatorAssertions.ContainsTextOptions longTimeout() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(TestWait.LONGEST.toMillis());
  }

  static LocatorAssertions.HasTextOptions textTimeout() {
    return new LocatorAssertions.HasTextOptions().setTimeout(TestWait.LONGEST.toMillis());
  }

  /** Waits until the page is live and the console has read the cluster. */
  static void awaitLoaded(Page page) {
    assertThat(page.locator("#status")).containsText("Live", longTimeout());
    assertThat(page.locator("#reading p"))
        .hasCount(
            0, new LocatorAssertions.HasCountOptions().setTimeout(TestWait.LONGEST.toMillis()));
  }

  static void assertLegible(Page page, String name) {
    Map<?, ?> lowest = (Map<?, ?>) page.evaluate(CONTRAST);
    assertThat(((Number) lowest.get("ratio")).doubleValue())
        .as(name + ": " + lowest.get("where"))
        .isGreaterThanOrEqualTo(MIN_CONTRAST);
    assertThat(page.locator("h1").count()).isEqualTo(1);
    assertThat(page.locator("main, header, footer").count()).isEqualTo(3);
    assertThat(page.locator("input:not(label input), th:not([scope])").count()).isZero();
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
        .as(name + " is no wider than the screen")
        .isLessThanOrEqualTo(page.viewportSize().width);
  }

  /** Violations that axe-core reports, for example for screen readers. */
  static List<?> findViolations(Page page) {
    page.evaluate(AXE);
    return (List<?>) page.evaluate(FINDINGS);
  }

  private static String readAxe() {
    try (InputStream script =
        Objects.requireNonNull(
            BrowserTest.class.getResourceAsStream(
                "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
