package dev.mooring.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.TestConsole;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.console.view.StorageExtension.Condition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PluginsPageTest {
  @Test
  void row_unconfiguredPlugin_isInactiveAndNamesSetting() {
    try (TestConsole console = new TestConsole()) {
      console
          .cluster()
          .setExtensions(
              new StorageExtension(
                  StorageExtension.ExtensionType.PLUGIN,
                  "nfs",
                  "1.0",
                  "nfs.jar",
                  List.of(),
                  new StorageExtension.Health(
                      Condition.UNCONFIGURED,
                      "not configured",
                      "needs --plugin-setting=nfs-exports=VALUE",
                      0,
                      0)));
      assertThat(console.page("plugins"))
          .contains("<tr class=\"inactive\"", "<span class=\"badge inactive\">not configured");
      assertThat(console.text("plugins"))
          .contains("nfs 1.0 not configured needs --plugin-setting=nfs-exports=VALUE");
      assertThat((Map<?, ?>) ((List<?>) console.json("plugins.json").get("items")).getFirst())
          .extracting("works", "condition")
          .containsExactly(false, "unconfigured");
    }
  }
}
