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
  public String json() {
    return ADDRESS + ".json";
  }

  @Override
  public String entry() {
    return ADDRESS;
  }

  @Override
  public HtmlNode body() {
    return HtmlNode.of("div")
        .with("id", "extensions")
        .with("data-live", "")
        .add(
            List.of(
                part(
                    StorageExtension.ExtensionType.PLUGIN,
                    "Plugins",
                    "This process has no plugins."),
                part(
                    StorageExtension.ExtensionType.DRIVER,
                    "CSI drivers",
                    "This process has no CSI drivers.")));
  }

  private HtmlNode part(StorageExtension.ExtensionType sort, String title, String none) {
    String id = sort.name().toLowerCase(Locale.ROOT) + "s";
    List<StorageExtension> of = extensions.stream().filter(e -> e.sort() == sort).toList();
    return PageElements.panel(
        id, title, of.isEmpty() ? HtmlNode.of("p", "quiet").add(none) : table(title, of));
  }

  private static HtmlNode table(String title, List<StorageExtension> of) {
    List<Element> rows = new ArrayList<>();
    for (StorageExtension one : of) {
      rows.add(
          PageElements.row(
              PageElements.head(HtmlNode.text(one.name())),
              PageElements.cell(orNone(one.version())),
              PageElements.cell(state(one.health())),
              PageElements.amountCell(one.health().faults()),
              PageElements.amountCell(one.health().hanging()),
              PageElements.wideCell(orNone(String.join(", ", one.abilities()))),
              PageElements.cell(one.from())));
    }
    return PageElements.table(
        title + " and their health",
        List.of("Name", "Version", "State", "Faults", "Hanging calls", "Can", "From"),
        rows);
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "—" : text;
  }

  private static HtmlNode state(StorageExtension.Health health) {
    return HtmlNode.of("span", health.works() ? "badge fine" : "badge failing").add(health.state());
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.map(
        "apiVersion",
        JsonTrees.VERSION,
        "kind",
        "ConsolePlugins",
        "items",
        extensions.stream().map(PluginsPage::tree).toList());
  }

  private static Map<String, Object> tree(StorageExtension one) {
    return JsonTrees.map(
        "sort", one.sort().name().toLowerCase(Locale.ROOT),
        "name", one.name(),
        "version", one.version(),
        "from", one.from(),
        "abilities", one.abilities(),
        "works", one.health().works(),
        "state", one.health().state(),
        "faults", one.health().faults(),
        "hangingCalls", one.health().hanging());
  }
}
