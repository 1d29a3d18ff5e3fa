package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.kube.wire.Bodies;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Writes and live reads over HTTP. Answers go into the informers before a call returns. Transient
 * refusals (429, and 503 with Retry-After) are waited out; everything else comes back as a result.
 * Thread-safe.
 */
public final class KubeCluster implements ClusterWriter, LiveReader {
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final int PATIENCE = 10;

  /** A gate that never closes. */
  public static final BooleanSupplier ALWAYS = () -> true;

  private final KubeConnection connection;
  private final Time time;
  private final ConcurrencyWindow window;
  private final RateCap cap;
  private final Map<Kind<?>, Informer<?>> informers = new HashMap<>();
  private static final TypeToken<Map<String, Object>> MEMBERS = new TypeToken<>() {};

  private final Gson gson =
      new GsonBuilder()
          .serializeNulls()
          .disableHtmlEscaping()
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();
  private final BooleanSupplier gate;
  private final LongAdder writes = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  /**
   * Over that connection, within that window and cap.
   *
   * @param gate asked before every write; while it says no, writes come back as {@link
   *     WriteResult.Unreachable} and nothing is sent
   */
  public KubeCluster(
      KubeConnection connection,
      Time time,
      ConcurrencyWindow window,
      RateCap cap,
      BooleanSupplier gate) {
    this.gate = gate;
    this.connection = connection;
    this.time = time;
    this.window = window;
    this.cap = cap;
  }

  /** Tells the informer of our writes of its kind from now on. Not while writes are under way. */
  public void feed(Informer<?> informer) {
    informers.put(informer.kind(), informer);
  }

  /** Writes that were sent so far. */
  public long writes() {
    return writes.sum();
  }

  /** Writes that lost against another writer. */
  public long conflicts() {
    return conflicts.sum();
  }

  @SuppressWarnings("unchecked") // feed() files each informer under its own kind
  private <T extends Resource> @Nullable Informer<T> informer(Kind<T> kind) {
    return (Informer<T>) informers.get(kind);
  }

  private byte[] bytes(Map<String, ?> members) {
    return gson.toJson(members).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException {
    return told(
        kind, write(kind, "PATCH", Paths.object(kind, key), MERGE_PATCH, bytes(patch.members())));
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    return told(
        kind,
        write(
            kind,
            "PATCH",
            Paths.object(kind, key) + "/status",
            MERGE_PATCH,
            bytes(patch.members())));
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("apiVersion", kind.apiVersion());
    members.put("kind", kind.kind());
    members.putAll(object.set(key.name(), "metadata", "name").members());
    return told(
        kind,
        write(
            kind,
            "POST",
            Paths.collection(kind, key.namespace()),
            "application/json",
            bytes(members)));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid)
      throws InterruptedException {
    byte[] body =
        bytes(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "DeleteOptions",
                "preconditions",
                Map.of("uid", uid.toString())));
    WriteResult<T> result =
        write(kind, "DELETE", Paths.object(kind, key), "application/json", body);
    if (result instanceof WriteResult.Written<T>(T last) && last.meta().isBeingDeleted()) {
      return told(kind, result);
    }
    if (result instanceof WriteResult.Written<T> || result instanceof WriteResult.Gone<T>) {
      Informer<T> informer = informer(kind);
      if (informer != null) {
        informer.deleted(key, uid);
      }
      return new WriteResult.Gone<>();
    }
    return result;
  }

  private <T extends Resource> WriteResult<T> told(Kind<T> kind, WriteResult<T> result) {
    Informer<T> informer = informer(kind);
    if (informer != null && result instanceof WriteResult.Written<T>(T now)) {
      informer.wrote(now);
    }
    return result;
  }

