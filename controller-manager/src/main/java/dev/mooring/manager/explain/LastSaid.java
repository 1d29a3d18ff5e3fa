package dev.mooring.manager.explain;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Said;
import dev.mooring.explain.Unseen;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What events say of an object, added to what explains it: the words of others, not ours. */
public final class LastSaid {
  private static final int MOST = 3;

  private static final Kind<Resource> EVENT =
      new Kind<>("", "v1", "events", "Event", true, Resource.class);

  private LastSaid() {}

  /**
   * The same explanations, the first of the object itself with what was said last.
   *
   * @param explanations of the object and of others
   * @throws InterruptedException if the thread is interrupted while the server is asked
   */
  public static List<Explanation> added(
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
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> told) ->
          explanation.with(explanation.evidence().saying(last(told)));
      case ReadResult.Absent<List<PastEvent>> _ -> explanation;
      case ReadResult.Failed<List<PastEvent>>(String why) ->
          explanation.and(new Unseen(EVENT, why, "what others said of it"));
    };
  }

  private static List<Said> last(List<PastEvent> told) {
    return told.stream()
        .sorted(Comparator.comparingLong(PastEvent::when).reversed().thenComparing(PastEvent::note))
        .limit(MOST)
        .map(t -> new Said(t.reason(), t.note(), t.type() == ClusterEvent.Type.WARNING, t.when()))
        .toList();
  }
}
