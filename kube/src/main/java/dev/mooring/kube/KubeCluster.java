package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteAndRead;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.wire.Bodies;
import dev.mooring.kube.wire.DeletionStatus;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import dev.mooring.workqueue.OwnDoing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Writes and live reads over HTTP. Answers go into the informers before a call returns. When the
 * server as a whole has too much to do (a 429 of its priority and fairness) every write waits;
 * everything else comes back as a result, and a refusal that asks for patience with one object
 * keeps the writes to that object back. An answer about another object than the one asked for is
 * none. Thread-safe.
 */
public final class KubeCluster implements ClusterWriter, LiveReader {
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String JSON = "application/json";

  public static final BooleanSupplier ALWAYS = () -> true;

  private final KubeConnection connection;
  private final Time time;
  private final ConcurrencyWindow window;
  private final RateCap cap;
  private final Caches caches;
  private final Gson gson = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
  private final KubeReader reader;
  private final BooleanSupplier gate;
  private final Throttling throttling;
  private final LongAdder writes = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  /**
   * What holds writes back.
   *
   * @param window how many are under way at once
   * @param cap how many there are in a second
   * @param gate asked before every write; while it says no, writes come back as {@link
   *     WriteResult.Unreachable} and nothing is sent
   */
  public record Limits(ConcurrencyWindow window, RateCap cap, BooleanSupplier gate) {
    /** No gate, no cap, and a window of its own. */
    public static Limits none(Time time) {
      return new Limits(new ConcurrencyWindow(time), RateCap.NONE, ALWAYS);
    }
  }

  /**
   * Over that connection, within these limits.
   *
   * @param informers are told of every write of their kinds
   */
  public KubeCluster(
      KubeConnection connection, Time time, Limits limits, SharedInformers informers) {
    this(connection, time, limits, informers, new Throttling(time));
  }

  private KubeCluster(
      KubeConnection connection,
      Time time,
      Limits limits,
      SharedInformers informers,
      Throttling throttling) {
    this.throttling = throttling;
    this.reader = new KubeReader(connection);
    this.caches = new Caches(informers);
    this.gate = limits.gate();
    this.connection = connection;
    this.time = time;
    this.window = limits.window();
    this.cap = limits.cap();
  }

  /** For whoever runs no controllers: no gate, no cap, and a window of its own. */
  public static KubeCluster alone(KubeConnection connection, Time time) {
    return new KubeCluster(connection, time, Limits.none(time), new SharedInformers());
  }

  /**
   * For an election, which has a rhythm of its own: no gate, no cap, and a write that the server
   * refuses for now comes back at once, whatever patience it asks for.
   *
   * @param longest how long a call that begins now may take, with whatever credentials it needs
   */
  public static KubeCluster impatient(
      KubeConnection connection, Supplier<Duration> longest, Time time) {
    return new KubeCluster(
        connection.within(longest),
        time,
        Limits.none(time),
        new SharedInformers(),
        Throttling.none(time));
  }

  public long writes() {
    return writes.sum();
  }

  /** Writes that lost against another writer. */
  public long conflicts() {
    return conflicts.sum();
  }

  private static <T extends Resource> Sending.Reading<T> reading(Kind<T> kind) {
    return (in, protobuf) -> Optional.of(Bodies.object(kind, in, protobuf));
  }

  private byte[] bytes(Map<String, ?> members) {
    return gson.toJson(members).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException {
    return patch(kind, key, patch, reading(kind));
  }

  @Override
  public <T extends Resource> WriteAndRead<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    AtomicReference<@Nullable T> read = new AtomicReference<>();
    WriteResult<T> result =
        patch(
            kind,
            key,
            patch,
            (in, protobuf) -> Optional.of(Bodies.object(kind, in, protobuf, read::set)));
    return new WriteAndRead<>(
        result, result.written().flatMap(now -> Optional.ofNullable(read.get())));
  }

