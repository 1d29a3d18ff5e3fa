package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.StorageExtension.Condition;
import dev.mooring.explain.NamedFact;
import java.util.ArrayList;
import java.util.List;

final class ProcessPanel {
  private static final String PROCESS = "process";

  private ProcessPanel() {}

  static HtmlNode of(ProcessStatus status) {
    List<HtmlNode> elements = new ArrayList<>();
    String group = PROCESS;
    List<NamedFact> facts = new ArrayList<>();
    facts.add(new NamedFact(PROCESS, "Cluster", status.cluster()));
    for (NamedFact fact : status.facts()) {
      if (!fact.group().equals(group)) {
        addFacts(elements, group, facts);
        group = fact.group();
      }
      facts.add(fact);
    }
    addFacts(elements, group, facts);
    elements.add(
        HtmlNode.of("p")
            .add(
                PageElements.link(
                    PluginsPage.ADDRESS,
                    CountText.count(
                        status.extensions().size(), "plugin or driver", "plugins and drivers")),
                HtmlNode.text(": " + conditions(status))));
    return PageElements.panel(PROCESS, "This process", HtmlNode.all(elements));
  }

  private static String conditions(ProcessStatus status) {
    List<String> texts = new ArrayList<>();
    for (Condition condition : Condition.values()) {
      long count =
          status.extensions().stream().filter(e -> e.health().condition() == condition).count();
      if (count > 0 || condition == Condition.WORKING) {
        texts.add("%,d %s".formatted(count, condition.text()));
      }
    }
    return String.join(", ", texts);
  }

  // the first group has the title of the panel
  private static void addFacts(List<HtmlNode> elements, String group, List<NamedFact> facts) {
    if (!facts.isEmpty()) {
      if (!group.equals(PROCESS)) {
        elements.add(HtmlNode.of("h3").add(group));
      }
      elements.add(PageElements.facts(facts));
      facts.clear();
    }
  }
}
