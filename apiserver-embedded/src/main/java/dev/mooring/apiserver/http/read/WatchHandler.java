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
  private static final int BATCH_EVENTS = 512;
  private static final long BOOKMARK_SECONDS = 10;

  private final ResourceType type;
  private final String prefix;
  private final Predicate<JsonObject> selector;
  private final AnswerForm form;
  private final String includeObject;
  private final boolean sendsBookmarks;
  private final boolean isStreamed;
  private boolean isFirst = true;

  private WatchHandler(
      RequestTarget target,
      Predicate<JsonObject> selector,
      AnswerForm form,
      QueryParameters query,
      boolean isStreamed) {
    this.isStreamed = isStreamed;
    this.type = target.type();
    this.prefix = target.namespace().isEmpty() ? "" : target.namespace() + "/";
    this.selector = selector;
    this.form = form;
    this.includeObject = query.getText("includeObject");
    this.sendsBookmarks = query.getFlag("allowWatchBookmarks");
  }

  static void serve(
      Store store,
      RequestTarget target,
      RequestExchange exchange,
      AnswerForm form,
      boolean streamsLists)
      throws StatusException, IOException, InterruptedException {
    QueryParameters query = exchange.query();
    Predicate<JsonObject> requestedSelector = RequestSelectors.parse(target.type(), query);
    String name = target.name();
    Predicate<JsonObject> selector =
        name.isEmpty()
            ? requestedSelector
            : requestedSelector.and(o -> JsonBodies.textAt(o, "metadata", "name").equals(name));
    long version = query.getVersion();
    long seconds = query.getNumber("timeoutSeconds", 0);
    if (seconds <= 0) {
      seconds = 1800 + ThreadLocalRandom.current().nextLong(1800);
    }
    boolean isStreamed =
        query.getText("sendInitialEvents").equals("true")
            || streamsLists && ListPages.isStreamedByDefault(query);
    if (WebSocketHandshake.refuseIfInvalid(exchange)) {
      return;
    }
    new WatchHandler(target, selector, form, query, isStreamed)
        .run(store, exchange, version, seconds);
  }

  private void run(Store store, RequestExchange exchange, long version, long seconds)
      throws IOException, InterruptedException {
    QueryParameters query = exchange.query();
    boolean isAhead = version > store.version();
    // the watch must start before the client sees the headers: it expects every later change
    Optional<WatchStart> watchStart =
        isAhead ? Optional.empty() : startWatch(store, version, query);
    try (OutputStream out = exchange.startStream(getContentType())) {
      out.flush();
      if (isAhead) {
        if (!awaitFutureVersion(store, version, seconds, query)) {
          return;
        }
        watchStart = startWatch(store, version, query);
      }
      if (watchStart.isEmpty()) {
        out.write(
            AnswerEncoder.encodeError(
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
      sendChanges(watchStart.get().cursor(), out, seconds);
    }
  }

  private String getContentType() {
    return form.encoding() == AnswerForm.BodyEncoding.JSON
        ? "application/json"
        : form.encoding().type() + ";stream=watch";
  }

  private record WatchStart(Store.@Nullable ObjectListing listing, Store.EventCursor cursor) {}

  private Optional<WatchStart> startWatch(Store store, long version, QueryParameters query) {
    boolean startsNow = version <= 0;
    if (!isStreamed && !startsNow) {
      return store.openCursor(version).map(cursor -> new WatchStart(null, cursor));
    }
    List<Store.EventCursor> cursors = new ArrayList<>();
    Store.ObjectListing listing = store.listAndOpenCursor(prefix, cursors);
    boolean sendsListing = isStreamed || !query.has("sendInitialEvents");
    return Optional.of(new WatchStart(sendsListing ? listing : null, cursors.getFirst()));
  }

  private void sendInitialEvents(Store.ObjectListing listing, OutputStream out) throws IOException {
    for (StoredObject object : listing.objects()) {
      if (selector.test(object.tree())) {
        write(out, "ADDED", object);
      }
    }
    if (isStreamed && sendsBookmarks) {
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

  private void sendChanges(Store.EventCursor cursor, OutputStream out, long seconds)
      throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long nextBookmark = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOOKMARK_SECONDS);
    long flushedNanos = System.nanoTime() - BATCH_DELAY_NANOS;
    while (true) {
      if (System.nanoTime() - flushedNanos < BATCH_DELAY_NANOS) {
        LockSupport.parkNanos(
            BATCH_DELAY_NANOS); // batches many events into one write to the socket
      }
      long now = System.nanoTime();
      if (endNanos - now <= 0) {
        if (sendsBookmarks) {
          sendBookmark(out, cursor.version(), false);
          out.flush();
        }
        return;
      }
      long waitNanos =
          sendsBookmarks ? Math.min(endNanos - now, nextBookmark - now) : endNanos - now;
      List<StoreEvent> events = cursor.take(BATCH_EVENTS, Math.max(0, waitNanos));
      if (events == null) {
        // the ring has overwritten the next event, or the server stops: the client lists again
        return;
      }
      for (StoreEvent event : events) {
        sendEvent(event, out);
      }
      if (events.isEmpty() && sendsBookmarks && nextBookmark - System.nanoTime() <= 0) {
        sendBookmark(out, cursor.version(), false);
        nextBookmark = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOOKMARK_SECONDS);
      }
      out.flush();
      flushedNanos = System.nanoTime();
    }
  }

  private void sendEvent(StoreEvent event, OutputStream out) throws IOException {
    StoredObject after = event.after();
    StoredObject old = event.before();
    StoredObject subject = after != null ? after : old;
    if (subject == null || !subject.key().startsWith(prefix)) {
      return;
    }
    boolean matchedBefore = old != null && selector.test(old.tree());
    boolean matchesNow = after != null && selector.test(after.tree());
    if (matchesNow && after != null) {
      write(out, matchedBefore ? "MODIFIED" : "ADDED", after);
    } else if (matchedBefore && old != null) {
      write(
          out, "DELETED", event.last() != null ? event.last() : makeDeleted(old, event.version()));
    }
  }

  /**
   * Returns the last state that matched the selector, with the version of the change that ended the
   * match.
   */
  private static StoredObject makeDeleted(StoredObject old, long version) {
    JsonObject tree = old.copy();
    tree.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(version));
    return new StoredObject(old.key(), tree, version);
  }

  private void sendBookmark(OutputStream out, long version, boolean endsInitialEvents)
      throws IOException {
    out.write(AnswerEncoder.encodeBookmark(type, version, endsInitialEvents, form, isFirst));
    isFirst = false;
  }

  private void write(OutputStream out, String eventType, StoredObject object) throws IOException {
    out.write(
        AnswerEncoder.encodeEvent(
            type, eventType, object, form, new AnswerEncoder.TableOptions(includeObject, isFirst)));
    isFirst = false;
  }
}
