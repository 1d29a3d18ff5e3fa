package dev.mooring.kube;

import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.kube.wire.Bodies;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches a kind over HTTP. Watches are asked to end after 30 to 45 s, and an answer that
 * is silent for longer than 55 s counts as dead: so a connection that went silent is noticed within
 * a minute whatever stands between us and the server.
 *
 * @param <T> the objects
 */
public final class KubeListWatch<T extends Resource> implements ListWatch<T> {
  private static final int PAGE = 500;

  private final KubeConnection connection;
  private final Kind<T> kind;
  private volatile boolean streams = true;

  /** Of that kind, in all namespaces. */
  public KubeListWatch(KubeConnection connection, Kind<T> kind) {
    this.connection = connection;
    this.kind = kind;
  }

  @Override
  public boolean streamsLists() {
    return streams;
  }

  @Override
  public long list(Consumer<T> each) throws ListWatchException, InterruptedException {
    String next = "";
    long version = 0;
    do {
      Map<String, String> query = new LinkedHashMap<>();
      query.put("limit", Integer.toString(PAGE));
      if (!next.isEmpty()) {
        query.put("continue", next);
      }
      try (Response answer = connection.send("GET", ApiPath.all(kind), query, "", new byte[0])) {
        boolean protobuf = Answers.isProtobuf(answer);
        try (InputStream body = answer.body().byteStream()) {
          if (!answer.isSuccessful()) {
            throw refused(Answers.status(answer, body, protobuf));
          }
          Bodies.ListInfo page = Bodies.list(kind, body, protobuf, each);
          version = page.version();
          next = page.next();
        }
      } catch (IOException e) {
        throw broken(e);
      }
    } while (!next.isEmpty());
    return version;
  }

  @Override
  public void watch(long from, boolean everything, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("watch", "true");
    query.put("allowWatchBookmarks", "true");
    query.put("timeoutSeconds", Integer.toString(ThreadLocalRandom.current().nextInt(30, 46)));
    if (everything) {
      query.put("sendInitialEvents", "true");
      query.put("resourceVersionMatch", "NotOlderThan");
    } else {
      query.put("resourceVersion", Long.toString(from));
    }
    try {
      Call call = connection.watch(ApiPath.all(kind), query);
      try (Response answer = call.execute()) {
        boolean protobuf = Answers.isProtobuf(answer);
        try (InputStream body = answer.body().byteStream()) {
          if (!answer.isSuccessful()) {
            Bodies.Status status = Answers.status(answer, body, protobuf);
            if (everything && (status.code() == 400 || status.code() == 422)) {
              streams = false;
              throw new ListWatchException(Why.NO_STREAMING, status.message());
            }
            throw refused(status);
          }
          Told told = new Told(sink);
          Bodies.watch(kind, body, protobuf, told);
          if (told.error != null) {
            throw refused(told.error);
          }
        }
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw broken(e);
    }
  }

  private final class Told implements Bodies.Events<T> {
    private final Sink<T> sink;
    private Bodies.@Nullable Status error;

    Told(Sink<T> sink) {
      this.sink = sink;
    }

    @Override
    public void changed(String type, T object) {
      if (type.equals("DELETED")) {
        sink.deleted(object);
      } else {
        sink.present(object);
      }
    }

    @Override
    public void bookmark(long version, boolean endsInitialEvents) {
      if (endsInitialEvents) {
        sink.complete(version);
      } else {
        sink.progress(version);
      }
    }

    @Override
    public void error(Bodies.Status status) {
      error = status;
    }
  }

  private ListWatchException refused(Bodies.Status status) {
    String message =
        connection.address()
            + " answered "
            + status.code()
            + (status.message().isEmpty() ? "" : ": " + status.message());
    Duration retry = status.asksForPatience() ? status.patience() : Duration.ZERO;
    return switch (status.code()) {
      case 401, 403 ->
          new ListWatchException(
              Why.REFUSED, message + " (check the credentials and their permissions)");
      case 404 -> new ListWatchException(Why.NO_SUCH_RESOURCE, message);
      case 410 -> new ListWatchException(Why.EXPIRED, message);
      case 429 -> new ListWatchException(Why.THROTTLED, message, status.patience());
      default -> {
        boolean future = status.message().contains("Too large resource version");
        yield new ListWatchException(future ? Why.FUTURE_VERSION : Why.FAILED, message, retry);
      }
    };
  }

  private ListWatchException broken(IOException e) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return new ListWatchException(
        Why.FAILED, "no answer from " + connection.address() + ": " + KubeConnection.reason(e));
  }
}