  private <T extends Resource> WriteResult<T> patch(
      Kind<T> kind, ObjectKey key, Document patch, Sending.Reading<T> reading)
      throws InterruptedException {
    byte[] body = bytes(patch.members());
    return caches.told(
        kind,
        write(
            kind,
            key,
            new Sending<>("PATCH", ApiPath::object, MERGE_PATCH, body, reading),
            patch.version()));
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    byte[] body = bytes(patch.members());
    return caches.told(
        kind,
        write(
            kind,
            key,
            new Sending<>("PATCH", ApiPath::status, MERGE_PATCH, body, reading(kind)),
            patch.version()));
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("apiVersion", kind.apiVersion());
    members.put("kind", kind.kind());
    members.putAll(object.set(key.name(), "metadata", "name").members());
    byte[] body = bytes(members);
    Sending<T> sending = new Sending<>("POST", ApiPath::collectionFor, JSON, body, reading(kind));
    return caches.told(kind, write(kind, key, sending, 0));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) throws InterruptedException {
    byte[] body =
        bytes(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "DeleteOptions",
                "preconditions",
                version == 0
                    ? Map.of("uid", uid.toString())
                    : Map.of("uid", uid.toString(), "resourceVersion", Long.toString(version))));
    DeletionStatus expected = new DeletionStatus(key.name(), uid.toString(), true);
    Sending.Reading<T> reading = (in, protobuf) -> Bodies.deleted(kind, expected, in, protobuf);
    WriteResult<T> result =
        write(kind, key, new Sending<>("DELETE", ApiPath::object, JSON, body, reading), version);
    if (result instanceof WriteResult.Written<T>(T last) && last.meta().isBeingDeleted()) {
      return caches.told(kind, result);
    }
    if (result instanceof WriteResult.Written<T> || result instanceof WriteResult.Gone<T>) {
      caches.deleted(kind, key, uid);
      return new WriteResult.Gone<>();
    }
    return result;
  }

  private <T extends Resource> WriteResult<T> write(
      Kind<T> kind, ObjectKey key, Sending<T> sending, long version) throws InterruptedException {
    ApiPath path;
    try {
      path = sending.place().of(kind, key);
    } catch (ImpossibleNameException e) {
      return new WriteResult.Rejected<>(400, e.flaw() + " (nothing was sent)");
    }
    Duration asked = throttling.pauseOf(kind, key);
    if (asked.isPositive()) {
      return patience(kind, key, asked);
    }
    OwnDoing.Activity activity = OwnDoing.current();
    if (activity != null) {
      activity.asks();
    }
    boolean maybeOvertaken = version > 0 && !caches.knowLater(kind, key, version);
    for (int attempt = 1; ; attempt++) {
      cap.take();
      window.enter(activity != null && activity.goesFirst());
      if (!gate.getAsBoolean()) {
        window.withdraw();
        return new WriteResult.Unreachable<>(
            "this replica does not lead (any more): nothing was sent");
      }
      if (maybeOvertaken && caches.knowLater(kind, key, version)) {
        // while it waited for room, mostly by our own: the server would refuse it
        window.withdraw();
        conflicts.increment();
        return new WriteResult.Conflict<>("it has changed since " + version + ": nothing was sent");
      }
      Optional<WriteResult<T>> result = sent(kind, key, sending, path);
      if (result.isPresent()) {
        noteWrite(sending, path, result.get());
        return result.get();
      }
      if (!throttling.mayTryAgain(attempt)) {
        return new WriteResult.Unreachable<>(
            "the server has too much to do: it answered 429 to " + attempt + " tries");
      }
    }
  }

  private static <T extends Resource> WriteResult<T> patience(
      Kind<T> kind, ObjectKey key, Duration asked) {
    return new WriteResult.Unreachable<>(
        "the server asked for patience with "
            + kind
            + " "
            + key
            + ": nothing is sent for another "
            + asked.toMillis()
            + " ms");
  }

  private static void noteWrite(Sending<?> sending, ApiPath path, WriteResult<?> result) {
    OwnDoing.Activity activity = OwnDoing.current();
    if (activity != null && !(result instanceof WriteResult.Unreachable<?>)) {
      activity.acted(true, sending.method() + " " + path, sending.digest());
    }
  }

  /** Empty if the server as a whole asked for patience. */
  private <T extends Resource> Optional<WriteResult<T>> sent(
      Kind<T> kind, ObjectKey key, Sending<T> sending, ApiPath path) throws InterruptedException {
    long began = time.nanos();
    writes.increment();
    try (Response answer =
        connection.send(
            sending.method(),
            path,
            Map.of("fieldManager", "mooring"),
            sending.contentType(),
            sending.body())) {
      boolean protobuf = Answers.isProtobuf(answer);
      try (InputStream in = answer.body().byteStream()) {
        if (answer.isSuccessful()) {
          return Optional.of(
              sending
                  .reading()
                  .of(in, protobuf)
                  .map(now -> written(kind, key, now))
                  .orElseGet(WriteResult.Gone::new));
        }
        Bodies.Status status = Answers.status(answer, in, protobuf);
        if (Answers.isOfTheWholeServer(answer)) {
          window.throttled(status.patience());
          return Optional.empty();
        }
        throttling.refused(kind, key, status);
        return Optional.of(refused(status));
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return Optional.of(noAnswer(sending, path, e));
    } finally {
      window.leave(time.nanos() - began);
    }
  }

  private <T extends Resource> WriteResult<T> noAnswer(
      Sending<T> sending, ApiPath path, IOException why) {
    return new WriteResult.Unreachable<>(
        "no answer from "
            + connection.address()
            + " to "
            + sending.method()
            + " "
            + path
            + ": "
            + KubeConnection.reason(why));
  }

  /** An answer about something else than what was written says nothing about that. */
  private static <T extends Resource> WriteResult<T> written(
      Kind<T> kind, ObjectKey key, T answer) {
    return answer.meta().key().equals(key)
        ? new WriteResult.Written<>(answer)
        : new WriteResult.Unreachable<>(KubeReader.ofAnother(kind, key, answer.meta().key()));
  }

  private <T extends Resource> WriteResult<T> refused(Bodies.Status status) {
    WriteResult<T> refusal = Answers.refusal(status);
    if (refusal instanceof WriteResult.Conflict<T>) {
      conflicts.increment();
    }
    return refusal;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return reader.read(kind, key);
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    return reader.readWhole(kind, key);
  }

  @Override
  public boolean isForbidden(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return reader.isForbidden(kind, key);
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    return reader.list(kind, namespace);
  }

  /** Whatever is there, with every member that it has. */
  ReadResult<Map<String, Object>> members(KubeReader.Source source, Map<String, String> query)
      throws InterruptedException {
    return reader.members(source, query);
  }

  /**
   * Sends a body that no informer cares about; the answer's status code, or -1 without an answer.
   */
  int post(String method, KubeReader.Source source, String contentType, Map<String, ?> members) {
    try (Response answer =
        connection.unlimited().send(method, source.path(), Map.of(), contentType, bytes(members))) {
      return answer.code();
    } catch (IOException | ImpossibleNameException e) {
      return -1;
    }
  }
}
