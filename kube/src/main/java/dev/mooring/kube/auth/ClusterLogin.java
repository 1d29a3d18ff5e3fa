package dev.mooring.kube.auth;

import dev.mooring.time.Time;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Cluster address, trust, proxy and credentials.
 *
 * @param namespace default namespace of the context; "" for none
 */
public record ClusterLogin(
    HttpUrl server, ServerTrust trust, ProxyRoute proxy, ClientIdentity client, String namespace) {
  private static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /**
   * Server authentication.
   *
   * @param authority trusted CA certificates; {@code NONE} selects those of the Java runtime
   * @param insecureSkipVerify whether any certificate is accepted
   * @param serverName expected name in the certificate; "" for the host in the address
   */
  public record ServerTrust(
      CredentialSource authority, boolean insecureSkipVerify, String serverName) {}

  /**
   * Proxy between this process and the server.
   *
   * @param selector selects by environment variables; null if a proxy is configured
   * @param configuredProxy proxy of the kubeconfig; null for none
   * @param authorization credentials for the proxy; "" for none
   */
  public record ProxyRoute(
      @Nullable ProxySelector selector, @Nullable Proxy configuredProxy, String authorization) {
    public boolean isUsedFor(URI server) {
      return configuredProxy != null
          || selector != null
              && selector.select(server).stream()
                  .anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT);
    }
  }

  record ClientIdentity(Credentials credentials, Map<String, List<String>> impersonation) {}

  public static ClusterLogin ofFiles(List<Path> files, String context, Time time)
      throws KubeConfigException {
    return KubeConfigFiles.read(files, context, time);
  }

  public static ClusterLogin inCluster(Map<String, String> environment, Time time)
      throws KubeConfigException {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    Path token = SERVICE_ACCOUNT.resolve("token");
    if (host.isEmpty() || !Files.isReadable(token)) {
      throw new KubeConfigException(
          "the pod's service account cannot be used ("
              + (host.isEmpty() ? "KUBERNETES_SERVICE_HOST is not set" : token + " cannot be read")
              + "): run inside a pod, or name a kubeconfig with --kubeconfig");
    }
    HttpUrl server =
        LoginReader.parseServer(
            "the pod's environment", "https://" + bracketIpv6(host) + ":" + port);
    return new ClusterLogin(
        server,
        new ServerTrust(
            CredentialSource.ofFile(SERVICE_ACCOUNT.resolve("ca.crt"), time), false, ""),
        ProxySettings.ofEnvironment(environment, server.uri()),
        new ClientIdentity(
            new StaticCredentials(
                "",
                CredentialSource.ofTokenFile(token, time),
                CredentialSource.NONE,
                CredentialSource.NONE),
            Map.of()),
        readNamespace(SERVICE_ACCOUNT.resolve("namespace")));
  }

  private static String readNamespace(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String bracketIpv6(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  public Credentials credentials() {
    return client.credentials();
  }

  public Map<String, List<String>> impersonationHeaders() {
    return client.impersonation();
  }

  @Override
  public String toString() {
    return server.toString(); // credentials must not appear in logs
  }
}
