package dev.mooring.kube;

import java.io.IOException;
import java.util.Map;
import okhttp3.Response;

/** What an API server tells of itself, for whoever measures it. Thread-safe. */
public final class ServerMetrics {
  private final KubeConnection connection;

  /** Of the server of that connection. */
  public ServerMetrics(KubeConnection connection) {
    this.connection = connection;
  }

  /**
   * Its metrics as they are now, in the text format of Prometheus.
   *
   * @throws IOException if it does not tell; the message says why, on one line
   */
  public String read() throws IOException {
    // it would answer in protobuf if it were asked as for objects
    try (Response answer =
        connection.get(ApiPath.METRICS, Map.of(), Map.of("Accept", "text/plain"))) {
      if (!answer.isSuccessful()) {
        throw new IOException(
            "the API server at "
                + connection.address()
                + " answers "
                + answer.code()
                + " when asked for /metrics");
      }
      return answer.body().string();
    }
  }
}
