package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.BoundTimes;
import dev.mooring.console.view.CompletionRates;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.AgeFormat;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
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
    ControllerSpeed speed,
    ProcessStatus processStatus,
    List<UnreadableKind> unseen,
    int unexplained,
    Instant now,
    boolean isStale)
    implements ConsolePage {
  private static final int MAX_OLDEST = 10;
  private static final Map<String, String> TITLES = Map.of("process", "This process");

  public record ControllerSpeed(
      Optional<BoundTimes.Summary> bound, Map<CompletionRates.Event, CompletionRates.Rate> rates) {}

  record Count(int total, int waiting) {}

  record ReasonCount(Cause cause, int count, long since) {}

  public static OverviewPage of(
      ClusterView clusterView,
      WaitingSnapshot waiting,
      ControllerSpeed speed,
      ProcessStatus processStatus) {
    Map<ConsoleSection, Integer> waitingCounts = new EnumMap<>(ConsoleSection.class);
    for (SubjectRef subject : waiting.objects().keySet()) {
      ConsoleSection.of(subject.kind())
          .ifPresent(section -> waitingCounts.merge(section, 1, Integer::sum));
    }
    Map<ConsoleSection, Count> counts = new EnumMap<>(ConsoleSection.class);
    for (ConsoleSection section : ConsoleSection.values()) {
      counts.put(
          section,
          new Count(
              clusterView.informer(section.kind()).snapshot().size(),
              waitingCounts.getOrDefault(section, 0)));
    }
    List<Explanation> explanations = waiting.sortedExplanations();
    return new OverviewPage(
        counts,
        countReasons(explanations),
        explanations.stream().limit(MAX_OLDEST).toList(),
        speed,
        processStatus,
        waiting.unseen(),
        waiting.unexplained(),
        waiting.time(),
        waiting.outage().isPresent());
  }

  private static List<ReasonCount> countReasons(List<Explanation> explanations) {
    Map<String, ReasonCount> counts = new HashMap<>();
    for (Explanation e : explanations) {
      counts.merge(
          e.cause().code() + e.cause().rank(),
          new ReasonCount(e.cause(), 1, e.stateSince()),
          (first, second) ->
              new ReasonCount(
                  first.cause(),
                  first.count() + second.count(),
                  earlier(first.since(), second.since())));
    }
    return counts.values().stream()
        .sorted(
            Comparator.comparing((ReasonCount g) -> g.cause().rank())
                .thenComparing(Comparator.comparingInt(ReasonCount::count).reversed())
                .thenComparing(g -> g.cause().code()))
        .toList();
  }

  private static long earlier(long first, long second) {
    return first == 0 || second == 0 ? Math.max(first, second) : Math.min(first, second);
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
  public HtmlNode body() {
    List<HtmlNode> panels = new ArrayList<>();
    if (!processStatus.alarm().isEmpty()) {
      panels.add(HtmlNode.of("p", "alarm").with("role", "alert").add(processStatus.alarm()));
    }
    if (unexplained > 0) {
      panels.add(
          HtmlNode.of("p", "alarm")
              .add("%,d objects could not be explained; see the log".formatted(unexplained)));
    }
    panels.add(tileList());
    panels.add(
        reasons.isEmpty()
            ? isStale
                ? HtmlNode.of("p").add("Nothing was waiting when the API server last answered.")
                : HtmlNode.of("p", "fine").add("Nothing is waiting.")
            : PageElements.panel("reasons", "Reasons", reasonTable()));
    if (!oldest.isEmpty()) {
      panels.add(
          PageElements.panel(
              "oldest",
              "Waiting longest",
              HtmlNode.all(
                  List.of(
                      WaitingPage.table("Longest waiting objects, most urgent first", oldest, now),
                      HtmlNode.of("p")
                          .add(PageElements.link(WaitingPage.ADDRESS, "All waiting objects"))))));
    }
    panels.add(
        HtmlNode.of("div", "columns")
            .add(
                HtmlNode.all(
                    List.of(
                        ratePanel(), speed.bound().map(this::boundPanel).orElse(HtmlNode.NOTHING))),
                processPanel()));
    panels.add(PageElements.unseen(unseen));
    return HtmlNode.of("div").with("id", "overview").with("data-live", "").add(panels);
  }

  private HtmlNode tileList() {
    List<HtmlNode> tiles = new ArrayList<>();
    counts.forEach((section, count) ->
        tiles.add(
            HtmlNode.of("li", count.waiting() > 0 ? "tile waits" : "tile")
                .add(
                    HtmlNode.of("a")
                        .with("href", section.address() + (count.waiting() > 0 ? "?waiting=1" : ""))
                        .add(
                            HtmlNode.of("span", "what").add(section.title()),
                            HtmlNode.of("span", "number").add("%,d".formatted(count.waiting())),
                            HtmlNode.of("span", "of")
                                .add(
                                    count.waiting() == 1
                                        ? "waits, of %,d".formatted(count.total())
                                        : "wait, of %,d".formatted(count.total()))))));
    return HtmlNode.of("ul", "tiles").with("aria-label", "Waiting objects by kind").add(tiles);
  }

  private HtmlNode reasonTable() {
    List<Element> rows = new ArrayList<>();
    for (ReasonCount group : reasons) {
      rows.add(
          PageElements.row(
              PageElements.head(
                  HtmlNode.of("a")
                      .with(
                          "href",
                          WaitingPage.ADDRESS
                              + "?reason="
                              + ConsoleSection.encode(group.cause().code()))
                      .add(PageElements.badge(group.cause().rank(), group.cause().code()))),
              PageElements.amountCell(group.count()),
              PageElements.cell(AgeElement.since(group.since(), now)),
              PageElements.wideCell(group.cause().meaning())));
    }
    return PageElements.table(
        "Reasons by rank", List.of("Reason", "Objects", "Oldest", "Meaning"), rows);
  }

  private HtmlNode ratePanel() {
    List<Element> rows = new ArrayList<>();
    speed
        .rates()
        .forEach((event, rate) ->
            rows.add(
                PageElements.row(
                    PageElements.head(HtmlNode.text(event.title())),
                    PageElements.amountCell(rate.lastMinute()),
                    PageElements.amountCell(rate.lastTenMinutes()))));
    return PageElements.panel(
        "rates",
        "Speed",
        PageElements.matrix(
            "Rates", List.of("Operation", "Last minute", "Last ten minutes"), rows));
  }

  private HtmlNode boundPanel(BoundTimes.Summary times) {
    return PageElements.panel(
        "bound",
        "Time to bound",
        facts(
            List.of(
                new NamedFact("", "Median", AgeFormat.format(times.median())),
                new NamedFact("", "95th percentile", AgeFormat.format(times.percentile95())),
                new NamedFact("", "Maximum", AgeFormat.format(times.max())),
                new NamedFact("", "Claims bound recently", "%,d".formatted(times.count())))));
  }

  private HtmlNode processPanel() {
    List<HtmlNode> elements = new ArrayList<>();
    elements.add(facts(List.of(new NamedFact("", "Cluster", processStatus.cluster()))));
    String group = "";
    List<NamedFact> facts = new ArrayList<>();
    for (NamedFact fact : processStatus.facts()) {
      if (!fact.group().equals(group)) {
        addFacts(elements, group, facts);
        group = fact.group();
      }
      facts.add(fact);
    }
    addFacts(elements, group, facts);
    elements.add(
        facts(
            List.of(
                new NamedFact(
                    "",
                    "Plugins and drivers",
                    "%,d, %,d of them working"
                        .formatted(
                            processStatus.extensions().size(),
                            processStatus.extensions().stream()
                                .filter(e -> e.health().isWorking())
                                .count())))));
    elements.add(
        HtmlNode.of("p").add(PageElements.link(PluginsPage.ADDRESS, "Plugins and drivers")));
    return PageElements.panel("process", "This process", HtmlNode.all(elements));
  }

  private static void addFacts(List<HtmlNode> elements, String group, List<NamedFact> facts) {
    if (!facts.isEmpty()) {
      elements.add(HtmlNode.of("h3").add(TITLES.getOrDefault(group, group)));
      elements.add(facts(facts));
      facts.clear();
    }
  }

  static Element facts(List<NamedFact> facts) {
    return HtmlNode.of("dl", "facts")
        .add(
            facts.stream()
                .map(fact -> PageElements.fact(fact.name(), HtmlNode.text(fact.value())))
                .toList());
  }

  private Map<String, Object> rateTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    speed
        .rates()
        .forEach((event, rate) ->
            tree.put(
                event.token(),
                JsonTrees.map(
                    "lastMinute", rate.lastMinute(), "lastTenMinutes", rate.lastTenMinutes())));
    return tree;
  }

  @Override
  public Map<String, Object> tree() {
    Map<String, Object> kinds = new LinkedHashMap<>();
    counts.forEach((section, count) ->
        kinds.put(
            section.path(), JsonTrees.map("total", count.total(), "waiting", count.waiting())));
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
        "oldest", oldest.stream().map(JsonTrees::summary).toList(),
        "rates", rateTree(),
        "timeToBound",
            speed
                .bound()
                .map(b ->
                    JsonTrees.map(
                        "claims", b.count(),
                        "p50Seconds", b.median(),
                        "p95Seconds", b.percentile95(),
                        "maxSeconds", b.max()))
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
