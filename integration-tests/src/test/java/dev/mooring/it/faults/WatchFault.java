package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Faults of watches and streaming lists. */
sealed interface WatchFault extends InjectedFault {
  @Override
  default boolean suits(ProxiedRequest request) {
    return request.isWatch();
  }

  /** Returns the status that a server sends in an ERROR event or instead of a list. */
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

  /**
   * The point in a stream at which a fault occurs: after a number of events, at the latest after a
   * duration.
   */
  record When(int events, Duration latest) {}

  /** The connection stays open without events, and is finally cut. */
  record Muted(When when, Duration length) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, "")) {
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
      try (WatchStream stream = WatchStream.of(exchange, "")) {
        stream.pass(when);
        exchange.cut();
      }
    }
  }

  /** The watch ends cleanly, long before its timeout. */
  record EndedWatch(When when) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, "")) {
        stream.pass(when);
        exchange.end();
      }
    }
  }

  /** The watch ends cleanly without events, in the encoding of custom resources. */
  record EmptyWatch() implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      try (WatchStream _ = WatchStream.of(exchange, WatchStream.JSON)) {
        exchange.end();
      }
    }
  }

  /** An ERROR event: 410, 429, 500, or 504 for a too large resource version. */
  record ErrorEvent(int code, When when) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, WatchStream.JSON)) {
        stream.pass(when);
        stream.insert(ProxyStatuses.event("ERROR", refusal(code)));
        exchange.end();
      }
    }
  }

  /** The server rejects the watch with the code. */
  record RefusedWatch(int code) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(code, refusal(code), Map.of());
    }
  }

  /**
   * The server cannot stream lists: it answers 400 and 422 as responses, other codes as ERROR
   * events.
   */
  record RefusedStreaming(int code) implements WatchFault {
    @Override
    public boolean suits(ProxiedRequest request) {
      return request.isStreamingList();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      if (code == 400 || code == 422) {
        exchange.answer(code, refusal(code), Map.of());
        return;
      }
      try (WatchStream stream = WatchStream.of(exchange, WatchStream.JSON)) {
        stream.insert(ProxyStatuses.event("ERROR", refusal(code)));
        exchange.end();
      }
    }
  }

  /** Events arrive twice, interleaved with stale bookmarks. */
  record Repeating(Duration length) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, WatchStream.JSON)) {
        stream.repeat(length);
        exchange.end();
      }
    }
  }

  /** All events are delayed by the same time. */
  record Lagging(Duration lag, Duration length) implements WatchFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, "")) {
        stream.lag(lag, length);
        exchange.end();
      }
    }
  }
}
