package dev.mooring.kube.auth;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.HttpUrl;

/** Proxies as kubectl finds them: the kubeconfig's proxy-url, else HTTPS_PROXY and NO_PROXY. */
final class ProxySettings {
  private ProxySettings() {}

  static ClusterLogin.ProxyRoute ofKubeConfig(
      KubeConfigEntry cluster, HttpUrl server, Map<String, String> environment)
      throws KubeConfigException {
    String url = cluster.getText("proxy-url");
    if (url.isEmpty()) {
      return ofEnvironment(environment, server.uri());
    }
    try {
      URI uri = new URI(url);
      return new ClusterLogin.ProxyRoute(null, makeProxy(uri), makeAuthorization(uri));
    } catch (URISyntaxException | IllegalArgumentException e) {
      // omits the address, which may contain a password
      throw new KubeConfigException(
          cluster
              + " has a proxy-url that cannot be used: it has to be http://HOST:PORT or"
              + " socks5://HOST:PORT");
    }
  }

  private static Proxy makeProxy(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (uri.getHost() == null) {
      throw new IllegalArgumentException("a proxy without a host");
    }
    return switch (scheme) {
      case "http" -> new Proxy(Proxy.Type.HTTP, makeAddress(uri, 80));
      case "socks5", "socks5h" -> {
        if (uri.getRawUserInfo() != null) {
          throw new IllegalArgumentException("a password for a SOCKS proxy");
        }
        yield new Proxy(Proxy.Type.SOCKS, makeAddress(uri, 1080));
      }
      default -> throw new IllegalArgumentException("a proxy that speaks " + scheme);
    };
  }

  private static InetSocketAddress makeAddress(URI uri, int port) {
    return InetSocketAddress.createUnresolved(
        uri.getHost(), uri.getPort() < 0 ? port : uri.getPort());
  }

  private static String makeAuthorization(URI uri) {
    String user = uri.getRawUserInfo();
    if (user == null) {
      return "";
    }
    int colon = user.indexOf(':');
    return LoginReader.makeBasicAuthorization(
        decode(colon < 0 ? user : user.substring(0, colon)),
        colon < 0 ? "" : decode(user.substring(colon + 1)));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  static ClusterLogin.ProxyRoute ofEnvironment(Map<String, String> environment, URI server)
      throws KubeConfigException {
    EnvironmentProxySelector selector = new EnvironmentProxySelector(environment);
    try {
      selector.findProxy(server);
    } catch (URISyntaxException | IllegalArgumentException e) {
      // omits the address, which may contain a password
      throw new KubeConfigException(
          "the proxy of %s in the environment cannot be used: %s has to be http://HOST:PORT or socks5://HOST:PORT, or NO_PROXY has to name the host"
              .formatted(server, EnvironmentProxySelector.getVariableName(server)));
    }
    return new ClusterLogin.ProxyRoute(selector, null, selector.findAuthorization());
  }

  private static final class EnvironmentProxySelector extends ProxySelector {
    private final Map<String, String> environment;

    EnvironmentProxySelector(Map<String, String> environment) {
      this.environment = environment;
    }

    @Override
    public List<Proxy> select(URI uri) {
      try {
        return List.of(findProxy(uri));
      } catch (URISyntaxException | IllegalArgumentException e) {
        return List.of(Proxy.NO_PROXY); // refused before, for the server
      }
    }

    Proxy findProxy(URI uri) throws URISyntaxException {
      String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
      String url = getVariable(getVariableName(uri));
      return url.isEmpty() || isLocal(host) || isExcluded(host, getPort(uri))
          ? Proxy.NO_PROXY
          : makeProxy(parse(url));
    }

    static String getVariableName(URI uri) {
      return isHttps(uri) ? "HTTPS_PROXY" : "HTTP_PROXY";
    }

    private static boolean isHttps(URI uri) {
      return "https".equals(uri.getScheme());
    }

    private static int getPort(URI uri) {
      return uri.getPort() >= 0 ? uri.getPort() : isHttps(uri) ? 443 : 80;
    }

    private static URI parse(String url) throws URISyntaxException {
      return new URI(url.contains("://") ? url : "http://" + url);
    }

    /** Uses HTTPS_PROXY only: API servers are reached by https. */
    String findAuthorization() {
      try {
        return ProxySettings.makeAuthorization(parse(getVariable("HTTPS_PROXY")));
      } catch (URISyntaxException | IllegalArgumentException e) {
        return "";
      }
    }

    @Override
    public void connectFailed(URI uri, SocketAddress proxy, IOException failure) {
      // the call reports it
    }

    private String getVariable(String name) {
      String upper = environment.getOrDefault(name, "");
      return upper.isEmpty() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : upper;
    }

    private static boolean isLocal(String host) {
      if (host.equals("localhost")) {
        return true;
      }
      byte[] bytes = parseAddress(host);
      try {
        return bytes.length > 0 && InetAddress.getByAddress(bytes).isLoopbackAddress();
      } catch (java.net.UnknownHostException e) {
        return false;
      }
    }

    private static byte[] parseAddress(String host) {
      String literal =
          host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
      if (!literal.matches("[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*")) {
        return new byte[0];
      }
      try {
        return InetAddress.ofLiteral(literal).getAddress();
      } catch (IllegalArgumentException e) {
        return new byte[0];
      }
    }

    private boolean isExcluded(String host, int port) {
      for (String entry : getVariable("NO_PROXY").toLowerCase(Locale.ROOT).split("[,\\s]+")) {
        if (!entry.isEmpty() && isMatching(entry, host, port)) {
          return true;
        }
      }
      return false;
    }

    private static boolean isMatching(String entry, String host, int port) {
      if (entry.equals("*")) {
        return true;
      }
      if (entry.contains("/")) {
        return isInNetwork(entry, parseAddress(host));
      }
      int colon = entry.lastIndexOf(':');
      if (colon < 0 || parseAddress(entry).length > 0) { // an IPv6 address without a port
        return isMatchingHost(entry, host);
      }
      return entry.substring(colon + 1).equals(Integer.toString(port))
          && isMatchingHost(entry.substring(0, colon), host);
    }

    private static boolean isMatchingHost(String name, String host) {
      byte[] address = parseAddress(name);
      if (address.length > 0) {
        return Arrays.equals(address, parseAddress(host));
      }
      String domain = name.startsWith("*.") ? name.substring(1) : name;
      return !name.isEmpty()
          && (name.equals(host) || host.endsWith(domain.startsWith(".") ? domain : "." + domain));
    }

    private static boolean isInNetwork(String entry, byte[] address) {
      int slash = entry.indexOf('/');
      byte[] network = parseAddress(entry.substring(0, slash));
      String prefixText = entry.substring(slash + 1);
      if (network.length == 0
          || network.length != address.length
          || !prefixText.matches("\\d{1,3}")) {
        return false;
      }
      int length = Math.min(Integer.parseInt(prefixText), 8 * network.length);
      for (int i = 0; i < length; i++) {
        int mask = 0x80 >> (i % 8);
        if ((network[i / 8] & mask) != (address[i / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }
}
