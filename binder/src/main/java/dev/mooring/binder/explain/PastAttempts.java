package dev.mooring.binder.explain;

import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.model.Resource;
import java.util.Comparator;
import java.util.List;

sealed interface PastAttempts {
  String UNREAD = "; whether earlier attempts were made could not be read";

  record None() implements PastAttempts {}

  record Reported(PastEvent last) implements PastAttempts {}

  record Unknown() implements PastAttempts {}

  static PastAttempts of(ClusterView sight, Resource object, String reason)
      throws InterruptedException {
    return switch (sight.events().about(object)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> events) ->
          events.stream()
              .filter(event -> event.reason().equals(reason))
              .max(Comparator.comparingLong(PastEvent::when))
              .<PastAttempts>map(Reported::new)
              .orElseGet(None::new);
      case ReadResult.Absent<List<PastEvent>> _ -> new None();
      case ReadResult.Failed<List<PastEvent>> _ -> new Unknown();
    };
  }
}
