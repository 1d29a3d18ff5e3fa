package dev.mooring.manager.console;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explanation;
import dev.mooring.manager.explain.EventEvidence;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cache of the events of displayed objects: at most one request per object in five seconds, for any
 * number of users. Thread-safe.
 */
final class EventCache {
  private static final int MOST = 200;
  private static final long LIFE = Duration.ofSeconds(5).toNanos();

  private record Answer(ReadResult<List<EventReader.PastEvent>> result, long at) {}

  private final EventReader events;
  private final Time time;
  private final Map<Uid, Answer> answers =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Uid, Answer> eldest) {
          return size() > MOST;
        }
      };

  EventCache(EventReader events, Time time) {
    this.events = events;
    this.time = time;
  }

  List<Explanation> addEvents(List<Explanation> explanations, Resource object)
      throws InterruptedException {
    return EventEvidence.addEvents(explanations, object, this::about);
  }

  ReadResult<List<EventReader.PastEvent>> about(ObjectKey key, Uid uid)
      throws InterruptedException {
    synchronized (answers) {
      Answer known = answers.get(uid);
      if (known != null && time.nanos() - known.at < LIFE) {
        return known.result;
      }
    }
    ReadResult<List<EventReader.PastEvent>> result = events.about(key, uid);
    synchronized (answers) {
      answers.remove(uid); // re-insertion moves the entry to the end of the eviction order
      answers.put(uid, new Answer(result, time.nanos()));
    }
    return result;
  }
}
