package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.BoundTimes;
import dev.mooring.console.view.CompletionRates;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.Age;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Measure;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Start page: counts of waiting objects, and the state of the process.
 *
 * @param counts objects and waiting objects by kind
 * @param reasons the most urgent first, then the most frequent
 * @param oldest objects that have been waiting longest, the most urgent first
 * @param unseen what cannot be read
 * @param unexplained number of objects whose explanation failed
 */
public record OverviewPage(
    Map<ConsoleSection, Count> counts,
    List<ReasonCount> reasons,
    List<Explanation> oldest,
    ControllerSpeed pace,
    ProcessStatus processStatus,
    List<Unseen> unseen,
    int unexplained,
    Instant now,
    boolean isOld)
    implements Page {
  private static final int MOST = 10;
  private static final Map<String, String> TITLES = Map.of("process", "This process");

  public record ControllerSpeed(
      Optional<BoundTimes.Summary> bound, Map<CompletionRates.Event, CompletionRates.Rate> rates) {}

  record Count(int all, int waiting) {}

  record ReasonCount(Cause cause, int count, long since) {}

  public static OverviewPage of(
      Sight sight, WaitingSnapshot waiting, ControllerSpeed pace, ProcessStatus processStatus) {
    Map<ConsoleSection, Integer> waits = new EnumMap<>(ConsoleSection.class);
    for (Subject subject : waiting.objects().keySet()) {
      ConsoleSection.of(subject.kind()).ifPresent(section -> waits.merge(section, 1, Integer::sum));
    }
    Map<ConsoleSection, Count> counts = new EnumMap<>(ConsoleSection.class);
    for (ConsoleSection section : ConsoleSection.values()) {
      counts.put(
          section,
          new Count(
              sight.informer(section.kind()).snapshot().size(), waits.getOrDefault(section, 0)));
    }
    List<Explanation> inOrder = waiting.inOrder();
    return new OverviewPage(
        counts,
        groups(inOrder),
        inOrder.stream().limit(MOST).toList(),
        pace,
        processStatus,
        waiting.unseen(),
        waiting.unexplained(),
        waiting.at(),
        waiting.outage().isPresent());
  }

  private static List<ReasonCount> groups(List<Explanation> explanations) {
    Map<String, ReasonCount> groups = new HashMap<>();
    for (Explanation e : explanations) {
      groups.merge(
          e.cause().code() + e.cause().rank(),
          new ReasonCount(e.cause(), 1, e.since()),
          (one, other) ->
              new ReasonCount(
                  one.cause(), one.count() + other.count(), older(one.since(), other.since())));
    }
    return groups.values().stream()
        .sorted(
            Comparator.comparing((ReasonCount g) -> g.cause().rank())
                .thenComparing(Comparator.comparingInt(ReasonCount::count).reversed())
                .thenComparing(g -> g.cause().code()))
        .toList();
  }

  private static long older(long one, long other) {
    return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
  }

  @Override
  public String title() {
    return "Overview";
  }

  @Override
  public String json() {
    return ConsoleSection.ROOT + "overview.json";
  }

  @Override
  public String entry() {
    return ConsoleSection.ROOT;
  }

  @Override
  public Html body() {
    List<Html> parts = new ArrayList<>();
    if (!processStatus.alarm().isEmpty()) {
      parts.add(Html.of("p", "alarm").with("role", "alert").add(processStatus.alarm()));
    }
    if (unexplained > 0) {
      parts.add(
          Html.of("p", "alarm")
              .add("%,d objects could not be explained; see the log".formatted(unexplained)));
    }
    parts.add(tiles());
    parts.add(
        reasons.isEmpty()
            ? isOld
                ? Html.of("p").add("Nothing was waiting when the API server last answered.")
                : Html.of("p", "fine").add("Nothing is waiting.")
            : panel("reasons", "Reasons", reasonTable()));
    if (!oldest.isEmpty()) {
      parts.add(
          panel(
              "oldest",
              "Waiting longest",
              Html.all(
                  List.of(
                      WaitingPage.table("Longest waiting objects, most urgent first", oldest, now),
                      Html.of("p")
                          .add(
                              Html.of("a")
                                  .with("href", WaitingPage.ADDRESS)
                                  .add("All waiting objects"))))));
    }
    parts.add(
        Html.of("div", "columns")
            .add(
                Html.all(List.of(rates(), pace.bound().map(this::boundPanel).orElse(Html.NOTHING))),
                process()));
    parts.add(PageElements.unseen(unseen));
    return Html.of("div").with("id", "overview").with("data-live", "").add(parts);
  }

  private static Element panel(String id, String title, Html content) {
    return Html.of("section", "panel")
        .with("id", id)
        .with("aria-labelledby", id + "-title")
        .add(Html.of("h2").with("id", id + "-title").add(title), content);
  }

  private Html tiles() {
    List<Html> tiles = new ArrayList<>();
    counts.forEach((section, count) ->
        tiles.add(
            Html.of("li", count.waiting() > 0 ? "tile waits" : "tile")
                .add(
                    Html.of("a")
                        .with("href", section.address() + (count.waiting() > 0 ? "?waiting=1" : ""))
                        .add(
                            Html.of("span", "what").add(section.title()),
                            Html.of("span", "number").add("%,d".formatted(count.waiting())),
                            Html.of("span", "of")
                                .add(
                                    count.waiting() == 1
                                        ? "waits, of %,d".formatted(count.all())
                                        : "wait, of %,d".formatted(count.all()))))));
    return Html.of("ul", "tiles").with("aria-label", "Waiting objects by kind").add(tiles);
  }

  private Html reasonTable() {
    List<Element> rows = new ArrayList<>();
    for (ReasonCount group : reasons) {
      rows.add(
          Html.of("tr")
              .add(
                  PageElements.head(
                      Html.of("a")
                          .with(
                              "href",
                              WaitingPage.ADDRESS
                                  + "?reason="
                                  + ConsoleSection.encoded(group.cause().code()))
                          .add(PageElements.badge(group.cause().rank(), group.cause().code()))),
                  Html.of("td", "amount").add("%,d".formatted(group.count())),
                  PageElements.cell(AgeElement.since(group.since(), now)),
                  Html.of("td", "wide").add(group.cause().meaning())));
    }
    return PageElements.table("Reasons", List.of("Reason", "Objects", "Oldest", "Meaning"), rows);
  }

  private Html rates() {
    List<Element> rows = new ArrayList<>();
    pace.rates()
        .forEach((event, rate) ->
            rows.add(
                Html.of("tr")
                    .add(
                        PageElements.head(Html.text(event.words())),
                        Html.of("td", "amount").add("%,d".formatted(rate.lastMinute())),
                        Html.of("td", "amount").add("%,d".formatted(rate.lastMinutes())))));
    return panel(
        "rates",
        "Speed",
        PageElements.matrix(
            "Rates", List.of("Operation", "Last minute", "Last ten minutes"), rows));
  }

  private Html boundPanel(BoundTimes.Summary times) {
    return panel(
        "bound",
        "Time to bound",
        facts(
            List.of(
                new Measure("", "Median", Age.text(times.half())),
                new Measure("", "95th percentile", Age.text(times.most())),
                new Measure("", "Maximum", Age.text(times.longest())),
                new Measure("", "Claims bound recently", "%,d".formatted(times.count())))));
  }

  private Html process() {
    List<Html> parts = new ArrayList<>();
    parts.add(facts(List.of(new Measure("", "Cluster", processStatus.cluster()))));
    String group = "";
    List<Measure> facts = new ArrayList<>();
    for (Measure fact : processStatus.facts()) {
      if (!fact.what().equals(group)) {
        put(parts, group, facts);
        group = fact.what();
      }
      facts.add(fact);
    }
    put(parts, group, facts);
    parts.add(
        facts(
            List.of(
                new Measure(
                    "",
                    "Plugins and drivers",
                    "%,d, %,d of them working"
                        .formatted(
                            processStatus.extensions().size(),
                            processStatus.extensions().stream()
                                .filter(e -> e.health().works())
                                .count())))));
    parts.add(
        Html.of("p")
            .add(Html.of("a").with("href", PluginsPage.ADDRESS).add("Plugins and drivers")));
    return panel("process", "This process", Html.all(parts));
  }

  private static void put(List<Html> parts, String group, List<Measure> facts) {
    if (!facts.isEmpty()) {
      parts.add(Html.of("h3").add(TITLES.getOrDefault(group, group)));
      parts.add(facts(facts));
      facts.clear();
    }
  }

  static Element facts(List<Measure> facts) {
    List<Html> all = new ArrayList<>();
    for (Measure fact : facts) {
      all.add(Html.of("div").add(Html.of("dt").add(fact.name()), Html.of("dd").add(fact.value())));
    }
    return Html.of("dl", "facts").add(all);
  }

  private Map<String, Object> rateTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    pace.rates()
        .forEach((event, rate) ->
            tree.put(
                event.token(),
                JsonTrees.map(
                    "lastMinute", rate.lastMinute(), "lastTenMinutes", rate.lastMinutes())));
    return tree;
  }

  @Override
  public Map<String, Object> tree() {
    Map<String, Object> kinds = new LinkedHashMap<>();
    counts.forEach((section, count) ->
        kinds.put(section.path(), JsonTrees.map("total", count.all(), "waiting", count.waiting())));
    return JsonTrees.map(
        "apiVersion", JsonTrees.VERSION,
        "kind", "ConsoleOverview",
        "objects", kinds,
        "reasons",
            reasons.stream()
                .map(g ->
                    JsonTrees.map(
                        "code", g.cause().code(),
                        "rank", g.cause().rank().token(),
                        "count", g.count(),
                        "oldest", AgeElement.timestamp(g.since()),
                        "meaning", g.cause().meaning()))
                .toList(),
        "oldest", oldest.stream().map(JsonTrees::brief).toList(),
        "rates", rateTree(),
        "timeToBound",
            pace.bound()
                .map(b ->
                    JsonTrees.map(
                        "claims", b.count(),
                        "p50Seconds", b.half(),
                        "p95Seconds", b.most(),
                        "maxSeconds", b.longest()))
                .orElse(Map.of()),
        "process",
            JsonTrees.map(
                "cluster", processStatus.cluster(),
                "alarm", processStatus.alarm(),
                "facts", JsonTrees.facts(processStatus.facts())),
        "unseen", JsonTrees.unseen(unseen),
        "unexplained", unexplained);
  }
}
