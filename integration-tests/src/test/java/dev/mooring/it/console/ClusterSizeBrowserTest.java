package dev.mooring.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Takes pictures of an empty and of a large cluster. */
class ClusterSizeBrowserTest extends BrowserFixture {
  private static final int CLAIMS = 50_000;

  private static final Map<String, String> PATHS =
      Map.of("overview", "", "waiting", "waiting", "claims", "claims", "plugins", "plugins");

  private void assertPagesLegible(String cluster) {
    assertPagesLegible(cluster, PATHS);
  }

  private void assertPagesLegible(String cluster, Map<String, String> paths) {
    Map<String, Browser.NewContextOptions> optionsByLook =
        Map.of(
            "light", desktopOptions(ColorScheme.LIGHT),
            "dark", desktopOptions(ColorScheme.DARK),
            "telephone", phoneOptions());
    optionsByLook.forEach((look, options) ->
        paths.forEach((name, path) -> {
          Page page = openPage(options, path);
          awaitLoaded(page);
          assertLegible(page, name + " " + look);
          assertThat(findViolations(page)).as("axe of " + name + " " + look).isEmpty();
          saveScreenshot(page, cluster + "-" + name + "-" + look);
          page.context().close();
        }));
    assertThat(browserErrors).isEmpty();
  }

  @Test
  void pages_emptyCluster_areLegible() throws Exception {
    startMooring();
    assertPagesLegible("empty");
  }

  @Test
  void pages_ofShadow_areLegible() throws Exception {
    startShadow();
    assertPagesLegible("shadow", Map.of("shadow", "shadow"));
  }

  @Test
  void pages_manyClaims_areLegible() throws Exception {
    for (int i = 0; i < CLAIMS; i++) {
      JsonObject claim =
          JsonParser.parseString(claim("c-%05d".formatted(i), i % 5 == 0 ? "fsat" : "fast", "1Gi"))
              .getAsJsonObject();
      server.handlers().create(KindCatalogue.CLAIMS, "default", claim, WriteOptions.PLAIN);
    }
    startMooring();
    assertPagesLegible("many");
  }
}
