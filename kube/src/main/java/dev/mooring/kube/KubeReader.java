package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import dev.mooring.wire.MetaDecoder.ListMeta;
import dev.mooring.workqueue.ReconcileContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads over HTTP. Returns {@link ReadResult.Failed}, not absence, for an invalid key, a response
 * about another object, and a page that does not come from the API server. Thread-safe.
 */
final class KubeReader implements LiveReader {
  private static final TypeToken<Map<String, Object>> MEMBERS_TYPE = new TypeToken<>() {};

  private final KubeConnection connection;
  private final ConcurrencyWindow window;
  private final ServerClock clock;
  private final Gson gson =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  // The window limits reads of objects. Lists are few, and their duration does not show the load.
  KubeReader(KubeConnection connection, ConcurrencyWindow window, Time time) {
    this.connection = connection;
    this.window = window;
    this.clock = new ServerClock(time);
  }

  static String describeWrongObject(Kind<?> kind, ObjectKey key, ObjectKey answeredKey) {
    return "the server was asked for " + kind + " " + key + " and answered \"" + answeredKey + "\"";
  }

  @FunctionalInterface
  private interface BodyReader<T> {
    T readBody(InputStream body, boolean protobuf) throws IOException;
  }

  @FunctionalInterface
  interface PathSource {
    ApiPath path() throws ImpossibleNameException;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    ReadResult<T> result =
        getObject(
            () -> ApiPath.ofObject(kind, key),
            Map.of(),
            KubeConnection.ACCEPT,
            (in, protobuf) -> BodyDecoder.decodeWhole(kind, in, protobuf));
    return result instanceof ReadResult.Found<T>(T object) && !object.meta().key().equals(key)
        ? new ReadResult.Failed<>(describeWrongObject(kind, key, object.meta().key()))
        : result;
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    ReadResult<Map<String, Object>> result =
        readMembers(() -> ApiPath.ofObject(kind, key), Map.of());
    return result instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> members)
            && !parseKey(members).equals(key)
        ? new ReadResult.Failed<>(describeWrongObject(kind, key, parseKey(members)))
        : result;
  }

  private static ObjectKey parseKey(Map<String, Object> members) {
    RawObject metadata = new RawObject(members).at("metadata");
    return new ObjectKey(metadata.text("namespace"), metadata.text("name"));
  }

  ReadResult<Map<String, Object>> readMembers(PathSource source, Map<String, String> query)
      throws InterruptedException {
    return getObject(
        source,
        query,
        KubeConnection.JSON,
        (in, protobuf) -> {
          try (Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            Map<String, Object> members = gson.fromJson(text, MEMBERS_TYPE);
            return members == null ? Map.of() : members;
          } catch (JsonParseException e) {
            throw new IOException("not an object: " + e.getMessage(), e);
          }
        });
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    List<T> objects = new ArrayList<>();
    String continueToken = "";
    do {
      Map<String, String> query =
          continueToken.isEmpty()
              ? Map.of("limit", "500")
              : Map.of("limit", "500", "continue", continueToken);
      ReadResult<ListMeta> page =
          get(
              () -> ApiPath.ofCollection(kind, namespace),
              query,
              KubeConnection.ACCEPT,
              (in, protobuf) -> BodyDecoder.decodeList(kind, in, protobuf, objects::add));
      switch (page) {
        case ReadResult.Found<ListMeta>(ListMeta info) -> continueToken = info.continueToken();
        case ReadResult.Absent<ListMeta> _ -> {
          return new ReadResult.Failed<>("the server does not serve " + kind.plural());
        }
        case ReadResult.Failed<ListMeta>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    } while (!continueToken.isEmpty());
    return objects.stream()
        .filter(object -> !object.meta().key().namespace().equals(namespace))
        .findFirst()
        .<ReadResult<List<T>>>map(foreign ->
            new ReadResult.Failed<>(
                "the server was asked for %s in %s and answered with %s"
                    .formatted(kind.plural(), namespace, foreign.meta().key())))
        .orElseGet(() -> new ReadResult.Found<>(objects));
  }

  @Override
  public Duration clockAhead() {
    return clock.ahead();
  }

  @Override
  public boolean isForbidden(Kind<?> kind, ObjectKey key) throws InterruptedException {
    try (ApiResponse response = connection.get(ApiPath.ofObject(kind, key), Map.of())) {
      boolean isProtobuf = ApiResponses.isProtobuf(response);
      try (InputStream in = response.body()) {
        return !response.isSuccessful()
            && ApiResponses.isForbidden(ApiResponses.readStatus(response, in, isProtobuf));
      }
    } catch (ImpossibleNameException e) {
      return false;
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return false;
    }
  }

  private <T> ReadResult<T> getObject(
      PathSource source, Map<String, String> query, String accept, BodyReader<T> reader)
      throws InterruptedException {
    ReconcileContext.ReconcileListener listener = ReconcileContext.current();
    window.enter(listener != null && listener.completesStartedWork());
    long startNanos = System.nanoTime();
    try {
      return get(source, query, accept, reader);
    } finally {
      window.leave(System.nanoTime() - startNanos);
    }
  }

  private <T> ReadResult<T> get(
      PathSource source, Map<String, String> query, String accept, BodyReader<T> reader)
      throws InterruptedException {
    ApiPath path;
    try {
      path = source.path();
    } catch (ImpossibleNameException e) {
      return new ReadResult.Failed<>(e.flaw());
    }
    ReconcileContext.ReconcileListener listener = ReconcileContext.current();
    if (listener != null) {
      listener.requestStarting();
    }
    ReadResult<T> result = send(path, query, accept, reader);
    boolean isAnswer = !(result instanceof ReadResult.Failed<T>);
    if (listener != null && isAnswer && !query.containsKey("continue")) {
      listener.requestAnswered(false, path + query.getOrDefault("fieldSelector", ""), 0);
    }
    return result;
  }

  private <T> ReadResult<T> send(
      ApiPath path, Map<String, String> query, String accept, BodyReader<T> reader)
      throws InterruptedException {
    try (ApiResponse response = connection.get(path, query, accept)) {
      clock.record(response.header("date"));
      boolean isProtobuf = ApiResponses.isProtobuf(response);
      try (InputStream in = response.body()) {
        if (response.isSuccessful()) {
          return new ReadResult.Found<>(reader.readBody(in, isProtobuf));
        }
        BodyDecoder.Status status = ApiResponses.readStatus(response, in, isProtobuf);
        return ApiResponses.isAbsent(status)
            ? new ReadResult.Absent<>()
            : new ReadResult.Failed<>(
                "the server answered "
                    + status.code()
                    + ": "
                    + status.message()
                    + (status.code() == 404
                        ? " (the kind is missing, or another server answered)"
                        : ""));
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return new ReadResult.Failed<>(
          "no answer from " + connection.address() + ": " + KubeConnection.describeRootCause(e));
    }
  }
}
