package dev.mooring.binder.execute;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Passes events of recycler pods on to their volumes. They show why a volume stays Released, for
 * example because an image cannot be pulled. Each event is passed on once. Thread-safe; blocks.
 */
final class RecyclerPodEvents {
  private record PassedOn(Uid pod, Set<Uid> events) {}

  private final EventReader reader;
  private final BinderReporter reporter;
  private final Map<ObjectKey, PassedOn> byVolume = new ConcurrentHashMap<>();

  RecyclerPodEvents(EventReader reader, BinderReporter reporter) {
    this.reader = reader;
    this.reporter = reporter;
  }

  void passOn(Volume volume, Pod recycler) throws InterruptedException {
    Uid pod = recycler.meta().uid();
    switch (reader.about(recycler.key(), pod)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> all) -> {
        PassedOn passedOn =
            byVolume.compute(
                volume.key(),
                (key, last) ->
                    last != null && last.pod().equals(pod)
                        ? last
                        : new PassedOn(pod, new HashSet<>()));
        for (PastEvent one : all) {
          if (isNew(passedOn, one)) {
            reporter.recyclerEvent(volume, one.type(), one.note());
          }
        }
      }
      case ReadResult.Absent<List<PastEvent>> _ -> {}
      case ReadResult.Failed<List<PastEvent>>(String message) ->
          reporter.recyclerEventsUnreadable(recycler.key(), message);
    }
  }

  private static boolean isNew(PassedOn passedOn, PastEvent one) {
    synchronized (passedOn) {
      return passedOn.events().add(one.uid());
    }
  }

  void forget(ObjectKey volume) {
    byVolume.remove(volume);
  }
}
