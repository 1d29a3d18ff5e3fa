package dev.mooring.it.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** Faults of paginated lists. */
sealed interface ListFault extends InjectedFault {
  @Override
  default boolean suits(ProxiedRequest request) {
    return request.isList();
  }

  /** The list breaks off in the middle. */
  record CutList() implements ListFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      ProxyLink.Answer answer = exchange.ask(exchange.request());
      byte[] all = answer.body().readAllBytes();
      exchange.begin(answer.head());
      byte[] half = Arrays.copyOf(all, all.length / 2);
      exchange.write(half, half.length);
      exchange.cut();
    }
  }

  /** The list starts late. */
  record LongList(Duration length) implements ListFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.pause(length);
      exchange.forward();
    }
  }

  /** The server rejects the list: 410, 429, 500, 504. */
  record RefusedList(int code) implements ListFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(code, WatchFault.refusal(code), Map.of());
    }
  }
}
