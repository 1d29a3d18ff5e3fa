package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.CandidateGroup;
import dev.mooring.explain.Explanation;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

final class CandidatePanel {
  private static final int MAX_ROWS = 25;
  private static final int MAX_GROUPED = 1000; // each access runs the tests of a candidate

  private CandidatePanel() {}

  static HtmlNode of(Explanation e) {
    List<Candidate> all = e.evidence().candidates();
    if (all.isEmpty()) {
      return HtmlNode.NOTHING;
    }
    ConsoleSection section = section(e.subject().kind());
    List<Candidate> best = List.copyOf(all.subList(0, Math.min(MAX_GROUPED, all.size())));
    List<CandidateGroup> groups = CandidateGroup.of(best);
    boolean areGroupsShown =
        CandidateGroup.isDecisive(e) || groups.getFirst().failedTests().isEmpty();
    return EvidenceParts.panel(
        section.title(),
        areGroupsShown ? groupTable(section, groups) : HtmlNode.NOTHING,
        all.size() > best.size() && areGroupsShown
            ? PageElements.quiet(
                "The %,d nearest of %s."
                    .formatted(best.size(), CountText.count(all.size(), section)))
            : HtmlNode.NOTHING,
        HtmlNode.of("details")
            .with("id", "tests-" + section.path())
            .add(
                HtmlNode.of("summary").add(summary(section, all, areGroupsShown)),
                matrix(section, best.subList(0, Math.min(MAX_ROWS, best.size())))));
  }

  private static String summary(
      ConsoleSection section, List<Candidate> candidates, boolean areGroupsShown) {
    String tests =
        candidates.size() > MAX_ROWS
            ? "every test of the %d nearest".formatted(MAX_ROWS)
            : "every test";
    return areGroupsShown
        ? Character.toUpperCase(tests.charAt(0)) + tests.substring(1)
        : "%s %s not suit: %s"
            .formatted(
                CountText.count(candidates.size(), section),
                candidates.size() == 1 ? "does" : "do",
                tests);
  }

  private static ConsoleSection section(Kind<?> kind) {
    return kind.equals(Kind.VOLUME)
        ? ConsoleSection.CLAIMS
        : kind.equals(Kind.POD) ? ConsoleSection.NODES : ConsoleSection.VOLUMES;
  }

  private static HtmlNode groupTable(ConsoleSection section, List<CandidateGroup> groups) {
    List<Element> rows = new ArrayList<>();
    for (CandidateGroup group : groups.subList(0, Math.min(MAX_ROWS, groups.size()))) {
      rows.add(
          PageElements.row(
              PageElements.head(names(section, group)),
              group.failedTests().isEmpty()
                  ? HtmlNode.of("td", "passed").add(" passes every test")
                  : PageElements.cell(String.join(", ", group.failedTests())),
              PageElements.wideCell(failures(group.examples().getFirst()))));
    }
    return PageElements.table(
        section.title() + ", the nearest first",
        List.of(section.title(), "Failed tests", "Meaning"),
        rows);
  }

  private static HtmlNode names(ConsoleSection section, CandidateGroup group) {
    List<HtmlNode> parts = new ArrayList<>();
    for (Candidate candidate : group.examples()) {
      parts.add(HtmlNode.text(parts.isEmpty() ? "" : ", "));
      parts.add(name(section, candidate.name()));
    }
    int hidden = group.count() - group.examples().size();
    if (hidden > 0) {
      parts.add(HtmlNode.text(" and %,d more".formatted(hidden)));
    }
    return HtmlNode.all(parts);
  }

  private static String failures(Candidate example) {
    return example.failed().stream()
        .map(check -> check.message().isEmpty() ? check.name() : check.message())
        .collect(Collectors.joining("; "));
  }

  private static HtmlNode matrix(ConsoleSection section, List<Candidate> candidates) {
    Set<String> tests = new LinkedHashSet<>();
    candidates.forEach(c -> c.checks().forEach(check -> tests.add(check.name())));
    List<String> headings = new ArrayList<>(List.of("Name", "State"));
    headings.addAll(tests);
    return PageElements.matrix(
        "Every test of " + section.path(),
        headings,
        candidates.stream().map(c -> row(section, c, tests)).toList());
  }

  private static Element row(ConsoleSection section, Candidate candidate, Set<String> tests) {
    Map<String, Candidate.Check> byName = new LinkedHashMap<>();
    candidate.checks().forEach(check -> byName.put(check.name(), check));
    List<HtmlNode> cells = new ArrayList<>();
    cells.add(PageElements.head(name(section, candidate.name())));
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
    return HtmlNode.of("a").with("href", section.address(key)).add(PageElements.name(name));
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
}
