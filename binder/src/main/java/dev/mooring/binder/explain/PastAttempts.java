package dev.mooring.binder.explain;

import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.model.Resource;
import java.util.Comparator;
import java.util.List;

final class PastAttempts {
  static final String UNREAD = "; whether earlier attempts were made could not be read";

  private PastAttempts() {}

  /** Returns the object's last event with that reason. */
  static ReadResult<PastEvent> findLast(ClusterView clusterView, Resource object, String reason)
      throws InterruptedException {
    return switch (clusterView.events().readEvents(object)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> events) ->
          events.stream()
              .filter(event -> event.reason().equals(reason))
              .max(Comparator.comparingLong(PastEvent::lastSeen))
              .<ReadResult<PastEvent>>map(ReadResult.Found::new)
              .orElseGet(ReadResult.Absent::new);
      case ReadResult.Absent<List<PastEvent>> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<List<PastEvent>>(String message) -> new ReadResult.Failed<>(message);
    };
  }
}
