package dev.mooring.it.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** Faults of paginated lists. */
sealed interface ListFault extends InjectedFault {
  @Override
  default boolean canApplyTo(ProxiedRequest request) {
    return request.isList();
  }

  /** The proxy cuts the connection after half of the list. */
  record CutList() implements ListFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      ProxyLink.Response response = exchange.send(exchange.request());
      byte[] bytes = response.body().readAllBytes();
      exchange.sendHead(response.head());
      byte[] firstHalf = Arrays.copyOf(bytes, bytes.length / 2);
      exchange.write(firstHalf, firstHalf.length);
      exchange.cutConnections();
    }
  }

  /** The list starts late. */
  record DelayedList(Duration length) implements ListFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.pause(length);
      exchange.forward();
    }
  }

  /** The server rejects the list: 410, 429, 500, 504. */
  record RejectedList(int code) implements ListFault {
    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      exchange.sendResponse(code, WatchFault.statusOf(code), Map.of());
    }
  }
}
