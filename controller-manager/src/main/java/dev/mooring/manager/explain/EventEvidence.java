package dev.mooring.manager.explain;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Adds the events about an object to its explanations. */
public final class EventEvidence {
  private static final int MAX_EVENTS = 3;

  private static final Kind<Resource> EVENT =
      new Kind<>("", "v1", "events", "Event", true, Resource.class);

  private EventEvidence() {}

  public static List<Explanation> addEvents(
      List<Explanation> explanations, Resource object, EventReader events)
      throws InterruptedException {
    List<Explanation> extended = new ArrayList<>(explanations);
    for (int i = 0; i < extended.size(); i++) {
      if (extended.get(i).subject().key().equals(object.key())) {
        extended.set(i, withEvents(extended.get(i), object, events));
        return extended;
      }
    }
    return extended;
  }

  private static Explanation withEvents(
      Explanation explanation, Resource object, EventReader events) throws InterruptedException {
    return switch (events.readEvents(object)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> pastEvents) ->
          explanation.withEvidence(explanation.evidence().withEvents(latestEvents(pastEvents)));
      case ReadResult.Absent<List<PastEvent>> _ -> explanation;
      case ReadResult.Failed<List<PastEvent>>(String message) ->
          explanation.withUnreadable(new UnreadableKind(EVENT, message, "the object's events"));
    };
  }

  private static List<ReportedEvent> latestEvents(List<PastEvent> pastEvents) {
    return pastEvents.stream()
        .sorted(
            Comparator.comparingLong(PastEvent::lastSeen).reversed().thenComparing(PastEvent::note))
        .limit(MAX_EVENTS)
        .map(event ->
            new ReportedEvent(
                event.reason(),
                event.note(),
                event.type() == ClusterEvent.Type.WARNING,
                event.lastSeen()))
        .toList();
  }
}
