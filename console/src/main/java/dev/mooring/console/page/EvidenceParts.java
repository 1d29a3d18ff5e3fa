package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.model.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class EvidenceParts {
  private static final int MAX_ROWS = 25;

  // Hints are in the panel of the answer, and waiting pods are among the related objects.
  private static final Set<String> SHOWN_ELSEWHERE = Set.of(NamedFact.HINT, NamedFact.WAITING_PODS);

  private EvidenceParts() {}

  /**
   * Returns the panels of the evidence.
   *
   * @param withHistory whether events and past actions have own panels, not a timeline
   */
  static List<HtmlNode> of(Explanation e, boolean withHistory, Instant now) {
    List<HtmlNode> panels = new ArrayList<>();
    panels.add(CandidatePanel.of(e));
    addHolders(panels, e);
    addMeasures(
        panels,
        e.evidence().facts().stream()
            .filter(fact -> !SHOWN_ELSEWHERE.contains(fact.group()))
            .filter(fact -> withHistory || !fact.group().equals(NamedFact.DONE))
            .toList());
    if (withHistory) {
      addEvents(panels, e.evidence().events(), now);
    }
    return panels;
  }

  static HtmlNode panel(String title, HtmlNode... content) {
    return HtmlNode.of("section", "panel").add(HtmlNode.of("h2").add(title)).add(content);
  }

  private static void addHolders(List<HtmlNode> panels, Explanation e) {
    List<ObjectHolder> holders = e.evidence().holders();
    if (holders.isEmpty()) {
      return;
    }
    List<Element> rows = new ArrayList<>();
    for (ObjectHolder holder : holders.subList(0, Math.min(MAX_ROWS, holders.size()))) {
      rows.add(
          PageElements.row(
              PageElements.head(HtmlNode.text(holder.name())),
              PageElements.cell(holder.type()),
              PageElements.wideCell(holder.releaseCondition())));
    }
    String title = e.subject().kind().equals(Kind.NODE) ? "Volumes with waiting pods" : "Held by";
    panels.add(
        panel(
            title,
            holders.size() > MAX_ROWS
                ? PageElements.quiet(
                    "%,d of %,d. The JSON contains all.".formatted(MAX_ROWS, holders.size()))
                : HtmlNode.NOTHING,
            PageElements.table(title, List.of("Name", "Role", "Until"), rows)));
  }

  private static void addMeasures(List<HtmlNode> panels, List<NamedFact> measures) {
    Map<String, List<NamedFact>> groups = new LinkedHashMap<>();
    measures.forEach(m -> groups.computeIfAbsent(m.group(), w -> new ArrayList<>()).add(m));
    groups.forEach(
        (group, facts) -> panels.add(panel(NamedFact.title(group), PageElements.facts(facts))));
  }

  private static void addEvents(List<HtmlNode> panels, List<ReportedEvent> events, Instant now) {
    if (events.isEmpty()) {
      return;
    }
    List<Element> rows = new ArrayList<>();
    for (ReportedEvent event : events) {
      rows.add(
          PageElements.row(
              PageElements.head(HtmlNode.text(event.reason())),
              PageElements.cell(event.isWarning() ? "Warning" : "Normal"),
              PageElements.cell(AgeElement.since(event.lastSeen(), now)),
              PageElements.wideCell(event.note())));
    }
    panels.add(
        panel(
            "Events",
            PageElements.table("Events", List.of("Reason", "Type", "Ago", "Message"), rows)));
  }
}
