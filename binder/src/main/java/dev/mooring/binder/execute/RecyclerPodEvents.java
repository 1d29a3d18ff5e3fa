package dev.mooring.binder.execute;

import dev.mooring.binder.state.RecycleMemory;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;

/**
 * Passes events of recycler pods on to their volumes. They show why a volume stays Released, for
 * example because an image cannot be pulled. Each event is passed on once. Thread-safe; blocks.
 */
record RecyclerPodEvents(EventReader reader, BinderReporter reporter, RecycleMemory memory) {
  void forwardEvents(Volume volume, Pod recycler) throws InterruptedException {
    Uid pod = recycler.meta().uid();
    switch (reader.readEvents(recycler.key(), pod)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> events) -> {
        for (PastEvent event : events) {
          if (memory.recordForwarded(volume, pod, event.uid())) {
            reporter.emitRecyclerEvent(volume, event.type(), event.note());
          }
        }
      }
      case ReadResult.Absent<List<PastEvent>> _ -> {}
      case ReadResult.Failed<List<PastEvent>>(String message) ->
          reporter.logUnreadableEvents(recycler.key(), message);
    }
  }
}
