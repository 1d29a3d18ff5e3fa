package dev.mooring.kube.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/** Sends calls with the HTTP client's library, which supports proxies. */
record LibraryCalls(HttpUrl server, OkHttpClient client) implements ApiCalls {
  LibraryCalls with(OkHttpClient newClient) {
    return new LibraryCalls(server, newClient);
  }

  @Override
  public ApiResponse execute(ApiRequest request, String authorization, Duration limit)
      throws IOException {
    HttpUrl url = server.resolve(request.target());
    if (url == null) {
      throw new IOException("the address " + request.target() + " is not valid");
    }
    Request.Builder builder =
        new Request.Builder().url(url).method(request.method(), makeBody(request));
    request
        .headers()
        .forEach((name, values) -> values.forEach(value -> builder.addHeader(name, value)));
    if (!authorization.isEmpty()) {
      builder.header("Authorization", authorization);
    }
    Call call = client.newCall(builder.build());
    call.timeout().timeout(limit.toNanos(), TimeUnit.NANOSECONDS);
    return ApiResponse.of(call.execute());
  }

  private static @Nullable RequestBody makeBody(ApiRequest request) {
    return request.contentType().isEmpty()
        ? null
        : RequestBody.create(request.body(), MediaType.get(request.contentType()));
  }

  @Override
  public void retireConnections() {
    client.connectionPool().evictAll();
  }

  @Override
  public void abandonSilentCalls(Duration silence) {
    // pings on each connection find silent ones
  }

  @Override
  public void cancelAll() {
    client.dispatcher().cancelAll();
  }
}
