package dev.mooring.kube.auth;

import dev.mooring.time.Time;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** A cluster's address, how to reach and to trust it, and who we are there. */
public final class Login {
  private static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /**
   * How the server proves who it is.
   *
   * @param authority the certificates that are trusted; none for those of the Java runtime
   * @param unchecked whether whatever it shows is taken
   * @param serverName the name that its certificate is to have, "" for the one in its address
   */
  record Trust(Material authority, boolean unchecked, String serverName) {}

  /**
   * What stands between us and the server.
   *
   * @param selector chooses by the environment; null where one is named
   * @param named the proxy that is named, null for none
   * @param authorization what that one is shown, "" for nothing
   */
  record Way(@Nullable ProxySelector selector, @Nullable Proxy named, String authorization) {}

  /**
   * Who asks.
   *
   * @param credentials prove it
   * @param impersonation headers that say for whom, if it is somebody else
   */
  record Caller(Credentials credentials, Map<String, List<String>> impersonation) {}

  private final HttpUrl server;
  private final Trust trust;
  private final Way way;
  private final Credentials credentials;
  private final Map<String, List<String>> headers;
  private final String namespace;

  Login(HttpUrl server, Trust trust, Way way, Caller caller, String namespace) {
    this.server = server;
    this.trust = trust;
    this.way = way;
    this.credentials = caller.credentials();
    this.headers = caller.impersonation();
    this.namespace = namespace;
  }

  /**
   * By kubeconfig files, merged in that order.
   *
   * @param files at least one
   * @param context the context to use, "" for the current one
   * @param time the clock
   * @throws KubeConfigException if they cannot be used
   */
  public static Login ofFiles(List<Path> files, String context, Time time)
      throws KubeConfigException {
    return KubeConfigFiles.read(files, context, time);
  }

  /** By the service account of the pod that we run in. */
  public static Login inCluster(Map<String, String> environment, Time time)
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
        Logins.server("the pod's environment", "https://" + literal(host) + ":" + port);
    return new Login(
        server,
        new Trust(Material.in(SERVICE_ACCOUNT.resolve("ca.crt"), time), false, ""),
        Proxies.ofEnvironment(environment),
        new Caller(
            new FixedCredentials("", Material.in(token, time), Material.NONE, Material.NONE),
            Map.of()),
        namespace(SERVICE_ACCOUNT.resolve("namespace")));
  }

  /** The pod's own namespace; "" if it is not told. */
  private static String namespace(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String literal(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  public HttpUrl server() {
    return server;
  }

  Trust trust() {
    return trust;
  }

  Way way() {
    return way;
  }

  public Credentials credentials() {
    return credentials;
  }

  /** What goes with every request beside that: on whose behalf it is made. */
  public Map<String, List<String>> headers() {
    return headers;
  }

  /** The namespace that is meant where none is named: the context's; "" if it names none. */
  public String namespace() {
    return namespace;
  }
}
