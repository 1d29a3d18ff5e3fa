package dev.mooring.binder;

import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Sight;
import dev.mooring.model.Resource;
import java.util.Comparator;
import java.util.List;

/** What events say of what was tried for an object before: all that others can know of it. */
sealed interface EarlierTries {
  /** The end of a sentence, where they could not be read. */
  String UNREAD = "; whether it was tried before could not be read";

  /** Nothing was said. */
  record None() implements EarlierTries {}

  /** That was said last. */
  record Reported(PastEvent last) implements EarlierTries {}

  /** They may not be read. */
  record Unknown() implements EarlierTries {}

  /** By events with that reason. */
  static EarlierTries of(Sight sight, Resource object, String reason) throws InterruptedException {
    return switch (sight.events().about(object)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> events) ->
          events.stream()
              .filter(event -> event.reason().equals(reason))
              .max(Comparator.comparingLong(PastEvent::when))
              .<EarlierTries>map(Reported::new)
              .orElseGet(None::new);
      case ReadResult.Absent<List<PastEvent>> _ -> new None();
      case ReadResult.Failed<List<PastEvent>> _ -> new Unknown();
    };
  }
}