  private <T extends Resource> WriteResult<T> write(
      Kind<T> kind, String method, String path, String contentType, byte[] body)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      cap.take();
      window.enter();
      if (!gate.getAsBoolean()) {
        window.withdraw();
        return new WriteResult.Unreachable<>(
            "this replica does not lead (any more): nothing was sent");
      }
      long began = time.nanos();
      Duration pause;
      writes.increment();
      try (Response answer =
          connection.send(method, path, Map.of("fieldManager", "mooring"), contentType, body)) {
        boolean protobuf = Answers.isProtobuf(answer);
        try (InputStream in = answer.body().byteStream()) {
          if (answer.isSuccessful()) {
            return new WriteResult.Written<>(Bodies.object(kind, in, protobuf));
          }
          Bodies.Status status = Answers.status(answer.code(), in, protobuf);
          pause = patience(answer, status);
          if (pause.isZero() || attempt == PATIENCE) {
            return refused(status);
          }
          window.throttled(pause);
        }
      } catch (IOException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        return new WriteResult.Unreachable<>(
            "no answer from "
                + connection.address()
                + " to "
                + method
                + " "
                + path
                + ": "
                + KubeConnection.reason(e));
      } finally {
        window.leave(time.nanos() - began);
      }
    }
  }

  /** How long the server asks us to wait before we try again; zero if it does not. */
  private static Duration patience(Response answer, Bodies.Status status) {
    String header = answer.header("Retry-After", "");
    boolean asked = header != null && header.matches("\\d{1,4}");
    if (answer.code() == 429) {
      long seconds =
          asked && header != null
              ? Long.parseLong(header)
              : Math.max(1, status.retryAfterSeconds());
      return Duration.ofSeconds(Math.max(1, seconds));
    }
    return answer.code() == 503 && asked && header != null
        ? Duration.ofSeconds(Math.max(1, Long.parseLong(header)))
        : Duration.ZERO;
  }

  private <T extends Resource> WriteResult<T> refused(Bodies.Status status) {
    return switch (status.code()) {
      case 404 -> new WriteResult.Gone<>();
      case 409 -> {
        conflicts.increment();
        yield new WriteResult.Conflict<>(status.message());
      }
      case 422 -> {
        if (status.field().equals("metadata.uid")) {
          conflicts.increment();
          yield new WriteResult.Conflict<>(
              status.message()); // a patch for an object that has been replaced by another of its
          // name
        }
        yield new WriteResult.Rejected<>(422, status.message());
      }
      default ->
          status.code() >= 500
              ? new WriteResult.Unreachable<>(
                  "the server answered " + status.code() + ": " + status.message())
              : new WriteResult.Rejected<>(status.code(), status.message());
    };
  }

  /** Takes what it needs from an answer's body. */
  @FunctionalInterface
  private interface Taking<T> {
    T from(InputStream body, boolean protobuf) throws IOException;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return get(
        Paths.object(kind, key),
        Map.of(),
        Map.of(),
        (in, protobuf) -> Bodies.object(kind, in, protobuf));
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    return members(Paths.object(kind, key), Map.of());
  }

  /** Whatever is at that path, with every member that it has. */
  ReadResult<Map<String, Object>> members(String path, Map<String, String> query)
      throws InterruptedException {
    return get(
        path,
        query,
        Map.of("Accept", "application/json"),
        (in, protobuf) -> {
          try (Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            return gson.fromJson(text, MEMBERS);
          } catch (JsonParseException e) {
            throw new IOException("not an object: " + e.getMessage(), e);
          }
        });
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    List<T> all = new ArrayList<>();
    String next = "";
    do {
      Map<String, String> query =
          next.isEmpty() ? Map.of("limit", "500") : Map.of("limit", "500", "continue", next);
      ReadResult<Bodies.ListInfo> page =
          get(
              Paths.collection(kind, namespace),
              query,
              Map.of(),
              (in, protobuf) -> Bodies.list(kind, in, protobuf, all::add));
      switch (page) {
        case ReadResult.Found<Bodies.ListInfo>(Bodies.ListInfo info) -> next = info.next();
        case ReadResult.Absent<Bodies.ListInfo> _ -> {
          return new ReadResult.Failed<>("the server does not have " + kind.plural());
        }
        case ReadResult.Failed<Bodies.ListInfo>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    } while (!next.isEmpty());
    return new ReadResult.Found<>(all);
  }

  private <T> ReadResult<T> get(
      String path, Map<String, String> query, Map<String, String> headers, Taking<T> taking)
      throws InterruptedException {
    try (Response answer = connection.get(path, query, headers)) {
      boolean protobuf = Answers.isProtobuf(answer);
      try (InputStream in = answer.body().byteStream()) {
        if (answer.isSuccessful()) {
          return new ReadResult.Found<>(taking.from(in, protobuf));
        }
        Bodies.Status status = Answers.status(answer.code(), in, protobuf);
        boolean absent =
            status.code() == 404
                && (status.reason().equals("NotFound") || status.reason().isEmpty());
        return absent
            ? new ReadResult.Absent<>()
            : new ReadResult.Failed<>(
                "the server answered " + status.code() + ": " + status.message());
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return new ReadResult.Failed<>(
          "no answer from " + connection.address() + ": " + KubeConnection.reason(e));
    }
  }

  /**
   * Sends a body that no informer cares about; the answer's status code, or -1 without an answer.
   */
  int post(String method, String path, String contentType, Map<String, ?> members) {
    try (Response answer = connection.send(method, path, Map.of(), contentType, bytes(members))) {
      return answer.code();
    } catch (IOException e) {
      return -1;
    }
  }
}
