package dev.mooring.it.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** What goes wrong with lists in pages. */
sealed interface ListFault extends InjectedFault {
  @Override
  default boolean suits(Request request) {
    return request.isList();
  }

  /** The list breaks off in its middle. */
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

  /** The list takes its time before it begins to come. */
  record LongList(Duration length) implements ListFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.pause(length);
      exchange.forward();
    }
  }

  /** The server refuses the list: 410, 429, 500, 504. */
  record RefusedList(int code) implements ListFault {
    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(code, WatchFault.refusal(code), Map.of());
    }
  }
}
