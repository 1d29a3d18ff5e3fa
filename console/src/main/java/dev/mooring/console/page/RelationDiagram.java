package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class RelationDiagram {
  private static final int MAX_NAMES = 8;
  private static final List<ConsoleSection> ORDER =
      List.of(
          ConsoleSection.GROUPS,
          ConsoleSection.SNAPSHOTS,
          ConsoleSection.PODS,
          ConsoleSection.CLAIMS,
          ConsoleSection.VOLUMES,
          ConsoleSection.ATTACHMENTS,
          ConsoleSection.NODES,
          ConsoleSection.CLASSES);

  private RelationDiagram() {}

  static HtmlNode of(Map<ConsoleSection, List<ObjectKey>> objects, SubjectRef self) {
    if (objects.values().stream().mapToInt(List::size).sum() <= 1) {
      return HtmlNode.NOTHING;
    }
    List<HtmlNode> steps = new ArrayList<>();
    for (ConsoleSection section : ORDER) {
      List<ObjectKey> keys = objects.getOrDefault(section, List.of());
      if (!keys.isEmpty()) {
        steps.add(
            (section == ConsoleSection.CLASSES ? HtmlNode.of("li", "aside") : HtmlNode.of("li"))
                .add(
                    HtmlNode.of("span", "kind")
                        .add(keys.size() == 1 ? section.singular() : section.title()),
                    HtmlNode.of("ul").add(names(section, keys, self))));
      }
    }
    return PageElements.panel("chain", "Related", HtmlNode.of("ol", "chain").add(steps));
  }

  private static List<HtmlNode> names(
      ConsoleSection section, List<ObjectKey> keys, SubjectRef self) {
    List<HtmlNode> names = new ArrayList<>();
    for (ObjectKey key : keys.subList(0, Math.min(MAX_NAMES, keys.size()))) {
      boolean isSelf = self.equals(new SubjectRef(section.kind(), key));
      names.add(
          HtmlNode.of("li")
              .add(
                  isSelf
                      ? HtmlNode.of("strong")
                          .with("aria-current", "page")
                          .add(PageElements.name(key.name()))
                      : PageElements.link(new SubjectRef(section.kind(), key))));
    }
    if (keys.size() > MAX_NAMES) {
      names.add(HtmlNode.of("li", "quiet").add("and %,d more".formatted(keys.size() - MAX_NAMES)));
    }
    return names;
  }
}
