package dev.mooring.apiserver.http.read;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.http.render.AnswerEncoder;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.QueryParameters;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.http.request.WebSocketHandshake;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoreEvent;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Serves one watch: reads the store's ring with its own cursor, filters by selectors, and sends
 * bookmarks periodically.
 */
final class WatchHandler {
  private static final long BATCH_DELAY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final int BATCH = 512;
  private static final long BOOKMARK_SECONDS = 10;

  private final ResourceType type;
  private final String prefix;
  private final Predicate<JsonObject> selected;
  private final AnswerForm form;
  private final String includeObject;
  private final boolean bookmarks;
  private final boolean streamed;
  private boolean first = true;

  private WatchHandler(
      RequestTarget target,
      Predicate<JsonObject> selected,
      AnswerForm form,
      QueryParameters query,
      boolean streamed) {
    this.streamed = streamed;
    this.type = target.type();
    this.prefix = target.namespace().isEmpty() ? "" : target.namespace() + "/";
    this.selected = selected;
    this.form = form;
    this.includeObject = query.text("includeObject");
    this.bookmarks = query.flag("allowWatchBookmarks");
  }

  static void serve(
      Store store,
      RequestTarget target,
      RequestExchange exchange,
      AnswerForm form,
      boolean streamsLists)
      throws StatusException, IOException, InterruptedException {
    QueryParameters query = exchange.query();
    Predicate<JsonObject> requested = RequestSelectors.of(target.type(), query);
    String name = target.name();
    Predicate<JsonObject> selected =
        name.isEmpty()
            ? requested
            : requested.and(o -> JsonBodies.text(o, "metadata", "name").equals(name));
    long version = query.version();
    long seconds = query.number("timeoutSeconds", 0);
    if (seconds <= 0) {
      seconds = 1800 + ThreadLocalRandom.current().nextLong(1800);
    }
    boolean streamed =
        query.text("sendInitialEvents").equals("true")
            || streamsLists && ListPages.streamsByDefault(query);
    if (WebSocketHandshake.refuses(exchange)) {
      return;
    }
    new WatchHandler(target, selected, form, query, streamed)
        .run(store, exchange, version, seconds);
  }

  private void run(Store store, RequestExchange exchange, long version, long seconds)
      throws IOException, InterruptedException {
    QueryParameters query = exchange.query();
    boolean ahead = version > store.version();
    // the watch must start before the client sees the headers: it expects every later change
    Optional<WatchStart> watchStart = ahead ? Optional.empty() : startWatch(store, version, query);
    try (OutputStream out = exchange.stream(contentType())) {
      out.flush();
      if (ahead) {
        if (!awaitFutureVersion(store, version, seconds, query)) {
          return;
        }
        watchStart = startWatch(store, version, query);
      }
      if (watchStart.isEmpty()) {
        out.write(
            AnswerEncoder.error(
                StatusException.expired(
                    "too old resource version: " + version + " (" + store.version() + ")"),
                form));
        out.flush();
        return;
      }
      Store.ObjectListing listing = watchStart.get().listing();
      if (listing != null) {
        sendInitialEvents(listing, out);
      }
      follow(watchStart.get().cursor(), out, seconds);
    }
  }

  private String contentType() {
    return form.encoding() == AnswerForm.BodyEncoding.JSON
        ? "application/json"
        : form.encoding().type() + ";stream=watch";
  }

  private record WatchStart(Store.@Nullable ObjectListing listing, Store.EventCursor cursor) {}

  private Optional<WatchStart> startWatch(Store store, long version, QueryParameters query) {
    boolean fromNow = version <= 0;
    if (!streamed && !fromNow) {
      return store.from(version).map(cursor -> new WatchStart(null, cursor));
    }
    List<Store.EventCursor> cursor = new ArrayList<>();
    Store.ObjectListing listing = store.listThen(prefix, cursor);
    boolean sendsListing = streamed || !query.has("sendInitialEvents");
    return Optional.of(new WatchStart(sendsListing ? listing : null, cursor.getFirst()));
  }

  private void sendInitialEvents(Store.ObjectListing listing, OutputStream out) throws IOException {
    for (StoredObject object : listing.objects()) {
      if (selected.test(object.tree())) {
        write(out, "ADDED", object);
      }
    }
    if (streamed && bookmarks) {
      sendBookmark(out, listing.version(), true);
    }
    out.flush();
  }

  // Waits for a version in the future, like a server whose cache lags.
  private static boolean awaitFutureVersion(
      Store store, long version, long seconds, QueryParameters query) throws InterruptedException {
    return store.awaitVersion(
        version, query.has("sendInitialEvents") ? Math.min(seconds, 3) : seconds, TimeUnit.SECONDS);
  }

  private void follow(Store.EventCursor cursor, OutputStream out, long seconds)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long nextBookmark = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOOKMARK_SECONDS);
    long flushed = System.nanoTime() - BATCH_DELAY_NANOS;
    while (true) {
      if (System.nanoTime() - flushed < BATCH_DELAY_NANOS) {
        LockSupport.parkNanos(
            BATCH_DELAY_NANOS); // batches many events into one write to the socket
      }
      long now = System.nanoTime();
      if (end - now <= 0) {
        if (bookmarks) {
          sendBookmark(out, cursor.version(), false);
          out.flush();
        }
        return;
      }
      long until = bookmarks ? Math.min(end - now, nextBookmark - now) : end - now;
      List<StoreEvent> events = cursor.take(BATCH, Math.max(0, until));
      if (events == null) {
        // the ring has overwritten the next event, or the server stops: the client lists again
        return;
      }
      for (StoreEvent event : events) {
        sendEvent(event, out);
      }
      if (events.isEmpty() && bookmarks && nextBookmark - System.nanoTime() <= 0) {
        sendBookmark(out, cursor.version(), false);
        nextBookmark = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOOKMARK_SECONDS);
      }
      out.flush();
      flushed = System.nanoTime();
    }
  }

  private void sendEvent(StoreEvent event, OutputStream out) throws IOException {
    StoredObject after = event.after();
    StoredObject before = event.before();
    StoredObject subject = after != null ? after : before;
    if (subject == null || !subject.key().startsWith(prefix)) {
      return;
    }
    boolean matchedBefore = before != null && selected.test(before.tree());
    boolean matchesNow = after != null && selected.test(after.tree());
    if (matchesNow && after != null) {
      write(out, matchedBefore ? "MODIFIED" : "ADDED", after);
    } else if (matchedBefore && before != null) {
      write(
          out, "DELETED", event.last() != null ? event.last() : asDeleted(before, event.version()));
    }
  }

  /**
   * Returns the last state that matched the selector, with the version of the change that ended the
   * match.
   */
  private static StoredObject asDeleted(StoredObject before, long version) {
    JsonObject tree = before.copy();
    tree.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(version));
    return new StoredObject(before.key(), tree, version);
  }

  private void sendBookmark(OutputStream out, long version, boolean endsInitialEvents)
      throws IOException {
    out.write(AnswerEncoder.bookmark(type, version, endsInitialEvents, form, first));
    first = false;
  }

  private void write(OutputStream out, String eventType, StoredObject object) throws IOException {
    out.write(
        AnswerEncoder.event(
            type, eventType, object, form, new AnswerEncoder.TableOptions(includeObject, first)));
    first = false;
  }
}
