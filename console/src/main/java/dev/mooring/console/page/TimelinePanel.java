package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.DatedFact;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.ReportedEvent;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** History of one object: dated facts, events and the actions of this process, the oldest first. */
final class TimelinePanel {
  private record Entry(long time, Element html) {}

  private TimelinePanel() {}

  static HtmlNode of(List<DatedFact> datedFacts, List<Explanation> explanations, Instant now) {
    List<Entry> entries = new ArrayList<>();
    datedFacts.forEach(fact -> entries.add(datedFact(fact, now)));
    for (Explanation e : explanations) {
      e.evidence().events().forEach(event -> entries.add(event(event, now)));
      e.evidence().facts().stream()
          .filter(fact -> fact.group().equals(NamedFact.DONE) && !isEventOf(e, fact))
          .forEach(fact -> entries.add(action(fact, now)));
    }
    if (entries.isEmpty()) {
      return HtmlNode.NOTHING;
    }
    entries.sort(Comparator.comparingLong(Entry::time));
    return PageElements.panel(
        "timeline",
        "Timeline",
        HtmlNode.of("ol", "timeline").add(entries.stream().map(Entry::html).toList()));
  }

  // An emitted event is an action too.
  private static boolean isEventOf(Explanation e, NamedFact action) {
    return e.evidence().events().stream()
        .anyMatch(event -> !event.note().isEmpty() && action.value().contains(event.note()));
  }

  private static Entry datedFact(DatedFact datedFact, Instant now) {
    return entry(
        datedFact.time(),
        now,
        HtmlNode.text(PageElements.kindName(datedFact.subject()) + " "),
        PageElements.link(datedFact.subject()),
        HtmlNode.text(" " + datedFact.text()));
  }

  private static Entry event(ReportedEvent event, Instant now) {
    return entry(
        event.lastSeen(),
        now,
        HtmlNode.of("span", event.isWarning() ? "badge failing" : "badge event")
            .add(event.reason()),
        HtmlNode.text(" " + event.note()));
  }

  private static Entry action(NamedFact fact, Instant now) {
    return entry(parse(fact.name()), now, HtmlNode.text(fact.value()));
  }

  private static long parse(String time) {
    try {
      return Instant.parse(time).getEpochSecond();
    } catch (DateTimeException e) {
      return 0;
    }
  }

  private static Entry entry(long time, Instant now, HtmlNode... content) {
    return new Entry(
        time,
        HtmlNode.of("li")
            .add(
                HtmlNode.of("span", "when")
                    .add(
                        time > 0
                            ? HtmlNode.all(
                                List.of(AgeElement.since(time, now), HtmlNode.text(" ago")))
                            : HtmlNode.text("unknown")),
                HtmlNode.of("div").add(content)));
  }
}
