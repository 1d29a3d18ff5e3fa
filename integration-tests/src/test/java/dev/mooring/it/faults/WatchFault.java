package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What goes wrong with watches and with streaming lists. */
sealed interface WatchFault extends InjectedFault {
  @Override
  default boolean suits(Request request) {
    return request.isWatch();
  }

  /** What a server says in an ERROR event, or instead of a list. */
  static JsonObject refusal(int code) {
    return switch (code) {
      case 400 -> ProxyStatuses.of(400, "BadRequest", "sendInitialEvents is forbidden for watch");
      case 410 -> ProxyStatuses.of(410, "Expired", "too old resource version: 1 (1000)");
      case 422 ->
          ProxyStatuses.of(
              422,
              "Invalid",
              "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
      case 429 ->
          ProxyStatuses.retryAfter(
              ProxyStatuses.of(429, "TooManyRequests", "storage is (re)initializing"), 1);
      case 504 -> ProxyStatuses.futureVersion();
      default -> ProxyStatuses.of(code, "InternalError", "etcdserver: leader changed");
    };
  }

  /** When in a stream it happens: after so many events, but not later than after so long. */
  record When(int events, Duration latest) {}

  /** The connection stays, and nothing comes any more; in the end it is cut. */
  record Muted(When when, Duration length) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (Stream stream = Stream.of(exchange, "")) {
        stream.pass(when);
        exchange.pause(length);
        exchange.cut();
      }
    }
  }

  /** The connection breaks off. */
  record CutWatch(When when) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (Stream stream = Stream.of(exchange, "")) {
        stream.pass(when);
        exchange.cut();
      }
    }
  }

  /** The watch ends in good order, long before its time. */
  record EndedWatch(When when) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (Stream stream = Stream.of(exchange, "")) {
        stream.pass(when);
        exchange.end();
      }
    }
  }

  /** The watch ends in good order with nothing in it, in the encoding of custom resources. */
  record EmptyWatch() implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      try (Stream _ = Stream.of(exchange, Stream.JSON)) {
        exchange.end();
      }
    }
  }

  /** An ERROR event: 410, 429, 500, 504 for too large a resource version. */
  record ErrorEvent(int code, When when) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (Stream stream = Stream.of(exchange, Stream.JSON)) {
        stream.pass(when);
        stream.insert(ProxyStatuses.event("ERROR", refusal(code)));
        exchange.end();
      }
    }
  }

  /** The watch is refused with that code before it begins. */
  record RefusedWatch(int code) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(code, refusal(code), Map.of());
    }
  }

  /** A server that cannot stream lists: 400 and 422 as answers, others as ERROR events. */
  record RefusedStreaming(int code) implements WatchFault {
    @Override
    public boolean suits(Request request) {
      return request.isStreamingList();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      if (code == 400 || code == 422) {
        exchange.answer(code, refusal(code), Map.of());
        return;
      }
      try (Stream stream = Stream.of(exchange, Stream.JSON)) {
        stream.insert(ProxyStatuses.event("ERROR", refusal(code)));
        exchange.end();
      }
    }
  }

  /** Events come twice, and bookmarks of the past between them. */
  record Repeating(Duration length) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (Stream stream = Stream.of(exchange, Stream.JSON)) {
        stream.repeat(length);
        exchange.end();
      }
    }
  }

  /** Events are late, all by the same. */
  record Lagging(Duration lag, Duration length) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (Stream stream = Stream.of(exchange, "")) {
        stream.lag(lag, length);
        exchange.end();
      }
    }
  }
}
