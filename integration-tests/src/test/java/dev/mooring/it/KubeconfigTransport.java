package dev.mooring.it;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.nio.file.Path;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Sends requests with the certificates and token of a kubeconfig. */
final class KubeconfigTransport implements RestApi.Transport {
  private final String url;
  private final String token;
  private final OkHttpClient http;

  KubeconfigTransport(Path file) throws IOException {
    ApiClient client = Config.fromConfig(file.toString());
    this.url = client.getBasePath();
    this.http = client.getHttpClient();
    this.token = ServerEndpoint.token(client);
  }

  @Override
  public RestApi.Answer send(String method, String path, String contentType, String body)
      throws IOException {
    Request.Builder request =
        new Request.Builder().url(url + path).header("Accept", "application/json");
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    boolean hasNoBody = method.equals("GET") || method.equals("DELETE") && body.isEmpty();
    request.method(
        method,
        hasNoBody
            ? null
            : RequestBody.create(
                body, MediaType.get(contentType.isEmpty() ? "application/json" : contentType)));
    try (Response response = http.newCall(request.build()).execute()) {
      return new RestApi.Answer(response.code(), response.body().string());
    }
  }
}
