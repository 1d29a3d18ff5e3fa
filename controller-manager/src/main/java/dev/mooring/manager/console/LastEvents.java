package dev.mooring.manager.console;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explanation;
import dev.mooring.manager.explain.LastSaid;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What events say of the objects whose pages are looked at: asked at most once in five seconds for
 * each, however many look. Thread-safe.
 */
final class LastEvents {
  private static final int MOST = 200;
  private static final long LIFE = Duration.ofSeconds(5).toNanos();

  private record Answer(ReadResult<List<EventReader.PastEvent>> told, long at) {}

  private final EventReader events;
  private final Time time;
  private final Map<Uid, Answer> answers =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Uid, Answer> eldest) {
          return size() > MOST;
        }
      };

  LastEvents(EventReader events, Time time) {
    this.events = events;
    this.time = time;
  }

  List<Explanation> added(List<Explanation> explanations, Resource object)
      throws InterruptedException {
    return LastSaid.added(explanations, object, this::about);
  }

  /** As {@link EventReader#about}, at most five seconds old. */
  ReadResult<List<EventReader.PastEvent>> about(ObjectKey key, Uid uid)
      throws InterruptedException {
    synchronized (answers) {
      Answer known = answers.get(uid);
      if (known != null && time.nanos() - known.at < LIFE) {
        return known.told;
      }
    }
    ReadResult<List<EventReader.PastEvent>> told = events.about(key, uid);
    synchronized (answers) {
      answers.remove(uid); // its place is the newest's
      answers.put(uid, new Answer(told, time.nanos()));
    }
    return told;
  }
}
