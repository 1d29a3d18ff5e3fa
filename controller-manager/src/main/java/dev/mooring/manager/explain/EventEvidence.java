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
  private static final int MOST = 3;

  private static final Kind<Resource> EVENT =
      new Kind<>("", "v1", "events", "Event", true, Resource.class);

  private EventEvidence() {}

  public static List<Explanation> addEvents(
      List<Explanation> explanations, Resource object, EventReader events)
      throws InterruptedException {
    List<Explanation> all = new ArrayList<>(explanations);
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).subject().key().equals(object.key())) {
        all.set(i, with(all.get(i), object, events));
        return all;
      }
    }
    return all;
  }

  private static Explanation with(Explanation explanation, Resource object, EventReader events)
      throws InterruptedException {
    return switch (events.about(object)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> past) ->
          explanation.with(explanation.evidence().saying(last(past)));
      case ReadResult.Absent<List<PastEvent>> _ -> explanation;
      case ReadResult.Failed<List<PastEvent>>(String why) ->
          explanation.and(new UnreadableKind(EVENT, why, "the object's events"));
    };
  }

  private static List<ReportedEvent> last(List<PastEvent> past) {
    return past.stream()
        .sorted(Comparator.comparingLong(PastEvent::when).reversed().thenComparing(PastEvent::note))
        .limit(MOST)
        .map(t ->
            new ReportedEvent(
                t.reason(), t.note(), t.type() == ClusterEvent.Type.WARNING, t.when()))
        .toList();
  }
}
