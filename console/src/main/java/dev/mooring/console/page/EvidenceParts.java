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
  private static final int MOST = 25;

  private EvidenceParts() {}

  static List<HtmlNode> of(Explanation e, Instant now) {
    List<HtmlNode> parts = new ArrayList<>();
    candidates(parts, e);
    holders(parts, e);
    measures(parts, e.evidence().measures());
    said(parts, e.evidence().said(), now);
    return parts;
  }

  private static HtmlNode panel(String title, HtmlNode... content) {
    return HtmlNode.of("section", "panel").add(HtmlNode.of("h2").add(title)).add(content);
  }

  private static void candidates(List<HtmlNode> parts, Explanation e) {
    List<Candidate> all = e.evidence().candidates();
    if (all.isEmpty()) {
      return;
    }
    List<Candidate> shown = all.subList(0, Math.min(MOST, all.size()));
    Set<String> tests = new LinkedHashSet<>();
    shown.forEach(c -> c.checks().forEach(check -> tests.add(check.name())));
    List<String> headings = new ArrayList<>(List.of("Name", "State"));
    headings.addAll(tests);
    String title = title(e.subject().kind());
    parts.add(
        panel(
            title + ", best match first",
            HtmlNode.of("p", "quiet")
                .add(
                    shown.size() == all.size()
                        ? "All candidates, each with every test that was evaluated."
                        : "%,d of %,d, each with every test that was evaluated. The JSON contains all."
                            .formatted(shown.size(), all.size())),
            PageElements.matrix(
                title,
                headings,
                shown.stream().map(c -> row(e.subject().kind(), c, tests)).toList())));
  }

  private static String title(Kind<?> of) {
    return of.equals(Kind.VOLUME) ? "Claims" : of.equals(Kind.POD) ? "Nodes" : "Volumes";
  }

  private static ConsoleSection section(Kind<?> of) {
    return of.equals(Kind.VOLUME)
        ? ConsoleSection.CLAIMS
        : of.equals(Kind.POD) ? ConsoleSection.NODES : ConsoleSection.VOLUMES;
  }

  private static Element row(Kind<?> of, Candidate candidate, Set<String> tests) {
    Map<String, Candidate.Check> byName = new LinkedHashMap<>();
    candidate.checks().forEach(check -> byName.put(check.name(), check));
    List<HtmlNode> cells = new ArrayList<>();
    cells.add(PageElements.head(name(section(of), candidate.name())));
    cells.add(PageElements.cell(candidate.description()));
    for (String test : tests) {
      cells.add(outcome(Optional.ofNullable(byName.get(test))));
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

  private static HtmlNode outcome(Optional<Candidate.Check> check) {
    if (check.isEmpty()) {
      return HtmlNode.of("td", "quiet").add("—");
    }
    String note = check.get().note();
    return check.get().passed()
        ? HtmlNode.of("td", "passed").add(HtmlNode.of("span", "hidden").add("passed"))
        : HtmlNode.of("td", "failed")
            .add(
                HtmlNode.of("span", "hidden").add("failed: "),
                HtmlNode.text(note.isEmpty() ? "failed" : note));
  }

  private static void holders(List<HtmlNode> parts, Explanation e) {
    List<ObjectHolder> holders = e.evidence().holders();
    if (holders.isEmpty()) {
      return;
    }
    List<Element> rows = new ArrayList<>();
    for (ObjectHolder holder : holders.subList(0, Math.min(MOST, holders.size()))) {
      rows.add(
          PageElements.row(
              PageElements.head(HtmlNode.text(holder.name())),
              PageElements.cell(holder.what()),
              PageElements.wideCell(holder.note())));
    }
    String title = e.subject().kind().equals(Kind.NODE) ? "Volumes with waiting pods" : "Held by";
    parts.add(
        panel(
            title,
            holders.size() > MOST
                ? HtmlNode.of("p", "quiet")
                    .add("%,d of %,d. The JSON contains all.".formatted(MOST, holders.size()))
                : HtmlNode.NOTHING,
            PageElements.table(title, List.of("Name", "Role", "Until"), rows)));
  }

  private static void measures(List<HtmlNode> parts, List<NamedFact> measures) {
    Map<String, List<NamedFact>> groups = new LinkedHashMap<>();
    measures.forEach(m -> groups.computeIfAbsent(m.what(), w -> new ArrayList<>()).add(m));
    groups.forEach((what, of) -> parts.add(panel(NamedFact.title(what), OverviewPage.facts(of))));
  }

  private static void said(List<HtmlNode> parts, List<ReportedEvent> said, Instant now) {
    if (said.isEmpty()) {
      return;
    }
    List<Element> rows = new ArrayList<>();
    for (ReportedEvent one : said) {
      rows.add(
          PageElements.row(
              PageElements.head(HtmlNode.text(one.reason())),
              PageElements.cell(one.isWarning() ? "Warning" : "Normal"),
              PageElements.cell(AgeElement.since(one.when(), now)),
              PageElements.wideCell(one.note())));
    }
    parts.add(
        panel(
            "Events about this object",
            PageElements.table("Events", List.of("Reason", "Type", "Ago", "Message"), rows)));
  }
}
