package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Subject;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class RelationDiagram {
  private static final int MOST = 8;
  private static final List<ConsoleSection> ORDER =
      List.of(
          ConsoleSection.PODS,
          ConsoleSection.CLAIMS,
          ConsoleSection.VOLUMES,
          ConsoleSection.ATTACHMENTS,
          ConsoleSection.NODES,
          ConsoleSection.CLASSES);

  private RelationDiagram() {}

  static Html of(Map<ConsoleSection, List<ObjectKey>> objects, Subject self) {
    if (objects.values().stream().mapToInt(List::size).sum() <= 1) {
      return Html.NOTHING;
    }
    List<Html> steps = new ArrayList<>();
    for (ConsoleSection section : ORDER) {
      List<ObjectKey> keys = objects.getOrDefault(section, List.of());
      if (!keys.isEmpty()) {
        steps.add(
            (section == ConsoleSection.CLASSES ? Html.of("li", "aside") : Html.of("li"))
                .add(
                    Html.of("span", "kind").add(keys.size() == 1 ? section.one() : section.title()),
                    Html.of("ul").add(names(section, keys, self))));
      }
    }
    return Html.of("section", "panel")
        .with("id", "chain")
        .with("aria-labelledby", "chain-title")
        .add(
            Html.of("h2").with("id", "chain-title").add("Related objects"),
            Html.of("ol", "chain").add(steps));
  }

  private static List<Html> names(ConsoleSection section, List<ObjectKey> keys, Subject self) {
    List<Html> names = new ArrayList<>();
    for (ObjectKey key : keys.subList(0, Math.min(MOST, keys.size()))) {
      boolean isSelf = self.equals(new Subject(section.kind(), key));
      names.add(
          Html.of("li")
              .add(
                  isSelf
                      ? Html.of("strong").with("aria-current", "page").add(key.name())
                      : Html.of("a").with("href", section.address(key)).add(key.name())));
    }
    if (keys.size() > MOST) {
      names.add(Html.of("li", "quiet").add("and %,d more".formatted(keys.size() - MOST)));
    }
    return names;
  }
}
