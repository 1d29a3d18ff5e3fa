package dev.mooring.kube;

import dev.mooring.kube.http.ApiResponse;
import java.io.IOException;
import java.util.Map;

/** Reads an API server's own metrics. Thread-safe. */
public final class ServerMetrics {
  private final KubeConnection connection;

  public ServerMetrics(KubeConnection connection) {
    this.connection = connection;
  }

  public String read() throws IOException {
    // with the default Accept header the server would answer in protobuf
    try (ApiResponse response = connection.get(ApiPath.METRICS, Map.of(), "text/plain")) {
      if (!response.isSuccessful()) {
        throw new IOException(
            "the API server at %s answers %s to GET /metrics"
                .formatted(connection.address(), response.code()));
      }
      return response.readText();
    }
  }
}
