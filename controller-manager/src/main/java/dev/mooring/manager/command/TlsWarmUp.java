package dev.mooring.manager.command;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.KubeConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;

/**
 * Sends a request over TLS while the AOT cache is recorded. Uses the JDK's server. The embedded
 * server would add its TLS classes to the cache, which a controller-manager never uses and which
 * cost every start 7 MiB.
 */
final class TlsWarmUp {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: here, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
      users: [{name: me, user: {token: none}}]
      contexts: [{name: here, context: {cluster: here, user: me}}]
      current-context: here
      """;

  private TlsWarmUp() {}

  static void run() throws IOException, UsageException {
    CertificateAuthority authority;
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try {
      authority = new CertificateAuthority();
      server.setHttpsConfigurator(new HttpsConfigurator(authority.server()));
      server.createContext(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
          });
      server.start();
      sendRequest(
          KUBECONFIG.formatted(
              server.getAddress().getPort(),
              Base64.getEncoder()
                  .encodeToString(authority.pem().getBytes(StandardCharsets.US_ASCII))));
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime cannot create certificates: " + e.getMessage(), e);
    } finally {
      server.stop(0);
    }
  }

  private static void sendRequest(String kubeconfig) throws IOException, UsageException {
    Path file = Files.createTempFile("mooring-", ".kubeconfig");
    try {
      Files.writeString(file, kubeconfig);
      KubeConnection connection = ClusterOptions.connectTo(file);
      String problem = connection.probe();
      connection.close();
      if (!problem.isEmpty()) {
        throw new IOException("request over TLS failed: " + problem);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
