package dev.mooring.kube;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
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
  private static final Kind<Resource> EVENT =
      new Kind<>("events.k8s.io", "v1", "events", "Event", true, Resource.class);
  private static final int QUEUE_SIZE = 8192;
  private static final int REMEMBERED = 4096;
  private static final int BURST = 25;
  private static final long REFILL_NANOS = Duration.ofSeconds(12).toNanos();
  private static final long SERIES_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int MAX_INSTANCE_LENGTH = 128;
  private static final long WARNING_INTERVAL = Duration.ofMinutes(1).toNanos();

  private static final long MAX_YIELD_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long STOP_CHECK_NANOS = Duration.ofMillis(100).toNanos();

  private record QueuedEvent(ClusterEvent event, Runnable lost, Instant wall, long at) {}

  private record Identity(
      ClusterEvent.Type type,
      String kind,
      Object uid,
      Object key,
      String reason,
      String note,
      String reporter) {}

  private static final class Series {
    final ObjectKey event;
    int count = 1;
    long lastWrite;

    Series(ObjectKey event, long now) {
      this.event = event;
      this.lastWrite = now;
    }
  }

  private static final class Bucket {
    double tokens = BURST;
    long at;
  }

  private static final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > REMEMBERED;
    }
  }

  private final KubeCluster cluster;
  private final ConcurrencyWindow writes;
  private final Time time;
  private final String instance;
  private final BlockingQueue<QueuedEvent> queue = new ArrayBlockingQueue<>(QUEUE_SIZE);
  private final Map<Identity, Series> series = new Recent<>();
  private final Map<Object, Bucket> buckets = new Recent<>();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder written = new LongAdder();
  private volatile boolean running = true;
  private final Thread thread;

  // guarded by dropped
  private long unreported;
  private long lastWarning;
  private boolean warned;
  private String lastProblem = "";

  public EventRecorder(KubeCluster cluster, ConcurrencyWindow writes, Time time, String instance) {
    this.cluster = cluster;
    this.writes = writes;
    this.time = time;
    this.instance = instance.isEmpty() ? "mooring" : instance;
    this.thread = VitalThreads.start("events", () -> !running, this::loop);
  }

  @Override
  public void emit(ClusterEvent event) {
    emit(event, () -> {});
  }

  @Override
  public void emit(ClusterEvent event, Runnable lost) {
    QueuedEvent queued = new QueuedEvent(event, lost, time.now(), time.nanos());
    if (!queue.offer(queued)) {
      lose(queued, QUEUE_SIZE + " events are already queued");
    }
  }

  private void lose(QueuedEvent queued, String problem) {
    dropped.increment();
    synchronized (dropped) {
      unreported++;
      lastProblem = problem;
    }
    LOG.log(Level.DEBUG, () -> "event lost: " + problem + ": " + queued.event());
    queued.lost().run();
  }

  // Logs at most once a minute, because failures of events come by the thousand.
  private void warn() {
    String line;
    synchronized (dropped) {
      long now = time.nanos();
      if (unreported == 0 || (warned && now - lastWarning < WARNING_INTERVAL)) {
        return;
      }
      line = unreported + " events lost; the last one: " + lastProblem;
      unreported = 0;
      lastWarning = now;
      warned = true;
    }
    LOG.log(Level.WARNING, line);
  }

  public long dropped() {
    return dropped.sum();
  }

  public long written() {
    return written.sum();
  }

  private void loop() {
    while (running || !queue.isEmpty()) {
      try {
        QueuedEvent queued = queue.poll(200, TimeUnit.MILLISECONDS);
        if (queued != null) {
          yieldToWrites(queued);
          recordOrLose(queued);
        }
        warn();
      } catch (InterruptedException interrupted) {
        if (!running) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private void yieldToWrites(QueuedEvent queued) {
    try {
      while (running
          && time.nanos() - queued.at() < MAX_YIELD_NANOS
          && !writes.awaitNone(STOP_CHECK_NANOS)) {}
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt(); // this event is still sent, or lost and counted
    }
  }

  // Isolates failures: one event must not stop the thread.
  private void recordOrLose(QueuedEvent queued) {
    try {
      record(queued);
    } catch (RuntimeException bug) {
      LOG.log(Level.WARNING, () -> "event lost: " + queued.event().reason(), bug);
      lose(queued, bug.toString());
    }
  }

  private void record(QueuedEvent queued) {
    ClusterEvent event = queued.event();
    String note = EventLimits.cut(event.note());
    Identity identity =
        new Identity(
            event.type(),
            event.kind().kind(),
            event.about().uid(),
            event.about().key(),
            event.reason(),
            note,
            event.reporter());
    Series known = series.get(identity);
    long now = time.nanos();
    if (known != null) {
      known.count++;
      if (now - known.lastWrite < SERIES_NANOS) {
        return;
      }
      known.lastWrite = now;
      int code =
          cluster.post(
              "PATCH",
              () -> ApiPath.object(EVENT, known.event),
              "application/merge-patch+json",
              Map.of(
                  "series",
                  Map.of("count", known.count, "lastObservedTime", MICROS.format(queued.wall()))));
      if (code != 404) {
        count(queued, code);
        return;
      }
      series.remove(identity);
    }
    if (!takeToken(event.about().key(), now)) {
      lose(queued, "too many events about " + event.about().key());
      return;
    }
    create(queued, note, identity, now);
  }

  private String instanceOf(String reporter) {
    String name = reporter + "-" + instance;
    return name.length() <= MAX_INSTANCE_LENGTH ? name : name.substring(0, MAX_INSTANCE_LENGTH);
  }

  private boolean takeToken(Object key, long now) {
    Bucket bucket = buckets.computeIfAbsent(key, k -> new Bucket());
    if (bucket.at != 0) {
      bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.at) / (double) REFILL_NANOS);
    }
    bucket.at = now;
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens--;
    return true;
  }

  private void create(QueuedEvent queued, String note, Identity identity, long now) {
    ClusterEvent event = queued.event();
    Instant wall = time.now();
    String namespace =
        event.about().key().namespace().isEmpty() ? "default" : event.about().key().namespace();
    String name =
        EventLimits.name(
            event.about().name(),
            wall.getEpochSecond() * 1_000_000_000L + wall.getNano() + (written.sum() & 0x3ff));
    Map<String, Object> regarding = new LinkedHashMap<>();
    regarding.put("apiVersion", event.kind().apiVersion());
    regarding.put("kind", event.kind().kind());
    regarding.put("name", event.about().name());
    if (!event.about().key().namespace().isEmpty()) {
      regarding.put("namespace", event.about().key().namespace());
    }
    regarding.put("uid", event.about().uid().toString());
    regarding.put("resourceVersion", Long.toString(event.about().resourceVersion()));
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("apiVersion", "events.k8s.io/v1");
    body.put("kind", "Event");
    body.put("metadata", Map.of("name", name, "namespace", namespace));
    body.put("eventTime", MICROS.format(queued.wall()));
    body.put("reportingController", event.reporter());
    body.put("reportingInstance", instanceOf(event.reporter()));
    body.put("action", event.action());
    body.put("reason", event.reason());
    body.put("regarding", regarding);
    body.put("note", note);
    body.put("type", event.type().toString());
    int code =
        cluster.post("POST", () -> ApiPath.collection(EVENT, namespace), "application/json", body);
    count(queued, code);
    if (code >= 200 && code < 300) {
      series.put(identity, new Series(ObjectKey.of(namespace, name), now));
    }
  }

  private void count(QueuedEvent queued, int code) {
    if (code >= 200 && code < 300) {
      written.increment();
    } else {
      lose(queued, code < 0 ? "no answer" : "the server answered " + code);
    }
  }

  public void stop() throws InterruptedException {
    running = false;
    if (!thread.join(Duration.ofSeconds(3))) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(1));
    }
  }
}
