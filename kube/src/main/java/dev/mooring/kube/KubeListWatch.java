package dev.mooring.kube;

import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches a kind over HTTP.
 *
 * <p>The server is asked to end a watch after 8 to 10 s; it sends a last bookmark 2 s before. A
 * watch that has not ended 3 s later is abandoned. A silent connection is thus detected within 15
 * s.
 *
 * <p>A list may take as long as data arrives. The limit of silence doubles after each timeout.
 *
 * @param <T> type of the objects
 */
public final class KubeListWatch<T extends Resource> implements ListWatch<T> {
  private static final int PAGE = 500;
  private static final int LARGE_PAGE = 2500;
  private static final int MIN_WATCH_SECONDS = 8;
  private static final int MAX_WATCH_SECONDS = 10;
  private static final int CATCH_UP_SECONDS =
      3; // the server sends the last bookmark 2 s before the end
  private static final Duration GRACE_AFTER_END = Duration.ofSeconds(3);
  private static final int MIN_STREAM_SECONDS = 300;
  private static final int MAX_STREAM_SECONDS = 600;
  private static final Duration INITIAL_SILENCE = Duration.ofMinutes(1);
  private static final Duration MAX_SILENCE = Duration.ofMinutes(8);

  private final KubeConnection connection;
  private final Kind<T> kind;
  private final String fields;
  private final int pageSize;
  private volatile boolean streams = true;
  private volatile boolean pages = true;
  private volatile Duration maxSilence = INITIAL_SILENCE;

  public KubeListWatch(KubeConnection connection, Kind<T> kind) {
    this(connection, kind, "");
  }

  public KubeListWatch(KubeConnection connection, Kind<T> kind, String fields) {
    this(connection, kind, fields, PAGE);
  }

  private KubeListWatch(KubeConnection connection, Kind<T> kind, String fields, int pageSize) {
    this.connection = connection;
    this.kind = kind;
    this.fields = fields;
    this.pageSize = pageSize;
  }

  public static <T extends Resource> KubeListWatch<T> once(
      KubeConnection connection, Kind<T> kind) {
    return new KubeListWatch<>(connection, kind, "", LARGE_PAGE);
  }

  private Map<String, String> query() {
    Map<String, String> query = new LinkedHashMap<>();
    if (!fields.isEmpty()) {
      query.put("fieldSelector", fields);
    }
    return query;
  }

  @Override
  public boolean streamsLists() {
    return streams;
  }

  @Override
  public long list(Consumer<T> each) throws ListWatchException, InterruptedException {
    String next = "";
    while (true) {
      BodyDecoder.ListInfo page;
      try {
        page = page(pages ? pageSize : 0, next, each);
      } catch (ListWatchException e) {
        // reading the pages took longer than the server keeps them, so the next list uses one page
        pages = e.why() != Why.EXPIRED || next.isEmpty();
        throw e;
      }
      next = page.next();
      if (next.isEmpty()) {
        pages = true;
        return page.version();
      }
    }
  }

  @Override
  public Page head(int most, Consumer<T> each) throws ListWatchException, InterruptedException {
    BodyDecoder.ListInfo page = page(most, "", each);
    return new Page(page.version(), page.next().isEmpty());
  }

