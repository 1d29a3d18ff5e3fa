package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.BoundTimes;
import dev.mooring.console.view.CompletionRates;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.console.view.WaitingCauses;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.explain.WaitingGroup;
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
 * Start page: whether claims wait, the causes, totals, and the state of the process.
 *
 * @param counts objects and waiting objects by kind
 * @param groups causes, the most urgent first
 * @param reasons reason codes, the most urgent first, then the most frequent
 * @param oldest objects that have been waiting longest, the most urgent first
 * @param unseen what cannot be read
 * @param unexplained number of objects whose explanation failed
 */
public record OverviewPage(
    Map<ConsoleSection, Count> counts,
    List<WaitingGroup> groups,
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

  /**
   * How fast objects are completed.
   *
   * @param waiting number of waiting claims in each minute of the last hour, the oldest first
   */
  public record ControllerSpeed(
      Optional<BoundTimes.Summary> bound,
      Map<CompletionRates.Event, CompletionRates.Rate> rates,
      List<Integer> waiting) {
    public ControllerSpeed {
      waiting = List.copyOf(waiting);
    }
  }

  record Count(int total, int waiting) {}

  record ReasonCount(Cause cause, int count, long since) {}

  public static OverviewPage of(
      ClusterView clusterView,
      WaitingCauses.Grouping causes,
      ControllerSpeed speed,
      ProcessStatus processStatus) {
    WaitingSnapshot waiting = causes.snapshot();
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
    List<Explanation> explanations = causes.explanations();
    return new OverviewPage(
        counts,
        causes.groups(),
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
    addAlarms(panels);
    panels.add(healthSentence());
    if (!groups.isEmpty()) {
      panels.add(PageElements.panel("causes", "Causes", CauseTable.of(groups, now)));
    }
    panels.add(totals());
    panels.add(HtmlNode.of("div", "columns").add(SpeedPanels.of(speed)));
    panels.add(ProcessPanel.of(processStatus));
    panels.add(PageElements.unseen(unseen));
    return PageElements.live("overview").add(panels);
  }

  private void addAlarms(List<HtmlNode> panels) {
    if (!processStatus.alarm().isEmpty()) {
      panels.add(HtmlNode.of("p", "alarm").with("role", "alert").add(processStatus.alarm()));
    }
    for (StorageExtension extension : processStatus.extensions()) {
      if (extension.health().condition() == StorageExtension.Condition.FAILING) {
        panels.add(
            HtmlNode.of("p", "alarm")
                .add(
                    HtmlNode.text(extension.type().title() + " "),
                    PageElements.link(PluginsPage.ADDRESS, extension.name()),
                    HtmlNode.text(" is " + extension.health().describe())));
      }
    }
    if (unexplained > 0) {
      panels.add(
          HtmlNode.of("p", "alarm")
              .add(
                  CountText.count(unexplained, "object", "objects")
                      + " could not be explained; see the log"));
    }
  }

  private HtmlNode healthSentence() {
    if (groups.isEmpty()) {
      return isStale
          ? HtmlNode.of("p", "health").add("Nothing was waiting when the API server last answered.")
          : HtmlNode.of("p", "health fine").add("Nothing is waiting.");
    }
    return HtmlNode.of("p", "health " + groups.getFirst().first().cause().rank().token())
        .add(healthText());
  }

  String healthText() {
    List<String> kinds = new ArrayList<>();
    int waitingObjects = 0;
    for (Map.Entry<ConsoleSection, Count> entry : counts.entrySet()) {
      Count count = entry.getValue();
      if (count.waiting() > 0) {
        waitingObjects += count.waiting();
        kinds.add(
            "%,d of %s".formatted(count.waiting(), CountText.count(count.total(), entry.getKey())));
      }
    }
    return CountText.join(kinds)
        + (waitingObjects == 1 ? " waits; " : " wait; ")
        + CountText.count(groups.size(), "cause", "causes");
  }

  private HtmlNode totals() {
    List<HtmlNode> items = new ArrayList<>();
    counts.forEach((section, count) ->
        items.add(
            HtmlNode.of("li")
                .add(
                    PageElements.link(section.address(), CountText.count(count.total(), section)),
                    count.waiting() == 0
                        ? HtmlNode.NOTHING
                        : HtmlNode.all(
                            List.of(
                                HtmlNode.text(", "),
                                PageElements.link(
                                    section.address() + "?waiting=1",
                                    "%,d waiting".formatted(count.waiting())))))));
    return HtmlNode.of("ul", "totals").with("aria-label", "Objects").add(items);
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
    return JsonTrees.document(
        "kind", "ConsoleOverview",
        "objects", kinds,
        "summary", groups.isEmpty() ? "nothing waits" : healthText(),
        "causes", groups.stream().map(CauseTable::tree).toList(),
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
        "timeToBound", speed.bound().map(SpeedPanels::tree).orElse(Map.of()),
        "waitingClaims", speed.waiting(),
        "process",
            JsonTrees.map(
                "cluster", processStatus.cluster(),
                "alarm", processStatus.alarm(),
                "facts", JsonTrees.facts(processStatus.facts())),
        "unseen", JsonTrees.unseen(unseen),
        "unexplained", unexplained);
  }
}
