package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.StorageExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Plugins and CSI drivers of the process, with their health. */
public record PluginsPage(List<StorageExtension> extensions) implements ConsolePage {
  static final String ADDRESS = ConsoleSection.ROOT + "plugins";

  public PluginsPage {
    extensions = List.copyOf(extensions);
  }

  public static PluginsPage of(ProcessStatus processStatus) {
    return new PluginsPage(processStatus.extensions());
  }

  @Override
  public String title() {
    return "Plugins and drivers";
  }

  @Override
  public String entry() {
    return ADDRESS;
  }

  @Override
  public HtmlNode body() {
    return PageElements.live("extensions")
        .add(
            List.of(
                panel(
                    StorageExtension.ExtensionType.PLUGIN,
                    "Plugins",
                    "This process has no plugins."),
                panel(
                    StorageExtension.ExtensionType.DRIVER,
                    "CSI drivers",
                    "This process has no CSI drivers.")));
  }

  private HtmlNode panel(StorageExtension.ExtensionType type, String title, String emptyText) {
    String id = type.name().toLowerCase(Locale.ROOT) + "s";
    List<StorageExtension> selected = extensions.stream().filter(e -> e.type() == type).toList();
    return PageElements.panel(
        id, title, selected.isEmpty() ? PageElements.quiet(emptyText) : table(title, selected));
  }

  private static HtmlNode table(String title, List<StorageExtension> extensions) {
    List<Element> rows = new ArrayList<>();
    for (StorageExtension extension : extensions) {
      StorageExtension.Health health = extension.health();
      Element row =
          PageElements.row(
              PageElements.head(PageElements.name(extension.name())),
              PageElements.cell(textOrDash(extension.version())),
              PageElements.cell(state(health)),
              PageElements.wideCell(
                  health.detail().isEmpty()
                      ? textOrDash(String.join(", ", extension.abilities()))
                      : health.detail()),
              PageElements.amountCell(health.faults()),
              PageElements.amountCell(health.hanging()),
              PageElements.cell(PageElements.name(extension.from())));
      rows.add(
          health.condition() == StorageExtension.Condition.UNCONFIGURED
              ? row.with("class", "inactive")
              : row);
    }
    return PageElements.table(
        title + " and their health",
        List.of("Name", "Version", "State", "Abilities", "Faults", "Hanging calls", "Source"),
        rows);
  }

  private static String textOrDash(String text) {
    return text.isEmpty() ? "—" : text;
  }

  static HtmlNode state(StorageExtension.Health health) {
    return HtmlNode.of(
            "span",
            switch (health.condition()) {
              case WORKING -> "badge fine";
              case UNCONFIGURED -> "badge inactive";
              case FAILING -> "badge failing";
            })
        .add(health.state());
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.document(
        "kind", "ConsolePlugins", "items", extensions.stream().map(PluginsPage::tree).toList());
  }

  private static Map<String, Object> tree(StorageExtension extension) {
    return JsonTrees.map(
        "sort", extension.type().name().toLowerCase(Locale.ROOT),
        "name", extension.name(),
        "version", extension.version(),
        "from", extension.from(),
        "abilities", extension.abilities(),
        "works", extension.health().isWorking(),
        "condition", extension.health().condition().token(),
        "state", extension.health().describe(),
        "faults", extension.health().faults(),
        "hangingCalls", extension.health().hanging());
  }
}
