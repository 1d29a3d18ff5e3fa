package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

final class EvidenceParts {
  private static final int MAX_ROWS = 25;

  private EvidenceParts() {}

  static List<HtmlNode> of(Explanation e, Instant now) {
    List<HtmlNode> panels = new ArrayList<>();
    addCandidates(panels, e);
    addHolders(panels, e);
    addMeasures(panels, e.evidence().facts());
    addEvents(panels, e.evidence().events(), now);
    return panels;
  }

  private static HtmlNode panel(String title, HtmlNode... content) {
    return HtmlNode.of("section", "panel").add(HtmlNode.of("h2").add(title)).add(content);
  }

  private static void addCandidates(List<HtmlNode> panels, Explanation e) {
    List<Candidate> candidates = e.evidence().candidates();
    if (candidates.isEmpty()) {
      return;
    }
    List<Candidate> shownCandidates = candidates.subList(0, Math.min(MAX_ROWS, candidates.size()));
    Set<String> tests = new LinkedHashSet<>();
    shownCandidates.forEach(c -> c.checks().forEach(check -> tests.add(check.name())));
    List<String> headings = new ArrayList<>(List.of("Name", "State"));
    headings.addAll(tests);
    String title = title(e.subject().kind());
    panels.add(
        panel(
            title + ", best match first",
            HtmlNode.of("p", "quiet")
                .add(
                    shownCandidates.size() == candidates.size()
                        ? "All candidates, each with every test that was evaluated."
                        : "%,d of %,d, each with every test that was evaluated. The JSON contains all."
                            .formatted(shownCandidates.size(), candidates.size())),
            PageElements.matrix(
                title,
                headings,
                shownCandidates.stream().map(c -> row(e.subject().kind(), c, tests)).toList())));
  }

  private static String title(Kind<?> kind) {
    return kind.equals(Kind.VOLUME) ? "Claims" : kind.equals(Kind.POD) ? "Nodes" : "Volumes";
  }

  private static ConsoleSection section(Kind<?> kind) {
    return kind.equals(Kind.VOLUME)
        ? ConsoleSection.CLAIMS
        : kind.equals(Kind.POD) ? ConsoleSection.NODES : ConsoleSection.VOLUMES;
  }

  private static Element row(Kind<?> kind, Candidate candidate, Set<String> tests) {
    Map<String, Candidate.Check> byName = new LinkedHashMap<>();
    candidate.checks().forEach(check -> byName.put(check.name(), check));
    List<HtmlNode> cells = new ArrayList<>();
    cells.add(PageElements.head(name(section(kind), candidate.name())));
    cells.add(PageElements.cell(candidate.description()));
    for (String test : tests) {
      cells.add(outcomeCell(Optional.ofNullable(byName.get(test))));
    }
    return HtmlNode.of("tr").add(cells);
  }

  private static HtmlNode name(ConsoleSection section, String name) {
    int slash = name.indexOf('/');
    ObjectKey key =
        section.kind().namespaced() && slash > 0
            ? ObjectKey.of(name.substring(0, slash), name.substring(slash + 1))
            : ObjectKey.cluster(name);
    return PageElements.link(section.address(key), name);
  }

  private static HtmlNode outcomeCell(Optional<Candidate.Check> check) {
    if (check.isEmpty()) {
      return HtmlNode.of("td", "quiet").add("—");
    }
    String note = check.get().message();
    return check.get().isPassed()
        ? HtmlNode.of("td", "passed").add(HtmlNode.of("span", "hidden").add("passed"))
        : HtmlNode.of("td", "failed")
            .add(
                HtmlNode.of("span", "hidden").add("failed: "),
                HtmlNode.text(note.isEmpty() ? "failed" : note));
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
                ? HtmlNode.of("p", "quiet")
                    .add("%,d of %,d. The JSON contains all.".formatted(MAX_ROWS, holders.size()))
                : HtmlNode.NOTHING,
            PageElements.table(title, List.of("Name", "Role", "Until"), rows)));
  }

  private static void addMeasures(List<HtmlNode> panels, List<NamedFact> measures) {
    Map<String, List<NamedFact>> groups = new LinkedHashMap<>();
    measures.forEach(m -> groups.computeIfAbsent(m.group(), w -> new ArrayList<>()).add(m));
    groups.forEach(
        (group, facts) -> panels.add(panel(NamedFact.title(group), OverviewPage.facts(facts))));
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
            "Events about this object",
            PageElements.table("Events", List.of("Reason", "Type", "Ago", "Message"), rows)));
  }
}
