package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Faults of a single read or write. */
sealed interface CallFault extends InjectedFault {
  /** The request never reaches the server, and the client gets no response. */
  record Hanging(Duration length) implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
      return !request.isWatch();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.pause(length);
      exchange.cut();
    }
  }

  /** The server executes the request, and the response is lost. */
  record LostAnswer(Duration after) implements CallFault {
    @Override
    public boolean isDoneWithoutAnswer() {
      return true;
    }

    @Override
    public boolean suits(ProxiedRequest request) {
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
   * The client is disconnected; the server receives the request after the client has retried or
   * moved on.
   */
  record Late(Duration by) implements CallFault {
    @Override
    public boolean isDoneWithoutAnswer() {
      return true;
    }

    @Override
    public boolean suits(ProxiedRequest request) {
      return request.isWrite();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.cut();
      exchange.deliverLate(by);
    }
  }

  /** The response arrives in small pieces. */
  record SlowBytes(int pieces, Duration length) implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
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

  /** A webhook or a quota throttles writes of one object; other objects are unaffected. */
  record ObjectThrottled() implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
      return request.isWrite();
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      String message =
          "admission webhook \"limits.example.com\" denied the request: too many changes";
      exchange.answer(429, ProxyStatuses.of(429, "TooManyRequests", message), Map.of());
    }
  }

  /** The server as a whole is overloaded. */
  record ServerThrottled() implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
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

  /** A conflict is reported without a concurrent write. */
  record Conflicting() implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
      return request.method().equals("PATCH") || request.method().equals("PUT");
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      String message =
          "Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest version and try again";
      exchange.answer(409, ProxyStatuses.of(409, "Conflict", message), Map.of());
    }
  }

  /** The current token becomes invalid; its file contains the successor only after the delay. */
  record Revoked(Duration late) implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
      return true;
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.revoke(late);
      new Refused().play(exchange);
    }
  }

  /** The client presents a revoked token. */
  record Refused() implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
      return true;
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(401, ProxyStatuses.of(401, "Unauthorized", "Unauthorized"), Map.of());
    }
  }

  /** The server fails before it executes the request. */
  record Failing(int code) implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
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

  /** A proxy redirects the request to the same path; a client that follows sends GET. */
  record Redirected(int code) implements CallFault {
    @Override
    public boolean suits(ProxiedRequest request) {
      return true;
    }

    @Override
    public void play(ProxiedExchange exchange) throws IOException {
      exchange.answer(code, new JsonObject(), Map.of("location", exchange.request().path()));
    }
  }

  /** The server executes the request but reports a timeout. */
  record DoneAndTimedOut() implements CallFault {
    @Override
    public boolean isDoneWithoutAnswer() {
      return true;
    }

    @Override
    public boolean suits(ProxiedRequest request) {
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
