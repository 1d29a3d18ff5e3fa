package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.workqueue.ReconcileContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Reads over HTTP. Returns {@link ReadResult.Failed}, not absence, for an invalid key, a response
 * about another object, and a page that does not come from the API server. Thread-safe.
 */
final class KubeReader implements LiveReader {
  private static final TypeToken<Map<String, Object>> MEMBERS = new TypeToken<>() {};

  private final KubeConnection connection;
  private final Gson gson =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  KubeReader(KubeConnection connection) {
    this.connection = connection;
  }

  static String wrongObject(Kind<?> kind, ObjectKey key, ObjectKey answered) {
    return "the server was asked for " + kind + " " + key + " and answered \"" + answered + "\"";
  }

  @FunctionalInterface
  private interface BodyReader<T> {
    T from(InputStream body, boolean protobuf) throws IOException;
  }

  @FunctionalInterface
  interface Source {
    ApiPath path() throws ImpossibleNameException;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    ReadResult<T> answer =
        get(
            () -> ApiPath.object(kind, key),
            Map.of(),
            Map.of(),
            (in, protobuf) -> BodyDecoder.whole(kind, in, protobuf));
    return answer instanceof ReadResult.Found<T>(T found) && !found.meta().key().equals(key)
        ? new ReadResult.Failed<>(wrongObject(kind, key, found.meta().key()))
        : answer;
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    ReadResult<Map<String, Object>> answer = members(() -> ApiPath.object(kind, key), Map.of());
    return answer instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> found)
            && !keyOf(found).equals(key)
        ? new ReadResult.Failed<>(wrongObject(kind, key, keyOf(found)))
        : answer;
  }

  private static ObjectKey keyOf(Map<String, Object> whole) {
    return whole.get("metadata") instanceof Map<?, ?> metadata
        ? new ObjectKey(text(metadata.get("namespace")), text(metadata.get("name")))
        : ObjectKey.cluster("");
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  ReadResult<Map<String, Object>> members(Source source, Map<String, String> query)
      throws InterruptedException {
    return get(
        source,
        query,
        Map.of("Accept", "application/json"),
        (in, protobuf) -> {
          try (Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            Map<String, Object> members = gson.fromJson(text, MEMBERS);
            return members == null ? Map.of() : members;
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
      ReadResult<BodyDecoder.ListInfo> page =
          get(
              () -> ApiPath.collection(kind, namespace),
              query,
              Map.of(),
              (in, protobuf) -> BodyDecoder.list(kind, in, protobuf, all::add));
      switch (page) {
        case ReadResult.Found<BodyDecoder.ListInfo>(BodyDecoder.ListInfo info) ->
            next = info.next();
        case ReadResult.Absent<BodyDecoder.ListInfo> _ -> {
          return new ReadResult.Failed<>("the server does not serve " + kind.plural());
        }
        case ReadResult.Failed<BodyDecoder.ListInfo>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    } while (!next.isEmpty());
    return all.stream()
        .filter(object -> !object.meta().key().namespace().equals(namespace))
        .findFirst()
        .<ReadResult<List<T>>>map(stranger ->
            new ReadResult.Failed<>(
                "the server was asked for %s in %s and answered with %s"
                    .formatted(kind.plural(), namespace, stranger.meta().key())))
        .orElseGet(() -> new ReadResult.Found<>(all));
  }

  @Override
  public boolean isForbidden(Kind<?> kind, ObjectKey key) throws InterruptedException {
    try (Response answer = connection.get(ApiPath.object(kind, key), Map.of(), Map.of())) {
      boolean protobuf = ApiResponses.isProtobuf(answer);
      try (InputStream in = answer.body().byteStream()) {
        return !answer.isSuccessful()
            && ApiResponses.isForbidden(ApiResponses.status(answer, in, protobuf));
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

  private <T> ReadResult<T> get(
      Source source, Map<String, String> query, Map<String, String> headers, BodyReader<T> reader)
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
    ReadResult<T> result = send(path, query, headers, reader);
    boolean isAnswer = !(result instanceof ReadResult.Failed<T>);
    if (listener != null && isAnswer && !query.containsKey("continue")) {
      listener.requestAnswered(false, path + query.getOrDefault("fieldSelector", ""), 0);
    }
    return result;
  }

  private <T> ReadResult<T> send(
      ApiPath path, Map<String, String> query, Map<String, String> headers, BodyReader<T> reader)
      throws InterruptedException {
    try (Response answer = connection.get(path, query, headers)) {
      boolean protobuf = ApiResponses.isProtobuf(answer);
      try (InputStream in = answer.body().byteStream()) {
        if (answer.isSuccessful()) {
          return new ReadResult.Found<>(reader.from(in, protobuf));
        }
        BodyDecoder.Status status = ApiResponses.status(answer, in, protobuf);
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
          "no answer from " + connection.address() + ": " + KubeConnection.reason(e));
    }
  }
}
