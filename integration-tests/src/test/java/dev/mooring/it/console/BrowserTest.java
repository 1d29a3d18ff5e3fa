package dev.mooring.it.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the page in a real browser. */
class BrowserTest extends BrowserFixture {
  @BeforeEach
  void start() throws Exception {
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
    startMooring();
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
          awaitLoaded(page);
          assertLegible(page, name + " " + look);
          assertThat(findViolations(page)).as("axe of " + name + " " + look).isEmpty();
          saveScreenshot(page, name + "-" + look);
          page.context().close();
        }));
    assertThat(browserErrors).allMatch(output -> output.contains("404"));
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
