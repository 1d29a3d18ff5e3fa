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
 * Writes events as events.k8s.io/v1: a first occurrence creates an Event, repeats raise its series
 * (at most every few seconds, counted in between). Per object 25 at once and one more every 12 s;
 * beyond that, and when the server is slower than we talk, events are dropped and counted. What
 * brings a volume to where it is waited for goes first: an event is sent when no write is under
 * way, or after a second; it bears the time when it was told. What a process that is halted has
 * told in its last second may be missing for that. One thread of its own; {@link #tell} never
 * blocks.
 */
public final class EventRecorder implements EventSink {
  private static final System.Logger LOG = System.getLogger(EventRecorder.class.getName());
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Kind<Resource> EVENT =
      new Kind<>("events.k8s.io", "v1", "events", "Event", true, Resource.class);
  private static final int BACKLOG = 8192;
  private static final int REMEMBERED = 4096;
  private static final int BURST = 25;
  private static final long REFILL_NANOS = Duration.ofSeconds(12).toNanos();
  private static final long SERIES_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int LONGEST_INSTANCE = 128;
  private static final long BETWEEN_WARNINGS = Duration.ofMinutes(1).toNanos();

  /** For how long an event lets writes go before it. */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

  /** It is looked that often whether it is to end. */
  private static final long LOOK_EVERY_NANOS = Duration.ofMillis(100).toNanos();

  /**
   * An event.
   *
   * @param lost whom it concerns that it was lost
   * @param wall when it was told, for people
   * @param at the same, in {@link Time#nanos}
   */
  private record Entry(ClusterEvent event, Runnable lost, Instant wall, long at) {}

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
  private final BlockingQueue<Entry> backlog = new ArrayBlockingQueue<>(BACKLOG);
  private final Map<Identity, Series> series = new Recent<>();
  private final Map<Object, Bucket> buckets = new Recent<>();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder written = new LongAdder();
  private volatile boolean running = true;
  private final Thread thread;

  // guarded by dropped
  private long unwarned;
  private long lastWarning;
  private boolean warned;
  private String lastProblem = "";

  /**
   * A recorder that runs at once.
   *
   * @param cluster where to write
   * @param writes of the writes that go first
   * @param time the clock
   * @param instance this process's name, for reportingInstance
   */
  public EventRecorder(KubeCluster cluster, ConcurrencyWindow writes, Time time, String instance) {
    this.cluster = cluster;
    this.writes = writes;
    this.time = time;
    this.instance = instance.isEmpty() ? "mooring" : instance;
    this.thread = VitalThreads.start("events", () -> !running, this::loop);
  }

  @Override
  public void tell(ClusterEvent event) {
    tell(event, () -> {});
  }

  @Override
  public void tell(ClusterEvent event, Runnable lost) {
    Entry entry = new Entry(event, lost, time.now(), time.nanos());
    if (!backlog.offer(entry)) {
      lose(entry, BACKLOG + " are waiting already");
    }
  }

  private void lose(Entry entry, String problem) {
    dropped.increment();
    synchronized (dropped) {
      unwarned++;
      lastProblem = problem;
    }
    LOG.log(Level.DEBUG, () -> "an event was not written: " + problem + ": " + entry.event());
    entry.lost().run();
  }

  /** Once a minute at most: trouble with events comes by the thousand. */
  private void warn() {
    String line;
    synchronized (dropped) {
      long now = time.nanos();
      if (unwarned == 0 || (warned && now - lastWarning < BETWEEN_WARNINGS)) {
        return;
      }
      line = unwarned + " events were not written; the last one: " + lastProblem;
      unwarned = 0;
      lastWarning = now;
      warned = true;
    }
    LOG.log(Level.WARNING, line);
  }

  /** Events that were not written: too many, or refused. */
  public long dropped() {
    return dropped.sum();
  }

  /** Events that were written, repeats counted once per write. */
  public long written() {
    return written.sum();
  }

  private void loop() {
    while (running || !backlog.isEmpty()) {
      try {
        Entry entry = backlog.poll(200, TimeUnit.MILLISECONDS);
        if (entry != null) {
          giveWay(entry);
          recordOrLose(entry);
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

  private void giveWay(Entry entry) {
    try {
      while (running
          && time.nanos() - entry.at() < PATIENCE_NANOS
          && !writes.awaitNone(LOOK_EVERY_NANOS)) {}
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt(); // the event was taken: it is sent, or lost and counted
    }
  }

  /** One event that cannot be written costs no other. */
  private void recordOrLose(Entry entry) {
    try {
      record(entry);
    } catch (RuntimeException bug) {
      LOG.log(Level.WARNING, () -> "an event was not written: " + entry.event().reason(), bug);
      lose(entry, bug.toString());
    }
  }

  private void record(Entry entry) {
    ClusterEvent event = entry.event();
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
                  Map.of("count", known.count, "lastObservedTime", MICROS.format(entry.wall()))));
      if (code != 404) {
        count(entry, code);
        return;
      }
      series.remove(identity);
    }
    if (!allowed(event.about().key(), now)) {
      lose(entry, "too many about " + event.about().key());
      return;
    }
    create(entry, note, identity, now);
  }

  private String instanceOf(String reporter) {
    String name = reporter + "-" + instance;
    return name.length() <= LONGEST_INSTANCE ? name : name.substring(0, LONGEST_INSTANCE);
  }

  private boolean allowed(Object key, long now) {
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

  private void create(Entry entry, String note, Identity identity, long now) {
    ClusterEvent event = entry.event();
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
    body.put("eventTime", MICROS.format(entry.wall()));
    body.put("reportingController", event.reporter());
    body.put("reportingInstance", instanceOf(event.reporter()));
    body.put("action", event.action());
    body.put("reason", event.reason());
    body.put("regarding", regarding);
    body.put("note", note);
    body.put("type", event.type().toString());
    int code =
        cluster.post("POST", () -> ApiPath.collection(EVENT, namespace), "application/json", body);
    count(entry, code);
    if (code >= 200 && code < 300) {
      series.put(identity, new Series(ObjectKey.of(namespace, name), now));
    }
  }

  private void count(Entry entry, int code) {
    if (code >= 200 && code < 300) {
      written.increment();
    } else {
      lose(entry, code < 0 ? "no answer" : "the server answered " + code);
    }
  }

  /** Writes what is left, for a moment, and ends. */
  public void stop() throws InterruptedException {
    running = false;
    if (!thread.join(Duration.ofSeconds(3))) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(1));
    }
  }
}
