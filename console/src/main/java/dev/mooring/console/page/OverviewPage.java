package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.BoundTimes;
import dev.mooring.console.view.Rates;
import dev.mooring.console.view.Section;
import dev.mooring.console.view.Standing;
import dev.mooring.console.view.Waiting;
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
 * What waits, at a glance, and how the process is that tells it.
 *
 * @param counts how many objects there are of each kind, and how many of them wait
 * @param reasons why, the most urgent first, then the most frequent
 * @param oldest who waits longest, the most urgent first
 * @param pace how fast it goes
 * @param standing the process
 * @param unseen what cannot be read
 * @param unexplained how many objects could not be explained
 * @param now the time
 */
public record OverviewPage(
    Map<Section, Count> counts,
    List<Group> reasons,
    List<Explanation> oldest,
    Pace pace,
    Standing standing,
    List<Unseen> unseen,
    int unexplained,
    Instant now,
    boolean isOld)
    implements Page {
  private static final int MOST = 10;
  private static final Map<String, String> TITLES = Map.of("process", "What runs here");

  /**
   * How fast it goes.
   *
   * @param bound how long claims waited; nothing if none was bound while anybody looked
   * @param rates how often something was finished
   */
  public record Pace(Optional<BoundTimes.Summary> bound, Map<Rates.Event, Rates.Rate> rates) {}

  /**
   * Objects of a kind.
   *
   * @param all how many there are
   * @param waiting how many wait
   */
  record Count(int all, int waiting) {}

  /**
   * A reason.
   *
   * @param cause the reason
   * @param count how many objects have it
   * @param since since when the oldest has it, in seconds since the epoch; 0 if that is not known
   */
  record Group(Cause cause, int count, long since) {}

  public static OverviewPage of(Sight sight, Waiting waiting, Pace pace, Standing standing) {
    Map<Section, Integer> waits = new EnumMap<>(Section.class);
    for (Subject subject : waiting.objects().keySet()) {
      Section.of(subject.kind()).ifPresent(section -> waits.merge(section, 1, Integer::sum));
    }
    Map<Section, Count> counts = new EnumMap<>(Section.class);
    for (Section section : Section.values()) {
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
        standing,
        waiting.unseen(),
        waiting.unexplained(),
        waiting.at(),
        waiting.outage().isPresent());
  }

  private static List<Group> groups(List<Explanation> explanations) {
    Map<String, Group> groups = new HashMap<>();
    for (Explanation e : explanations) {
      groups.merge(
          e.cause().code() + e.cause().rank(),
          new Group(e.cause(), 1, e.since()),
          (one, other) ->
              new Group(
                  one.cause(), one.count() + other.count(), older(one.since(), other.since())));
    }
    return groups.values().stream()
        .sorted(
            Comparator.comparing((Group g) -> g.cause().rank())
                .thenComparing(Comparator.comparingInt(Group::count).reversed())
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
    return Section.ROOT + "overview.json";
  }

  @Override
  public String entry() {
    return Section.ROOT;
  }

  @Override
  public Html body() {
    List<Html> parts = new ArrayList<>();
    if (!standing.alarm().isEmpty()) {
      parts.add(Html.of("p", "alarm").with("role", "alert").add(standing.alarm()));
    }
    if (unexplained > 0) {
      parts.add(
          Html.of("p", "alarm")
              .add("%,d objects could not be explained; the log says why".formatted(unexplained)));
    }
    parts.add(tiles());
    parts.add(
        reasons.isEmpty()
            ? isOld
                ? Html.of("p").add("Nothing waited when the API server answered last.")
                : Html.of("p", "fine").add("Nothing waits.")
            : panel("reasons", "Why", reasonTable()));
    if (!oldest.isEmpty()) {
      parts.add(
          panel(
              "oldest",
              "Who waits",
              Html.all(
                  List.of(
                      WaitingPage.table("Who waits, most urgent and oldest first", oldest, now),
                      Html.of("p")
                          .add(
                              Html.of("a")
                                  .with("href", WaitingPage.ADDRESS)
                                  .add("Everything that waits"))))));
    }
    parts.add(
        Html.of("div", "columns")
            .add(
                Html.all(List.of(rates(), pace.bound().map(this::boundPanel).orElse(Html.NOTHING))),
                process()));
    parts.add(Parts.unseen(unseen));
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
    return Html.of("ul", "tiles").with("aria-label", "How many wait").add(tiles);
  }

  private Html reasonTable() {
    List<Element> rows = new ArrayList<>();
    for (Group group : reasons) {
      rows.add(
          Html.of("tr")
              .add(
                  Parts.head(
                      Html.of("a")
                          .with(
                              "href",
                              WaitingPage.ADDRESS
                                  + "?reason="
                                  + Section.encoded(group.cause().code()))
                          .add(Parts.badge(group.cause().rank(), group.cause().code()))),
                  Html.of("td", "amount").add("%,d".formatted(group.count())),
                  Parts.cell(Ages.since(group.since(), now)),
                  Html.of("td", "wide").add(group.cause().meaning())));
    }
    return Parts.table("Reasons", List.of("Reason", "Objects", "Oldest", "That is"), rows);
  }

  private Html rates() {
    List<Element> rows = new ArrayList<>();
    pace.rates()
        .forEach((event, rate) ->
            rows.add(
                Html.of("tr")
                    .add(
                        Parts.head(Html.text(event.words())),
                        Html.of("td", "amount").add("%,d".formatted(rate.lastMinute())),
                        Html.of("td", "amount").add("%,d".formatted(rate.lastMinutes())))));
    return panel(
        "rates",
        "How fast it goes",
        Parts.matrix("Rates", List.of("What", "Last minute", "Last ten minutes"), rows));
  }

  private Html boundPanel(BoundTimes.Summary times) {
    return panel(
        "bound",
        "Time to bound",
        facts(
            List.of(
                new Measure("", "Half of them within", Age.text(times.half())),
                new Measure("", "19 of 20 within", Age.text(times.most())),
                new Measure("", "The longest", Age.text(times.longest())),
                new Measure("", "Claims bound, last seen", "%,d".formatted(times.count())))));
  }

  private Html process() {
    List<Html> parts = new ArrayList<>();
    parts.add(facts(List.of(new Measure("", "Cluster", standing.cluster()))));
    String group = "";
    List<Measure> facts = new ArrayList<>();
    for (Measure fact : standing.facts()) {
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
                    "%,d, %,d of which work"
                        .formatted(
                            standing.extensions().size(),
                            standing.extensions().stream()
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
                Trees.map("lastMinute", rate.lastMinute(), "lastTenMinutes", rate.lastMinutes())));
    return tree;
  }

  @Override
  public Map<String, Object> tree() {
    Map<String, Object> kinds = new LinkedHashMap<>();
    counts.forEach((section, count) ->
        kinds.put(section.path(), Trees.map("total", count.all(), "waiting", count.waiting())));
    return Trees.map(
        "apiVersion", Trees.VERSION,
        "kind", "ConsoleOverview",
        "objects", kinds,
        "reasons",
            reasons.stream()
                .map(g ->
                    Trees.map(
                        "code", g.cause().code(),
                        "rank", g.cause().rank().token(),
                        "count", g.count(),
                        "oldest", Ages.moment(g.since()),
                        "meaning", g.cause().meaning()))
                .toList(),
        "oldest", oldest.stream().map(Trees::brief).toList(),
        "rates", rateTree(),
        "timeToBound",
            pace.bound()
                .map(b ->
                    Trees.map(
                        "claims", b.count(),
                        "p50Seconds", b.half(),
                        "p95Seconds", b.most(),
                        "maxSeconds", b.longest()))
                .orElse(Map.of()),
        "process",
            Trees.map(
                "cluster", standing.cluster(),
                "alarm", standing.alarm(),
                "facts", Trees.facts(standing.facts())),
        "unseen", Trees.unseen(unseen),
        "unexplained", unexplained);
  }
}
