package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** Faults of a single read or write. */
sealed interface CallFault extends InjectedFault {
  /** The request never reaches the server, and the client gets no response. */
  record HangingCall(Duration length) implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return !request.isWatch();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.pause(length);
      exchange.cutConnections();
    }
  }

  /** The server executes the request, and the response is lost. */
  record LostResponse(Duration delay) implements CallFault {
    @Override
    public boolean isExecutedWithoutResponse() {
      return true;
    }

    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return !request.isWatch();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.send(exchange.request()).body().readAllBytes();
      exchange.pause(delay);
      exchange.cutConnections();
    }
  }

  /** The proxy disconnects the client and delivers the request to the server after a delay. */
  record LateDelivery(Duration delay) implements CallFault {
    @Override
    public boolean isExecutedWithoutResponse() {
      return true;
    }

    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return request.isWrite();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.cutConnections();
      exchange.deliverAfter(delay);
    }
  }

  /** The response arrives in small pieces. */
  record SlowResponse(int chunks, Duration length) implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return !request.isWatch();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      ProxyLink.Response response = exchange.send(exchange.request());
      byte[] bytes = response.body().readAllBytes();
      exchange.sendHead(response.head());
      int chunkSize = Math.max(1, bytes.length / chunks);
      for (int start = 0; start < bytes.length; start += chunkSize) {
        byte[] chunk = Arrays.copyOfRange(bytes, start, Math.min(bytes.length, start + chunkSize));
        exchange.write(chunk, chunk.length);
        exchange.pause(length.dividedBy(chunks));
      }
      exchange.endBody();
      exchange.finish(response);
    }
  }

  /** A webhook or a quota throttles writes of one object; other objects are unaffected. */
  record ObjectThrottled() implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return request.isWrite();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      String message =
          "admission webhook \"limits.example.com\" denied the request: too many changes";
      exchange.sendResponse(429, ProxyStatuses.of(429, "TooManyRequests", message), Map.of());
    }
  }

  /** The server as a whole is overloaded. */
  record ServerThrottled() implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return !request.isWatch();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      String message = "too many requests, please try again later";
      exchange.sendResponse(
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

  /** The client gets a conflict without a concurrent write. */
  record FalseConflict() implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return request.method().equals("PATCH") || request.method().equals("PUT");
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      String message =
          "Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest version and try again";
      exchange.sendResponse(409, ProxyStatuses.of(409, "Conflict", message), Map.of());
    }
  }

  /** The current token becomes invalid; its file contains the successor only after the delay. */
  record RevokedToken(Duration fileDelay) implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return true;
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException, InterruptedException {
      exchange.revokeToken(fileDelay);
      new RejectedToken().inject(exchange);
    }
  }

  /** The client presents a revoked token. */
  record RejectedToken() implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return true;
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      exchange.sendResponse(401, ProxyStatuses.of(401, "Unauthorized", "Unauthorized"), Map.of());
    }
  }

  /** The server fails before it executes the request. */
  record FailedCall(int code) implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return !request.isWatch();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      String reason =
          switch (code) {
            case 503 -> "ServiceUnavailable";
            case 504 -> "Timeout";
            default -> "InternalError";
          };
      exchange.sendResponse(
          code, ProxyStatuses.of(code, reason, "etcdserver: request timed out"), Map.of());
    }
  }

  /** A proxy redirects the request to the same path; a client that follows sends GET. */
  record RedirectedCall(int code) implements CallFault {
    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return true;
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      exchange.sendResponse(code, new JsonObject(), Map.of("location", exchange.request().path()));
    }
  }

  /** The server executes the request but reports a timeout. */
  record ExecutedTimeout() implements CallFault {
    @Override
    public boolean isExecutedWithoutResponse() {
      return true;
    }

    @Override
    public boolean canApplyTo(ProxiedRequest request) {
      return request.isWrite();
    }

    @Override
    public void inject(ProxiedExchange exchange) throws IOException {
      ProxyLink.Response response = exchange.send(exchange.request());
      response.body().readAllBytes();
      exchange.finish(response);
      exchange.sendResponse(
          504, ProxyStatuses.of(504, "Timeout", "request did not complete within 60s"), Map.of());
    }
  }
}
