package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Holder;
import dev.mooring.explain.Measure;
import dev.mooring.explain.Said;
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

  static List<Html> of(Explanation e, Instant now) {
    List<Html> parts = new ArrayList<>();
    candidates(parts, e);
    holders(parts, e);
    measures(parts, e.evidence().measures());
    said(parts, e.evidence().said(), now);
    return parts;
  }

  private static Html panel(String title, Html... content) {
    return Html.of("section", "panel").add(Html.of("h2").add(title)).add(content);
  }

  private static void candidates(List<Html> parts, Explanation e) {
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
            Html.of("p", "quiet")
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
    List<Html> cells = new ArrayList<>();
    cells.add(PageElements.head(name(section(of), candidate.name())));
    cells.add(PageElements.cell(candidate.description()));
    for (String test : tests) {
      cells.add(outcome(Optional.ofNullable(byName.get(test))));
    }
    return Html.of("tr").add(cells);
  }

  private static Html name(ConsoleSection section, String name) {
    int slash = name.indexOf('/');
    ObjectKey key =
        section.kind().namespaced() && slash > 0
            ? ObjectKey.of(name.substring(0, slash), name.substring(slash + 1))
            : ObjectKey.cluster(name);
    return Html.of("a").with("href", section.address(key)).add(name);
  }

  private static Html outcome(Optional<Candidate.Check> check) {
    if (check.isEmpty()) {
      return Html.of("td", "quiet").add("—");
    }
    String note = check.get().note();
    return check.get().passed()
        ? Html.of("td", "passed").add(Html.of("span", "hidden").add("passed"))
        : Html.of("td", "failed")
            .add(
                Html.of("span", "hidden").add("failed: "),
                Html.text(note.isEmpty() ? "failed" : note));
  }

  private static void holders(List<Html> parts, Explanation e) {
    List<Holder> holders = e.evidence().holders();
    if (holders.isEmpty()) {
      return;
    }
    List<Element> rows = new ArrayList<>();
    for (Holder holder : holders.subList(0, Math.min(MOST, holders.size()))) {
      rows.add(
          Html.of("tr")
              .add(
                  PageElements.head(Html.text(holder.name())),
                  PageElements.cell(holder.what()),
                  Html.of("td", "wide").add(holder.note())));
    }
    String title = e.subject().kind().equals(Kind.NODE) ? "Volumes with waiting pods" : "Held by";
    parts.add(
        panel(
            title,
            holders.size() > MOST
                ? Html.of("p", "quiet")
                    .add("%,d of %,d. The JSON contains all.".formatted(MOST, holders.size()))
                : Html.NOTHING,
            PageElements.table(title, List.of("Name", "Role", "Until"), rows)));
  }

  private static void measures(List<Html> parts, List<Measure> measures) {
    Map<String, List<Measure>> groups = new LinkedHashMap<>();
    measures.forEach(m -> groups.computeIfAbsent(m.what(), w -> new ArrayList<>()).add(m));
    groups.forEach((what, of) -> parts.add(panel(Measure.title(what), OverviewPage.facts(of))));
  }

  private static void said(List<Html> parts, List<Said> said, Instant now) {
    if (said.isEmpty()) {
      return;
    }
    List<Element> rows = new ArrayList<>();
    for (Said one : said) {
      rows.add(
          Html.of("tr")
              .add(
                  PageElements.head(Html.text(one.reason())),
                  PageElements.cell(one.isWarning() ? "Warning" : "Normal"),
                  PageElements.cell(AgeElement.since(one.when(), now)),
                  Html.of("td", "wide").add(one.note())));
    }
    parts.add(
        panel(
            "Events about this object",
            PageElements.table("Events", List.of("Reason", "Type", "Ago", "Message"), rows)));
  }
}
