package dev.mooring.kube;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.kube.wire.DeletionStatus;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import dev.mooring.workqueue.ReconcileContext;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes and live reads over HTTP. Thread-safe.
 *
 * <p>Responses are applied to the informers before a call returns. A 429 of the server's priority
 * and fairness makes every write wait. All other refusals are returned; a refusal with a delay (a
 * webhook's 429) also delays further writes to that object. A response about another object than
 * the requested one is treated as no response.
 */
public final class KubeCluster implements ClusterWriter, LiveReader {
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String JSON = "application/json";

  public static final BooleanSupplier ALWAYS = () -> true;

  private final KubeConnection connection;
  private final Time time;
  private final ConcurrencyWindow window;
  private final RateCap rateCap;
  private final InformerUpdates informerUpdates;
  private final KubeReader reader;
  private final BooleanSupplier gate;
  private final RequestThrottle throttle;
  private final LongAdder writes = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  /**
   * Limits of reads and writes.
   *
   * @param reads number of concurrent reads of objects
   * @param window number of concurrent writes
   * @param cap writes per second
   * @param gate checked before every write; while it returns false, writes are not sent and return
   *     {@link WriteResult.Unreachable}
   */
  public record Limits(
      ConcurrencyWindow reads, ConcurrencyWindow window, RateCap cap, BooleanSupplier gate) {
    public static Limits none(Time time) {
      return new Limits(
          new ConcurrencyWindow(time), new ConcurrencyWindow(time), RateCap.NONE, ALWAYS);
    }
  }

  public KubeCluster(
      KubeConnection connection, Time time, Limits limits, SharedInformers informers) {
    this(connection, time, limits, informers, new RequestThrottle(time));
  }

  private KubeCluster(
      KubeConnection connection,
      Time time,
      Limits limits,
      SharedInformers informers,
      RequestThrottle throttle) {
    this.throttle = throttle;
    this.reader = new KubeReader(connection, limits.reads(), time);
    this.informerUpdates = new InformerUpdates(informers);
    this.gate = limits.gate();
    this.connection = connection;
    this.time = time;
    this.window = limits.window();
    this.rateCap = limits.cap();
  }

  /** Creates a cluster for a process without controllers: no gate, no cap, a separate window. */
  public static KubeCluster alone(KubeConnection connection, Time time) {
    return new KubeCluster(connection, time, Limits.none(time), new SharedInformers());
  }

  /**
   * Creates a cluster for a leader election, which has its own retry period: no gate, no cap, and
   * no waiting when the server throttles.
   *
   * @param maxCall maximum duration of a call that starts now, including the time to obtain
   *     credentials
   */
  public static KubeCluster impatient(
      KubeConnection connection, Supplier<Duration> maxCall, Time time) {
    return new KubeCluster(
        connection.within(maxCall),
        time,
        Limits.none(time),
        new SharedInformers(),
        RequestThrottle.withoutRetries(time));
  }

  public long writes() {
    return writes.sum();
  }

  public long conflicts() {
    return conflicts.sum();
  }

  private static <T extends Resource> WriteRequest.BodyReader<T> makeBodyReader(Kind<T> kind) {
    return (in, protobuf) -> Optional.of(BodyDecoder.decodeObject(kind, in, protobuf));
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException {
    return patch(kind, key, patch, makeBodyReader(kind));
  }

  @Override
  public <T extends Resource> WrittenObject<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    AtomicReference<@Nullable T> decoded = new AtomicReference<>();
    WriteResult<T> result =
        patch(
            kind,
            key,
            patch,
            (in, protobuf) ->
                Optional.of(BodyDecoder.decodeObject(kind, in, protobuf, decoded::set)));
    return new WrittenObject<>(
        result, result.toOptional().flatMap(now -> Optional.ofNullable(decoded.get())));
  }

  private <T extends Resource> WriteResult<T> patch(
      Kind<T> kind, ObjectKey key, Document patch, WriteRequest.BodyReader<T> reader)
      throws InterruptedException {
    byte[] body = JsonBody.of(patch.members());
    return informerUpdates.apply(
        kind,
        write(
            kind,
            key,
            new WriteRequest<>("PATCH", ApiPath::ofObject, MERGE_PATCH, body, reader),
            patch.version()));
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    byte[] body = JsonBody.of(patch.members());
    return informerUpdates.apply(
        kind,
        write(
            kind,
            key,
            new WriteRequest<>("PATCH", ApiPath::ofStatus, MERGE_PATCH, body, makeBodyReader(kind)),
            patch.version()));
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("apiVersion", kind.apiVersion());
    members.put("kind", kind.kind());
    members.putAll(object.set(key.name(), "metadata", "name").members());
    byte[] body = JsonBody.of(members);
    WriteRequest<T> request =
        new WriteRequest<>("POST", ApiPath::ofCreation, JSON, body, makeBodyReader(kind));
    return informerUpdates.apply(kind, write(kind, key, request, 0));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) throws InterruptedException {
    byte[] body =
        JsonBody.of(
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
    WriteRequest.BodyReader<T> reader =
        (in, protobuf) -> BodyDecoder.decodeDeleted(kind, expected, in, protobuf);
    WriteResult<T> result =
        write(
            kind,
            key,
            new WriteRequest<>("DELETE", ApiPath::ofObject, JSON, body, reader),
            version);
    if (result instanceof WriteResult.Written<T>(T lastState)
        && lastState.meta().isBeingDeleted()) {
      return informerUpdates.apply(kind, result);
    }
    if (result instanceof WriteResult.Written<T> || result instanceof WriteResult.Gone<T>) {
      informerUpdates.remove(kind, key, uid);
      return new WriteResult.Gone<>();
    }
    return result;
  }

  private <T extends Resource> WriteResult<T> write(
      Kind<T> kind, ObjectKey key, WriteRequest<T> request, long version)
      throws InterruptedException {
    ApiPath path;
    try {
      path = request.path().makePath(kind, key);
    } catch (ImpossibleNameException e) {
      return new WriteResult.Rejected<>(400, e.flaw() + " (nothing was sent)");
    }
    Duration delay = throttle.getDelay(kind, key);
    if (delay.isPositive()) {
      return makeDelayedResult(kind, key, delay);
    }
    ReconcileContext.ReconcileListener listener = ReconcileContext.current();
    if (listener != null) {
      listener.requestStarting();
    }
    boolean mayBecomeStale = version > 0 && !informerUpdates.hasLaterVersion(kind, key, version);
    for (int attempt = 1; ; attempt++) {
      rateCap.take();
      window.enter(listener != null && listener.completesStartedWork());
      if (!gate.getAsBoolean()) {
        window.withdraw();
        return new WriteResult.Unreachable<>("this replica is not the leader: nothing was sent");
      }
      if (mayBecomeStale && informerUpdates.hasLaterVersion(kind, key, version)) {
        // became stale while it waited, usually by our own write; the server would reject it
        window.withdraw();
        conflicts.increment();
        return new WriteResult.Conflict<>(
            "the object has changed since " + version + ": nothing was sent");
      }
      Optional<WriteResult<T>> result = send(kind, key, request, path);
      if (result.isPresent()) {
        recordWrite(request, path, result.get());
        return result.get();
      }
      if (!throttle.canRetry(attempt)) {
        return new WriteResult.Unreachable<>(
            "the server is overloaded: it answered 429 to " + attempt + " attempts");
      }
    }
  }

  private static <T extends Resource> WriteResult<T> makeDelayedResult(
      Kind<T> kind, ObjectKey key, Duration delay) {
    return new WriteResult.Unreachable<>(
        "the server requested a delay for %s %s: nothing is sent for %s ms"
            .formatted(kind, key, delay.toMillis()));
  }

  private static void recordWrite(WriteRequest<?> request, ApiPath path, WriteResult<?> result) {
    ReconcileContext.ReconcileListener listener = ReconcileContext.current();
    if (listener != null && !(result instanceof WriteResult.Unreachable<?>)) {
      listener.requestAnswered(true, request.method() + " " + path, request.hashContent());
    }
  }

  // Sends the write once. Returns empty if the server as a whole is overloaded.
  private <T extends Resource> Optional<WriteResult<T>> send(
      Kind<T> kind, ObjectKey key, WriteRequest<T> request, ApiPath path)
      throws InterruptedException {
    long startNanos = time.nanos();
    writes.increment();
    try (ApiResponse response =
        connection.send(
            request.method(),
            path,
            Map.of("fieldManager", "mooring"),
            request.contentType(),
            request.body())) {
      boolean isProtobuf = ApiResponses.isProtobuf(response);
      try (InputStream in = response.body()) {
        if (response.isSuccessful()) {
          return Optional.of(
              request
                  .reader()
                  .readObject(in, isProtobuf)
                  .map(now -> confirmWrite(kind, key, now))
                  .orElseGet(WriteResult.Gone::new));
        }
        BodyDecoder.Status status = ApiResponses.readStatus(response, in, isProtobuf);
        if (ApiResponses.isServerOverloaded(response)) {
          if (throttle.canRetry(1)) {
            window.pauseWrites(status.getRetryDelay());
          }
          return Optional.empty();
        }
        throttle.recordRefusal(kind, key, status);
        return Optional.of(toRefusal(status));
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return Optional.of(makeNoResponse(request, path, e));
    } finally {
      window.leave(time.nanos() - startNanos);
    }
  }

  private <T extends Resource> WriteResult<T> makeNoResponse(
      WriteRequest<T> request, ApiPath path, IOException failure) {
    return new WriteResult.Unreachable<>(
        "no answer from "
            + connection.address()
            + " to "
            + request.method()
            + " "
            + path
            + ": "
            + KubeConnection.describeRootCause(failure));
  }

  // Rejects a response about another object: it does not confirm this write.
  private static <T extends Resource> WriteResult<T> confirmWrite(
      Kind<T> kind, ObjectKey key, T object) {
    return object.meta().key().equals(key)
        ? new WriteResult.Written<>(object)
        : new WriteResult.Unreachable<>(
            KubeReader.describeWrongObject(kind, key, object.meta().key()));
  }

  private <T extends Resource> WriteResult<T> toRefusal(BodyDecoder.Status status) {
    WriteResult<T> refusal = ApiResponses.toWriteResult(status);
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
  public Duration clockAhead() {
    return reader.clockAhead();
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

  ReadResult<Map<String, Object>> readMembers(
      KubeReader.PathSource source, Map<String, String> query) throws InterruptedException {
    return reader.readMembers(source, query);
  }

  int post(
      String method, KubeReader.PathSource source, String contentType, Map<String, ?> members) {
    try (ApiResponse response =
        connection
            .unlimited()
            .send(method, source.path(), Map.of(), contentType, JsonBody.of(members))) {
      return response.code();
    } catch (IOException | ImpossibleNameException e) {
      return -1;
    }
  }
}
