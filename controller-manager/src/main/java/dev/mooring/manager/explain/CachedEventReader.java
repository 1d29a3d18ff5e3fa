package dev.mooring.manager.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Event reader that remembers the first answer about each object. Thread-safe. */
final class CachedEventReader implements EventReader {
  private final EventReader events;
  private final Map<Uid, ReadResult<List<PastEvent>>> answers = new ConcurrentHashMap<>();

  CachedEventReader(EventReader events) {
    this.events = events;
  }

  @Override
  public ReadResult<List<PastEvent>> readEvents(ObjectKey key, Uid uid)
      throws InterruptedException {
    ReadResult<List<PastEvent>> cached = answers.get(uid);
    if (cached == null) {
      ReadResult<List<PastEvent>> answer = events.readEvents(key, uid);
      cached = Objects.requireNonNullElse(answers.putIfAbsent(uid, answer), answer);
    }
    return cached;
  }
}
