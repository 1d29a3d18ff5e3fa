package dev.mooring.binder.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;

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
        .map(fields -> new RawObject(fields).text("status", "message"));
  }
}
