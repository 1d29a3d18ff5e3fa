package dev.mooring.binder.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.Map;

/** Reads fields of recycler pods that caches do not keep. Thread-safe. */
record RecyclerPodReader(LiveReader reader, RecyclerPodTemplates templates) {
  ReadResult<Boolean> readMatch(Pod pod, Volume volume) throws InterruptedException {
    return reader
        .readWhole(Kind.POD, pod.key())
        .map(fields -> templates.matchesTemplate(fields, volume));
  }

  ReadResult<String> readMessage(Pod pod) throws InterruptedException {
    return reader
        .readWhole(Kind.POD, pod.key())
        .map(fields ->
            fields.get("status") instanceof Map<?, ?> status
                    && status.get("message") instanceof String message
                ? message
                : "");
  }
}
