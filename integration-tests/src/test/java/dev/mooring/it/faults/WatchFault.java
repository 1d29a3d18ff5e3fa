package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Faults of watches and streaming lists. */
sealed interface WatchFault extends InjectedFault {
  @Override
  default boolean canApplyTo(ProxiedRequest request) {
    return request.isWatch();
  }

  /** Returns the status that a server sends in an ERROR event or instead of a list. */
  static JsonObject statusOf(int code) {
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
      case 504 -> ProxyStatuses.versionTooLarge();
      default -> ProxyStatuses.of(code, "InternalError", "etcdserver: leader changed");
    };
  }

  /**
   * The point in a stream at which a fault occurs. It is reached after a number of events or after
   * a duration.
   */
  record StreamPoint(int events, Duration latest) {}

  /** The connection stays open without events until the proxy cuts it. */
  record SilentWatch(StreamPoint point, Duration length) implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, "")) {
        stream.forwardUntil(point);
        exchange.pause(length);
        exchange.cutConnections();
      }
    }
  }

  /** The proxy cuts the connection. */
  record CutWatch(StreamPoint point) implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, "")) {
        stream.forwardUntil(point);
        exchange.cutConnections();
      }
    }
  }

  /** The watch ends cleanly, long before its timeout. */
  record EndedWatch(StreamPoint point) implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, "")) {
        stream.forwardUntil(point);
        exchange.endBody();
      }
    }
  }

  /** The watch ends cleanly without events, in the encoding of custom resources. */
  record EmptyWatch() implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      try (WatchStream _ = WatchStream.of(exchange, WatchStream.JSON)) {
        exchange.endBody();
      }
    }
  }

  /** An ERROR event: 410, 429, 500, or 504 for a too large resource version. */
  record ErrorEvent(int code, StreamPoint point) implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, WatchStream.JSON)) {
        stream.forwardUntil(point);
        stream.insert(ProxyStatuses.encodeEvent("ERROR", statusOf(code)));
        exchange.endBody();
      }
    }
  }

  /** The server rejects the watch with the code. */
  record RejectedWatch(int code) implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      exchange.sendResponse(code, statusOf(code), Map.of());
    }
  }

  /**
   * The server cannot stream lists: it answers 400 and 422 as responses, other codes as ERROR
   * events.
   */
  record RejectedStreaming(int code) implements WatchFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return request.isStreamingList();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      if (code == 400 || code == 422) {
        exchange.sendResponse(code, statusOf(code), Map.of());
        return;
      }
      try (WatchStream stream = WatchStream.of(exchange, WatchStream.JSON)) {
        stream.insert(ProxyStatuses.encodeEvent("ERROR", statusOf(code)));
        exchange.endBody();
      }
    }
  }

  /** Events arrive twice, interleaved with stale bookmarks. */
  record RepeatedEvents(Duration length) implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, WatchStream.JSON)) {
        stream.repeatEvents(length);
        exchange.endBody();
      }
    }
  }

  /** All events arrive with the same delay. */
  record DelayedEvents(Duration lag, Duration length) implements WatchFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      try (WatchStream stream = WatchStream.of(exchange, "")) {
        stream.delayEvents(lag, length);
        exchange.endBody();
      }
    }
  }
}
