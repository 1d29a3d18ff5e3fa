package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.Extension;
import dev.mooring.console.view.Section;
import dev.mooring.console.view.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The plugins and CSI drivers of the process, and how they are.
 *
 * @param extensions these
 */
public record PluginsPage(List<Extension> extensions) implements Page {
  static final String ADDRESS = Section.ROOT + "plugins";

  public PluginsPage {
    extensions = List.copyOf(extensions);
  }

  public static PluginsPage of(Standing standing) {
    return new PluginsPage(standing.extensions());
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
  public Html body() {
    return Html.of("div")
        .with("id", "extensions")
        .with("data-live", "")
        .add(
            List.of(
                part(Extension.Sort.PLUGIN, "Plugins", "This process has no plugin."),
                part(Extension.Sort.DRIVER, "CSI drivers", "This process drives no CSI driver.")));
  }

  private Html part(Extension.Sort sort, String title, String none) {
    String id = sort.name().toLowerCase(Locale.ROOT) + "s";
    List<Extension> of = extensions.stream().filter(e -> e.sort() == sort).toList();
    return Html.of("section", "panel")
        .with("id", id)
        .with("aria-labelledby", id + "-title")
        .add(
            Html.of("h2").with("id", id + "-title").add(title),
            of.isEmpty() ? Html.of("p", "quiet").add(none) : table(title, of));
  }

  private static Html table(String title, List<Extension> of) {
    List<Element> rows = new ArrayList<>();
    for (Extension one : of) {
      rows.add(
          Html.of("tr")
              .add(
                  Parts.head(Html.text(one.name())),
                  Parts.cell(orNone(one.version())),
                  Parts.cell(state(one.health())),
                  Html.of("td", "amount").add("%,d".formatted(one.health().faults())),
                  Html.of("td", "amount").add("%,d".formatted(one.health().hanging())),
                  Html.of("td", "wide").add(orNone(String.join(", ", one.abilities()))),
                  Parts.cell(one.from())));
    }
    return Parts.table(
        title + " and how they are",
        List.of("Name", "Version", "State", "Faults", "Hanging calls", "Can", "From"),
        rows);
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "—" : text;
  }

  private static Html state(Extension.Health health) {
    return Html.of("span", health.works() ? "badge fine" : "badge failing").add(health.state());
  }

  @Override
  public Map<String, Object> tree() {
    return Trees.map(
        "apiVersion",
        Trees.VERSION,
        "kind",
        "ConsolePlugins",
        "items",
        extensions.stream().map(PluginsPage::tree).toList());
  }

  private static Map<String, Object> tree(Extension one) {
    return Trees.map(
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
