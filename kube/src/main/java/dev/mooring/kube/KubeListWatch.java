package dev.mooring.kube;

import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.wire.MetaDecoder.ListMeta;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import okhttp3.Call;
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
  private final String fieldSelector;
  private final int pageSize;
  private volatile boolean canStream = true;
  private volatile boolean usesPages = true;
  private volatile Duration maxSilence = INITIAL_SILENCE;

  public KubeListWatch(KubeConnection connection, Kind<T> kind) {
    this(connection, kind, "");
  }

  public KubeListWatch(KubeConnection connection, Kind<T> kind, String fieldSelector) {
    this(connection, kind, fieldSelector, PAGE);
  }

  private KubeListWatch(
      KubeConnection connection, Kind<T> kind, String fieldSelector, int pageSize) {
    this.connection = connection;
    this.kind = kind;
    this.fieldSelector = fieldSelector;
    this.pageSize = pageSize;
  }

  public static <T extends Resource> KubeListWatch<T> once(
      KubeConnection connection, Kind<T> kind) {
    return new KubeListWatch<>(connection, kind, "", LARGE_PAGE);
  }

  private Map<String, String> makeQuery() {
    Map<String, String> query = new LinkedHashMap<>();
    if (!fieldSelector.isEmpty()) {
      query.put("fieldSelector", fieldSelector);
    }
    return query;
  }

  @Override
  public boolean streamsLists() {
    return canStream;
  }

  @Override
  public long list(Consumer<T> consumer) throws ListWatchException, InterruptedException {
    String continueToken = "";
    while (true) {
      ListMeta page;
      try {
        page = readPage(usesPages ? pageSize : 0, continueToken, consumer);
      } catch (ListWatchException e) {
        // reading the pages took longer than the server keeps them, so the next list uses one page
        usesPages = e.reason() != Reason.EXPIRED || continueToken.isEmpty();
        throw e;
      }
      continueToken = page.continueToken();
      if (continueToken.isEmpty()) {
        usesPages = true;
        return page.version();
      }
    }
  }

  @Override
  public Page listFirstPage(int limit, Consumer<T> consumer)
      throws ListWatchException, InterruptedException {
    ListMeta page = readPage(limit, "", consumer);
    return new Page(page.version(), page.continueToken().isEmpty());
  }

  private ListMeta readPage(int limit, String continueToken, Consumer<T> consumer)
      throws ListWatchException, InterruptedException {
    Map<String, String> query = makeQuery();
    if (limit > 0) {
      query.put("limit", Integer.toString(limit));
    }
    if (!continueToken.isEmpty()) {
      query.put("continue", continueToken);
    }
    Duration silenceLimit = maxSilence;
    Duration maxDuration = Duration.ofSeconds(MAX_STREAM_SECONDS);
    try (ApiResponse response =
        ApiResponse.of(
            connection.watch(ApiPath.ofKind(kind), query, silenceLimit, maxDuration).execute())) {
      boolean isProtobuf = ApiResponses.isProtobuf(response);
      try (InputStream body = response.body()) {
        if (!response.isSuccessful()) {
          throw makeRefusal(ApiResponses.readStatus(response, body, isProtobuf));
        }
        ListMeta page = BodyDecoder.decodeList(kind, body, isProtobuf, consumer);
        maxSilence = INITIAL_SILENCE;
        return page;
      }
    } catch (InterruptedIOException timeout) {
      Duration doubledLimit = silenceLimit.multipliedBy(2);
      maxSilence = doubledLimit.compareTo(MAX_SILENCE) > 0 ? MAX_SILENCE : doubledLimit;
      throw makeFailure(timeout);
    } catch (IOException e) {
      throw makeFailure(e);
    }
  }

  @Override
  public void watch(long version, boolean startsWithList, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Map<String, String> query = makeQuery();
    if (startsWithList) {
      query.put("sendInitialEvents", "true");
      query.put("resourceVersionMatch", "NotOlderThan");
      watch(
          query,
          random.nextInt(MIN_STREAM_SECONDS, MAX_STREAM_SECONDS + 1),
          new SinkEvents(sink, true));
    } else {
      query.put("resourceVersion", Long.toString(version));
      watch(
          query,
          random.nextInt(MIN_WATCH_SECONDS, MAX_WATCH_SECONDS + 1),
          new SinkEvents(sink, false));
    }
  }

  @Override
  public void catchUp(long version, Sink<T> sink) throws ListWatchException, InterruptedException {
    Map<String, String> query = makeQuery();
    query.put("resourceVersion", Long.toString(version));
    watch(query, CATCH_UP_SECONDS, new SinkEvents(sink, false));
  }

  private void watch(Map<String, String> query, int seconds, SinkEvents events)
      throws ListWatchException, InterruptedException {
    query.put("watch", "true");
    query.put("allowWatchBookmarks", "true");
    query.put("timeoutSeconds", Integer.toString(seconds));
    Duration maxDuration = Duration.ofSeconds(seconds).plus(GRACE_AFTER_END);
    Duration silenceLimit = events.startsWithList ? INITIAL_SILENCE : maxDuration;
    try {
      Call call = connection.watch(ApiPath.ofKind(kind), query, silenceLimit, maxDuration);
      try (ApiResponse response = ApiResponse.of(call.execute())) {
        readWatch(call, response, events);
      }
    } catch (InterruptedIOException timeout) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw makeSilenceFailure(timeout);
    } catch (IOException e) {
      throw makeFailure(e);
    }
  }

  private void readWatch(Call call, ApiResponse response, SinkEvents events)
      throws ListWatchException, IOException {
    boolean isProtobuf = ApiResponses.isProtobuf(response);
    try (InputStream body = response.body()) {
      if (!response.isSuccessful()) {
        BodyDecoder.Status status = ApiResponses.readStatus(response, body, isProtobuf);
        if (events.startsWithList && (status.code() == 400 || status.code() == 422)) {
          canStream = false;
          throw new ListWatchException(Reason.NO_STREAMING, status.message());
        }
        throw makeRefusal(status);
      }
      BodyDecoder.decodeWatch(kind, body, isProtobuf, events);
      if (events.error != null) {
        throw makeRefusal(events.error);
      }
    } finally {
      if (events.isEnough()) {
        call.cancel(); // does not wait for the end of the response
      }
    }
  }

  private ListWatchException makeSilenceFailure(InterruptedIOException timeout) {
    return new ListWatchException(
        Reason.SILENT,
        "%s has been silent on a watch of %s, even after its end (%s)"
            .formatted(
                connection.address(), kind.plural(), KubeConnection.describeRootCause(timeout)));
  }

  private final class SinkEvents implements BodyDecoder.Events<T> {
    private final Sink<T> sink;
    private final boolean startsWithList;
    private BodyDecoder.@Nullable Status error;
    private boolean isComplete;

    SinkEvents(Sink<T> sink, boolean startsWithList) {
      this.sink = sink;
      this.startsWithList = startsWithList;
    }

    @Override
    public boolean isEnough() {
      return error != null || isComplete;
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
      if (endsInitialEvents && startsWithList) {
        isComplete = true; // a short watch follows
        sink.initialEventsEnded(version);
      } else {
        sink.bookmark(version);
      }
    }

    @Override
    public void error(BodyDecoder.Status status) {
      error = status;
    }
  }

  private ListWatchException makeRefusal(BodyDecoder.Status status) {
    String message =
        connection.address()
            + " answered "
            + status.code()
            + (status.message().isEmpty() ? "" : ": " + status.message());
    Duration retry = status.hasRetryDelay() ? status.getRetryDelay() : Duration.ZERO;
    return switch (status.code()) {
      case 401 ->
          new ListWatchException(Reason.UNAUTHENTICATED, message + " (check the credentials)");
      case 403 ->
          ApiResponses.isForbidden(status) && isAbsentKind()
              ? new ListWatchException(
                  Reason.NO_SUCH_RESOURCE,
                  connection.address() + " does not serve " + kind.group() + "/" + kind.version())
              : new ListWatchException(
                  ApiResponses.isForbidden(status) ? Reason.FORBIDDEN : Reason.FAILED,
                  message + " (check the permissions)");
      case 404 -> new ListWatchException(Reason.NO_SUCH_RESOURCE, message);
      case 410 -> new ListWatchException(Reason.EXPIRED, message);
      case 429 -> new ListWatchException(Reason.THROTTLED, message, status.getRetryDelay());
      default -> {
        boolean isFutureVersion = status.message().contains("Too large resource version");
        yield new ListWatchException(
            isFutureVersion ? Reason.FUTURE_VERSION : Reason.FAILED, message, retry);
      }
    };
  }

  // The API server refuses users without rights before it searches for the kind. But every user may
  // read which groups it serves.
  private boolean isAbsentKind() {
    if (!Kind.SNAPSHOT_KINDS.contains(kind)) {
      return false;
    }
    try (ApiResponse response = connection.get(ApiPath.ofVersion(kind), Map.of())) {
      return response.code() == 404;
    } catch (IOException e) {
      return false;
    }
  }

  private ListWatchException makeFailure(IOException e) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return new ListWatchException(
        Reason.FAILED,
        "no answer from " + connection.address() + ": " + KubeConnection.describeRootCause(e));
  }
}
