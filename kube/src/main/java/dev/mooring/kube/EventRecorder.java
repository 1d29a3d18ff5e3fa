package dev.mooring.kube;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.text.LogMessage;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes events as events.k8s.io/v1. Its only thread sends them; {@link #emit} never blocks.
 *
 * <p>The first occurrence creates an Event. Repetitions increase the count of its series, at most
 * every few seconds. Each object has a burst of 25 new events and one more every 12 s. Events
 * beyond that, or beyond the queue of a slow server, are dropped and counted.
 *
 * <p>Events yield to writes, because writes make volumes available: an event is sent when no write
 * is running, or after a second. It carries the time at which it was emitted. A process that is
 * killed may lose the events of its last second.
 */
public final class EventRecorder implements EventSink {
  private static final System.Logger LOG = System.getLogger(EventRecorder.class.getName());
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Kind<Resource> EVENT_KIND =
      new Kind<>("events.k8s.io", "v1", "events", "Event", true, Resource.class);
  private static final int QUEUE_SIZE = 8192;
  private static final int MAX_CACHED_ENTRIES = 4096;
  private static final int BURST = 25;
  private static final long REFILL_NANOS = Duration.ofSeconds(12).toNanos();
  private static final long SERIES_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int MAX_INSTANCE_LENGTH = 128;
  private static final long WARNING_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private static final long MAX_YIELD_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long STOP_CHECK_NANOS = Duration.ofMillis(100).toNanos();

  private record QueuedEvent(
      ClusterEvent event, Runnable onLost, Instant wall, long emittedNanos) {}

  private record EventIdentity(
      ClusterEvent.Type type,
      String kind,
      Object uid,
      Object key,
      String reason,
      String note,
      String reporter) {}

  private static final class EventSeries {
    final ObjectKey event;
    int count = 1;
    long lastWrite;

    EventSeries(ObjectKey event, long now) {
      this.event = event;
      this.lastWrite = now;
    }
  }

  private static final class TokenBucket {
    double tokens = BURST;
    long refilledNanos;
  }

  private static final class RecentEntries<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    RecentEntries() {
      super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MAX_CACHED_ENTRIES;
    }
  }

  private final KubeCluster cluster;
  private final ConcurrencyWindow writes;
  private final Time time;
  private final String instance;
  private final BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(QUEUE_SIZE);
  private final Map<EventIdentity, EventSeries> series = new RecentEntries<>();
  private final Map<Object, TokenBucket> buckets = new RecentEntries<>();
  private final LongAdder droppedCount = new LongAdder();
  private final LongAdder writtenCount = new LongAdder();
  private volatile boolean isRunning = true;
  private final Thread thread;

  // guarded by dropped
  private long unreportedLosses;
  private long lastWarning;
  private boolean hasWarned;
  private String lastProblem = "";

  public EventRecorder(KubeCluster cluster, ConcurrencyWindow writes, Time time, String instance) {
    this.cluster = cluster;
    this.writes = writes;
    this.time = time;
    this.instance = instance.isEmpty() ? "mooring" : instance;
    this.thread = VitalThreads.start("events", () -> !isRunning, this::runUntilStopped);
  }

  @Override
  public void emit(ClusterEvent event) {
    emit(event, () -> {});
  }

  @Override
  public void emit(ClusterEvent event, Runnable onLost) {
    QueuedEvent queued = new QueuedEvent(event, onLost, time.now(), time.nanos());
    if (!queue.offer(() -> send(queued))) {
      dropEvent(queued, QUEUE_SIZE + " events are already queued");
    }
  }

  private void dropEvent(QueuedEvent queued, String problem) {
    droppedCount.increment();
    synchronized (droppedCount) {
      unreportedLosses++;
      lastProblem = problem;
    }
    LOG.log(Level.DEBUG, message(queued.event()).with(LogMessage.ERR, problem));
    queued.onLost().run();
  }

  private static LogMessage message(ClusterEvent event) {
    return LogMessage.of("event lost")
        .with("kind", event.kind())
        .with("object", event.subject().key())
        .with(LogMessage.REASON, event.reason());
  }

  // Logs at most once a minute, because failures of events come by the thousand.
  private void logLosses() {
    String line;
    synchronized (droppedCount) {
      long now = time.nanos();
      if (unreportedLosses == 0 || (hasWarned && now - lastWarning < WARNING_INTERVAL_NANOS)) {
        return;
      }
      line = unreportedLosses + " events lost; the last one: " + lastProblem;
      unreportedLosses = 0;
      lastWarning = now;
      hasWarned = true;
    }
    LOG.log(Level.WARNING, line);
  }

  public long dropped() {
    return droppedCount.sum();
  }

  public long written() {
    return writtenCount.sum();
  }

  private void runUntilStopped() {
    while (isRunning || !queue.isEmpty()) {
      try {
        Runnable next = queue.poll(200, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.run();
        }
        logLosses();
      } catch (InterruptedException interrupted) {
        if (!isRunning) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private void send(QueuedEvent queued) {
    yieldToWrites(queued);
    recordOrDrop(queued);
  }

  private void yieldToWrites(QueuedEvent queued) {
    try {
      while (isRunning
          && time.nanos() - queued.emittedNanos() < MAX_YIELD_NANOS
          && !writes.awaitIdle(STOP_CHECK_NANOS)) {}
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt(); // this event is still sent, or lost and counted
    }
  }

  // Isolates failures: one event must not stop the thread.
  private void recordOrDrop(QueuedEvent queued) {
    try {
      record(queued);
    } catch (RuntimeException bug) {
      LOG.log(Level.WARNING, message(queued.event()).withCause(bug));
      dropEvent(queued, bug.toString());
    }
  }

  private void record(QueuedEvent queued) {
    ClusterEvent event = queued.event();
    String note = EventLimits.truncateNote(event.note());
    EventIdentity identity =
        new EventIdentity(
            event.type(),
            event.kind().kind(),
            event.subject().uid(),
            event.subject().key(),
            event.reason(),
            note,
            event.reporter());
    EventSeries existing = series.get(identity);
    long now = time.nanos();
    if (existing != null && updateSeries(existing, queued, now)) {
      return;
    }
    series.remove(identity);
    if (!takeToken(event.subject().key(), now)) {
      dropEvent(queued, "too many events about " + event.subject().key());
      return;
    }
    create(queued, note, identity, now);
  }

  /** Returns false if the series' Event no longer exists on the server. */
  private boolean updateSeries(EventSeries existing, QueuedEvent queued, long now) {
    existing.count++;
    if (now - existing.lastWrite < SERIES_INTERVAL_NANOS) {
      return true;
    }
    existing.lastWrite = now;
    int code =
        cluster.post(
            "PATCH",
            () -> ApiPath.ofObject(EVENT_KIND, existing.event),
            "application/merge-patch+json",
            Map.of(
                "series",
                Map.of("count", existing.count, "lastObservedTime", MICROS.format(queued.wall()))));
    if (code == 404) {
      return false;
    }
    recordResponse(queued, code);
    return true;
  }

  private String makeInstanceName(String reporter) {
    String name = reporter + "-" + instance;
    return name.length() <= MAX_INSTANCE_LENGTH ? name : name.substring(0, MAX_INSTANCE_LENGTH);
  }

  private boolean takeToken(Object key, long now) {
    TokenBucket bucket = buckets.computeIfAbsent(key, k -> new TokenBucket());
    if (bucket.refilledNanos != 0) {
      bucket.tokens =
          Math.min(BURST, bucket.tokens + (now - bucket.refilledNanos) / (double) REFILL_NANOS);
    }
    bucket.refilledNanos = now;
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens--;
    return true;
  }

  private void create(QueuedEvent queued, String note, EventIdentity identity, long now) {
    ClusterEvent event = queued.event();
    Instant wall = time.now();
    String namespace =
        event.subject().key().namespace().isEmpty() ? "default" : event.subject().key().namespace();
    String name =
        EventLimits.makeName(
            event.subject().name(),
            wall.getEpochSecond() * 1_000_000_000L + wall.getNano() + (writtenCount.sum() & 0x3ff));
    Map<String, Object> regarding = new LinkedHashMap<>();
    regarding.put("apiVersion", event.kind().apiVersion());
    regarding.put("kind", event.kind().kind());
    regarding.put("name", event.subject().name());
    if (!event.subject().key().namespace().isEmpty()) {
      regarding.put("namespace", event.subject().key().namespace());
    }
    regarding.put("uid", event.subject().uid().toString());
    regarding.put("resourceVersion", Long.toString(event.subject().resourceVersion()));
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("apiVersion", "events.k8s.io/v1");
    body.put("kind", "Event");
    body.put("metadata", Map.of("name", name, "namespace", namespace));
    body.put("eventTime", MICROS.format(queued.wall()));
    body.put("reportingController", event.reporter());
    body.put("reportingInstance", makeInstanceName(event.reporter()));
    body.put("action", event.action());
    body.put("reason", event.reason());
    body.put("regarding", regarding);
    body.put("note", note);
    body.put("type", event.type().toString());
    int code =
        cluster.post(
            "POST", () -> ApiPath.ofCollection(EVENT_KIND, namespace), "application/json", body);
    recordResponse(queued, code);
    if (code >= 200 && code < 300) {
      series.put(identity, new EventSeries(ObjectKey.of(namespace, name), now));
    }
  }

  private void recordResponse(QueuedEvent queued, int code) {
    if (code >= 200 && code < 300) {
      writtenCount.increment();
    } else {
      dropEvent(queued, code < 0 ? "no answer" : "the server answered " + code);
    }
  }

  public void stop() throws InterruptedException {
    isRunning = false;
    queue.offer(() -> {}); // wakes the thread
    if (!thread.join(Duration.ofSeconds(3))) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(1));
    }
  }
}
