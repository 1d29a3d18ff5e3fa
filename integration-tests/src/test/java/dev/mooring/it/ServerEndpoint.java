package dev.mooring.it;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.ApiKeyAuth;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import javax.net.SocketFactory;

/**
 * An API server for clients that write raw requests.
 *
 * @param token for the Authorization header, "" for none
 * @param sockets creates connections, with TLS if needed
 */
public record ServerEndpoint(URI url, String token, SocketFactory sockets) {
  public static ServerEndpoint of(String url, String token) {
    return new ServerEndpoint(URI.create(url), token, SocketFactory.getDefault());
  }

  /** Returns the server of a kubeconfig, with its certificates and token. */
  public static ServerEndpoint of(Path kubeconfig) throws IOException {
    ApiClient client = Config.fromConfig(kubeconfig.toString());
    URI url = URI.create(client.getBasePath());
    return new ServerEndpoint(
        url,
        token(client),
        url.getScheme().equals("https")
            ? client.getHttpClient().sslSocketFactory()
            : SocketFactory.getDefault());
  }

  /** Returns the bearer token of a client's configuration, "" for none. */
  static String token(ApiClient client) {
    return client.getAuthentication("BearerToken") instanceof ApiKeyAuth key
            && key.getApiKey() != null
        ? key.getApiKey()
        : "";
  }

  public Socket connect() throws IOException {
    int port = url.getPort() < 0 ? (url.getScheme().equals("https") ? 443 : 80) : url.getPort();
    return sockets.createSocket(url.getHost(), port);
  }
}
