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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the page in a real browser and saves screenshots in {@code target/screenshots}. */
@Timeout(300)
class BrowserTest {
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

  @TempDir private Path folder;
  private final List<String> browserErrors = new ArrayList<>();
  private ApiServer server;
  private RestApi api;
  private JavaProcess process;
  private Playwright playwright;
  private Browser browser;
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

  @BeforeEach
  void start() throws Exception {
    Optional<Path> chromium = findChromium();
    Assumptions.assumeTrue(
        chromium.isPresent(),
        "no Chromium found: apt-get install chromium, or set -Dmooring.chromium");
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = new RestApi(server.url(), "");
    create(
        "{'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': 'disk-1'}, 'spec': {'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], 'nfs': {'server': 'n', 'path': '/'}}}");
    create(claim("orders-db", "", "8Gi"));
    create(claim("images", "gold", "10Gi"));
    for (int i = 0; i < 70; i++) {
      create(claim("many-%02d".formatted(i), "late", "1Gi"));
    }
    create(
        "{'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': 'late'}, 'provisioner': 'csi.example.com', 'volumeBindingMode': 'WaitForFirstConsumer'}");
    create(
        "{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'orders-0', 'namespace': 'default'}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}], 'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'orders-db'}}]}}");
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    process =
        JavaProcess.startMooring(
            "run",
            "--mode=replace",
            "--kubeconfig=" + kubeconfig,
            "--console=127.0.0.1:0",
            "--endpoints=off",
            "--leader-elect=false",
            "--plugins=" + Resources.plugins());
    String line = process.awaitLine(output -> output.contains(ADDRESS_PREFIX));
    url = line.substring(line.indexOf(ADDRESS_PREFIX) + ADDRESS_PREFIX.length()).split(" ", 2)[0];
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

  private void create(String json) throws Exception {
    api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private static String claim(String name, String storageClass, String size) {
    return "{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': '%s', 'namespace': 'default'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s', 'resources': {'requests': {'storage': '%s'}}}}"
        .formatted(name, storageClass, size);
  }

  private Page openPage(Browser.NewContextOptions options, String path) {
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

  private static Browser.NewContextOptions desktopOptions(ColorScheme scheme) {
    return new Browser.NewContextOptions().setViewportSize(1280, 900).setColorScheme(scheme);
  }

  private static Browser.NewContextOptions phoneOptions() {
    return new Browser.NewContextOptions().setViewportSize(390, 844).setIsMobile(true);
  }

  private static void saveScreenshot(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")).setFullPage(true));
  }

  private static LocatorAssertions.ContainsTextOptions longTimeout() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(TestWait.LONGEST.toMillis());
  }

  private static LocatorAssertions.HasTextOptions textTimeout() {
    return new LocatorAssertions.HasTextOptions().setTimeout(TestWait.LONGEST.toMillis());
  }

  private static void assertLegible(Page page, String name) {
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

  @Test
  void openPage_boundClaim_isUpdated() throws Exception {
    Page page = openPage(desktopOptions(ColorScheme.LIGHT), "claims/default/orders-db");
    assertThat(page.locator("main")).containsText("NoVolume", longTimeout());
    assertThat(page.locator("#status")).containsText("Live", longTimeout());
    saveScreenshot(page, "claim-waits");
    page.evaluate("window.stayed = true");
    create(
        "{'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': 'disk-9'}, 'spec': {'capacity': {'storage': '9Gi'}, 'accessModes': ['ReadWriteOnce'], 'nfs': {'server': 'n', 'path': '/'}}}");
    assertThat(page.locator("main")).containsText("Bound", longTimeout());
    assertThat(page.locator("#chain")).containsText("disk-9", longTimeout());
    assertThat(page.evaluate("window.stayed === true")).isEqualTo(true);
    saveScreenshot(page, "claim-bound");
    assertThat(browserErrors).isEmpty();
  }

  @Test
  void page_lightDarkAndPhone_isLegible() {
    Map<String, Browser.NewContextOptions> optionsByLook =
        Map.of(
            "light", desktopOptions(ColorScheme.LIGHT),
            "dark", desktopOptions(ColorScheme.DARK),
            "telephone", phoneOptions());
    Map<String, String> pathsByPage =
        Map.of(
            "overview", "",
            "waiting", "waiting",
            "claims", "claims",
            "claim", "claims/default/orders-db",
            "class", "classes/late",
            "volume", "volumes/disk-1",
            "plugins", "plugins",
            "none", "claims/default/none",
            "no-match", "claims?q=nothing");
    optionsByLook.forEach((look, options) ->
        pathsByPage.forEach((name, path) -> {
          Page page = openPage(options, path);
          assertThat(page.locator("#status")).containsText("Live", longTimeout());
          assertThat(page.locator("#reading p")).hasCount(0);
          assertLegible(page, name + " " + look);
          assertThat(findViolations(page)).as("axe of " + name + " " + look).isEmpty();
          saveScreenshot(page, name + "-" + look);
          page.context().close();
        }));
    assertThat(browserErrors).allMatch(output -> output.contains("404"));
  }

  /** Violations that axe-core reports, for example for screen readers. */
  private static List<?> findViolations(Page page) {
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

  @Test
  void axe_brokenPage_reportsViolation() {
    Page page = openPage(desktopOptions(ColorScheme.LIGHT), "plugins");
    page.evaluate("document.querySelector('main').append(document.createElement('img'))");
    assertThat(findViolations(page).toString()).contains("image-alt");
  }

  @Test
  void claimsPage_withoutScript_isSearchable() {
    Page page =
        openPage(
            new Browser.NewContextOptions().setJavaScriptEnabled(false).setViewportSize(1280, 900),
            "claims");
    page.locator("#field-q").fill("MANY-6");
    page.locator("button").click();
    assertThat(page.locator("#count")).containsText("10 of 72 claims");
    assertThat(page.url()).endsWith("?q=MANY-6&namespace=");
    page.locator("#list tbody a").first().click();
    assertThat(page.locator("h1")).hasText("Claim many-60");
    assertThat(page.locator("#status")).containsText("Reload the page");
  }

  @Test
  void claimsPage_typing_filtersWithoutSubmit() {
    Page page = openPage(desktopOptions(ColorScheme.LIGHT), "claims");
    assertThat(page.locator("#status")).containsText("Live", longTimeout());
    page.locator("#field-q").pressSequentially("orders");
    assertThat(page.locator("#count")).containsText("1 of 72 claims", longTimeout());
    assertThat(page.url()).endsWith("claims?q=orders");
    page.locator("#field-q").fill("nothing");
    page.locator("#list .empty a").click();
    assertThat(page.locator("#count")).hasText("72 claims");
    page.locator("#field-namespace").selectOption("default");
    assertThat(page.locator("#count")).containsText("72 claims");
  }

  @Test
  void claimsPage_clickedHead_sortsRows() {
    Page page = openPage(desktopOptions(ColorScheme.LIGHT), "claims");
    page.locator("#list thead a").first().click();
    page.locator("#list thead a").first().click();
    assertThat(page.locator("#list thead th").first()).hasAttribute("aria-sort", "descending");
    assertThat(page.locator("#list tbody a").first()).hasText("orders-db");
  }

  @Test
  void claimPage_openDetailsAndUpdate_stayOpen() throws Exception {
    Page page = openPage(desktopOptions(ColorScheme.LIGHT), "claims/default/orders-db");
    assertThat(page.locator(".commands button").first()).hasText("Copy", textTimeout());
    page.locator("#tests-volumes summary").click();
    create(
        "{'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': 'disk-2'}, 'spec': {'capacity': {'storage': '2Gi'}, 'accessModes': ['ReadWriteOnce'], 'nfs': {'server': 'n', 'path': '/'}}}");
    assertThat(page.locator("#tests-volumes")).containsText("disk-2", longTimeout());
    assertThat(page.locator("#tests-volumes")).hasAttribute("open", "");
    assertThat(page.locator(".commands button").first()).hasText("Copy");
  }

  @Test
  void openPage_consoleStops_isGreyAndSaysSinceWhen() throws Exception {
    Page page = openPage(desktopOptions(ColorScheme.LIGHT), "");
    assertThat(page.locator("#status")).containsText("Live", longTimeout());
    process.close();
    assertThat(page.locator("#lost"))
        .containsText("The console has not answered since 2", longTimeout());
    assertThat(page.locator("#overview")).hasCSS("filter", "grayscale(1)");
    saveScreenshot(page, "overview-lost");
  }

  @Test
  void claimsPage_keyboardOnly_isSearchable() {
    Page page = openPage(desktopOptions(ColorScheme.LIGHT), "claims");
    assertThat(page.locator("#status")).containsText("Live", longTimeout());
    page.keyboard().press("Tab");
    assertThat(page.evaluate("document.activeElement.className")).isEqualTo("skip");
    page.keyboard().press("Enter");
    assertThat(page.evaluate("document.activeElement.id")).isEqualTo("main");
    page.keyboard().press("Tab");
    assertThat(page.evaluate("document.activeElement.id")).isEqualTo("field-q");
    page.keyboard().type("orders");
    page.keyboard().press("Enter");
    assertThat(page.locator("#count")).containsText("1 of 72 claims");
  }
}
