package dev.mooring.manager.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Event reader that reads the events of each object once. Thread-safe. */
final class CachedEventReader implements EventReader {
  private final EventReader events;
  private final Map<Uid, ReadResult<List<PastEvent>>> answers = new ConcurrentHashMap<>();

  CachedEventReader(EventReader events) {
    this.events = events;
  }

  @Override
  public ReadResult<List<PastEvent>> readEvents(ObjectKey key, Uid uid)
      throws InterruptedException {
    ReadResult<List<PastEvent>> answer = answers.get(uid);
    if (answer == null) {
      answer = events.readEvents(key, uid);
      answers.put(uid, answer);
    }
    return answer;
  }
}
