package dev.mooring.kube.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.Headers;
import okhttp3.Response;

/** A response of an API server, whose body may be read once. Closing it ends the call. */
public final class ApiResponse implements AutoCloseable {
  private static final List<Integer> REDIRECTS = List.of(300, 301, 302, 303, 307, 308);

  private final String url;
  private final int code;
  private final Map<String, String> headers; // by name in lower case
  private final InputStream body;

  ApiResponse(String url, int code, Map<String, String> headers, InputStream body) {
    this.url = url;
    this.code = code;
    this.headers = headers;
    this.body = body;
  }

  public static ApiResponse of(Response response) {
    Headers lines = response.headers();
    Map<String, String> headers = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      headers.put(lines.name(i).toLowerCase(Locale.ROOT), lines.value(i));
    }
    return new ApiResponse(
        response.request().url().toString(),
        response.code(),
        headers,
        response.body().byteStream());
  }

  public String url() {
    return url;
  }

  public int code() {
    return code;
  }

  public boolean isSuccessful() {
    return code / 100 == 2;
  }

  public boolean isRedirect() {
    return REDIRECTS.contains(code);
  }

  // Returns "" for an absent header. The name must be in lower case.
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  public InputStream body() {
    return body;
  }

  public String readText() throws IOException {
    return new String(body.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException e) {
      // the connection is broken, and its response is not needed any more
    }
  }
}