  private BodyDecoder.ListInfo page(int most, String after, Consumer<T> each)
      throws ListWatchException, InterruptedException {
    Map<String, String> query = query();
    if (most > 0) {
      query.put("limit", Integer.toString(most));
    }
    if (!after.isEmpty()) {
      query.put("continue", after);
    }
    Duration silence = maxSilence;
    try (Response answer =
        connection
            .watch(ApiPath.all(kind), query, silence, Duration.ofSeconds(MAX_STREAM_SECONDS))
            .execute()) {
      boolean protobuf = ApiResponses.isProtobuf(answer);
      try (InputStream body = answer.body().byteStream()) {
        if (!answer.isSuccessful()) {
          throw refusal(ApiResponses.status(answer, body, protobuf));
        }
        BodyDecoder.ListInfo page = BodyDecoder.list(kind, body, protobuf, each);
        maxSilence = INITIAL_SILENCE;
        return page;
      }
    } catch (InterruptedIOException slow) {
      Duration twice = silence.multipliedBy(2);
      maxSilence = twice.compareTo(MAX_SILENCE) > 0 ? MAX_SILENCE : twice;
      throw failed(slow);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void watch(long from, boolean everything, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Map<String, String> query = query();
    if (everything) {
      query.put("sendInitialEvents", "true");
      query.put("resourceVersionMatch", "NotOlderThan");
      watch(
          query,
          random.nextInt(MIN_STREAM_SECONDS, MAX_STREAM_SECONDS + 1),
          new SinkEvents(sink, true));
    } else {
      query.put("resourceVersion", Long.toString(from));
      watch(
          query,
          random.nextInt(MIN_WATCH_SECONDS, MAX_WATCH_SECONDS + 1),
          new SinkEvents(sink, false));
    }
  }

  @Override
  public void catchUp(long from, Sink<T> sink) throws ListWatchException, InterruptedException {
    Map<String, String> query = query();
    query.put("resourceVersion", Long.toString(from));
    watch(query, CATCH_UP_SECONDS, new SinkEvents(sink, false));
  }

  private void watch(Map<String, String> query, int seconds, SinkEvents events)
      throws ListWatchException, InterruptedException {
    query.put("watch", "true");
    query.put("allowWatchBookmarks", "true");
    query.put("timeoutSeconds", Integer.toString(seconds));
    Duration whole = Duration.ofSeconds(seconds).plus(GRACE_AFTER_END);
    Duration silence = events.everything ? INITIAL_SILENCE : whole;
    try {
      Call call = connection.watch(ApiPath.all(kind), query, silence, whole);
      try (Response answer = call.execute()) {
        readWatch(call, answer, events);
      }
    } catch (InterruptedIOException silent) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw silent(silent);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void readWatch(Call call, Response answer, SinkEvents events)
      throws ListWatchException, IOException {
    boolean protobuf = ApiResponses.isProtobuf(answer);
    try (InputStream body = answer.body().byteStream()) {
      if (!answer.isSuccessful()) {
        BodyDecoder.Status status = ApiResponses.status(answer, body, protobuf);
        if (events.everything && (status.code() == 400 || status.code() == 422)) {
          streams = false;
          throw new ListWatchException(Why.NO_STREAMING, status.message());
        }
        throw refusal(status);
      }
      BodyDecoder.watch(kind, body, protobuf, events);
      if (events.error != null) {
        throw refusal(events.error);
      }
    } finally {
      if (events.isEnough()) {
        call.cancel(); // does not wait for the end of the response
      }
    }
  }

  private ListWatchException silent(InterruptedIOException silence) {
    return new ListWatchException(
        Why.SILENT,
        "%s has been silent on a watch of %s, even after its end (%s)"
            .formatted(connection.address(), kind.plural(), KubeConnection.reason(silence)));
  }

  private final class SinkEvents implements BodyDecoder.Events<T> {
    private final Sink<T> sink;
    private final boolean everything;
    private BodyDecoder.@Nullable Status error;
    private boolean complete;

    SinkEvents(Sink<T> sink, boolean everything) {
      this.sink = sink;
      this.everything = everything;
    }

    @Override
    public boolean isEnough() {
      return error != null || complete;
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
      if (endsInitialEvents && everything) {
        complete = true; // a short watch follows
        sink.complete(version);
      } else {
        sink.progress(version);
      }
    }

    @Override
    public void error(BodyDecoder.Status status) {
      error = status;
    }
  }

  private ListWatchException refusal(BodyDecoder.Status status) {
    String message =
        connection.address()
            + " answered "
            + status.code()
            + (status.message().isEmpty() ? "" : ": " + status.message());
    Duration retry = status.asksForPatience() ? status.patience() : Duration.ZERO;
    return switch (status.code()) {
      case 401 -> new ListWatchException(Why.UNAUTHENTICATED, message + " (check the credentials)");
      case 403 ->
          new ListWatchException(
              ApiResponses.isForbidden(status) ? Why.FORBIDDEN : Why.FAILED,
              message + " (check the permissions)");
      case 404 -> new ListWatchException(Why.NO_SUCH_RESOURCE, message);
      case 410 -> new ListWatchException(Why.EXPIRED, message);
      case 429 -> new ListWatchException(Why.THROTTLED, message, status.patience());
      default -> {
        boolean future = status.message().contains("Too large resource version");
        yield new ListWatchException(future ? Why.FUTURE_VERSION : Why.FAILED, message, retry);
      }
    };
  }

  private ListWatchException failed(IOException e) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return new ListWatchException(
        Why.FAILED, "no answer from " + connection.address() + ": " + KubeConnection.reason(e));
  }
}
