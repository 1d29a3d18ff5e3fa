package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What goes wrong with a single question or write. */
sealed interface CallFault extends InjectedFault {
  /** The server is never asked, and the client never answered. */
  record Hanging(Duration length) implements CallFault {
    @Override
    public boolean suits(Request request) {
      return !request.isWatch();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.pause(length);
      exchange.cut();
    }
  }

  /** The server does it, or says it, and the answer does not come. */
  record LostAnswer(Duration after) implements CallFault {
    @Override
    public boolean isDoneWithoutAnswer() {
      return true;
    }

    @Override
    public boolean suits(Request request) {
      return !request.isWatch();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.ask(exchange.request()).body().readAllBytes();
      exchange.pause(after);
      exchange.cut();
    }
  }

  /**
   * The client is cut off, and the server gets it when the client has long tried again, or wants
   * something else.
   */
  record Late(Duration by) implements CallFault {
    @Override
    public boolean isDoneWithoutAnswer() {
      return true;
    }

    @Override
    public boolean suits(Request request) {
      return request.isWrite();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.cut();
      exchange.arriveLate(by);
    }
  }

  /** The answer comes in small pieces. */
  record SlowBytes(int pieces, Duration length) implements CallFault {
    @Override
    public boolean suits(Request request) {
      return !request.isWatch();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      ProxyLink.Answer answer = exchange.ask(exchange.request());
      byte[] all = answer.body().readAllBytes();
      exchange.begin(answer.head());
      int size = Math.max(1, all.length / pieces);
      for (int from = 0; from < all.length; from += size) {
        byte[] piece = java.util.Arrays.copyOfRange(all, from, Math.min(all.length, from + size));
        exchange.write(piece, piece.length);
        exchange.pause(length.dividedBy(pieces));
      }
      exchange.end();
      exchange.done(answer);
    }
  }

  /** A webhook or a quota has enough of one object; others may go on. */
  record ObjectThrottled() implements CallFault {
    @Override
    public boolean suits(Request request) {
      return request.isWrite();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      String message =
          "admission webhook \"limits.example.com\" denied the request: too many changes";
      exchange.answer(429, ProxyStatuses.of(429, "TooManyRequests", message), Map.of());
    }
  }

  /** The server itself has too much to do. */
  record ServerThrottled() implements CallFault {
    @Override
    public boolean suits(Request request) {
      return !request.isWatch();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      String message = "too many requests, please try again later";
      exchange.answer(
          429,
          ProxyStatuses.retryAfter(ProxyStatuses.of(429, "TooManyRequests", message), 1),
          Map.of(
              "retry-after",
              "1",
              "x-kubernetes-pf-flowschema-uid",
              "8e2a1b3c-0000-4000-8000-000000000001",
              "x-kubernetes-pf-prioritylevel-uid",
              "8e2a1b3c-0000-4000-8000-000000000002"));
    }
  }

  /** Somebody else is said to have changed the object. */
  record Conflicting() implements CallFault {
    @Override
    public boolean suits(Request request) {
      return request.method().equals("PATCH") || request.method().equals("PUT");
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      String message =
          "Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest version and try again";
      exchange.answer(409, ProxyStatuses.of(409, "Conflict", message), Map.of());
    }
  }

  /** The token is another one from now on, and in its file a little later. */
  record Revoked(Duration late) implements CallFault {
    @Override
    public boolean suits(Request request) {
      return true;
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.revoke(late);
      new Refused().play(exchange);
    }
  }

  /** Whoever asks shows a token that was revoked. */
  record Refused() implements CallFault {
    @Override
    public boolean suits(Request request) {
      return true;
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(401, ProxyStatuses.of(401, "Unauthorized", "Unauthorized"), Map.of());
    }
  }

  /** The server fails, before it has done anything. */
  record Failing(int code) implements CallFault {
    @Override
    public boolean suits(Request request) {
      return !request.isWatch();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      String reason =
          switch (code) {
            case 503 -> "ServiceUnavailable";
            case 504 -> "Timeout";
            default -> "InternalError";
          };
      exchange.answer(
          code, ProxyStatuses.of(code, reason, "etcdserver: request timed out"), Map.of());
    }
  }

  /** A proxy redirects the request to the same path: who follows it asks with GET. */
  record Redirected(int code) implements CallFault {
    @Override
    public boolean suits(Request request) {
      return true;
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(code, new JsonObject(), Map.of("location", exchange.request().path()));
    }
  }

  /** The server does it and says that it timed out. */
  record DoneAndTimedOut() implements CallFault {
    @Override
    public boolean isDoneWithoutAnswer() {
      return true;
    }

    @Override
    public boolean suits(Request request) {
      return request.isWrite();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      ProxyLink.Answer answer = exchange.ask(exchange.request());
      answer.body().readAllBytes();
      exchange.done(answer);
      exchange.answer(
          504, ProxyStatuses.of(504, "Timeout", "request did not complete within 60s"), Map.of());
    }
  }
}
