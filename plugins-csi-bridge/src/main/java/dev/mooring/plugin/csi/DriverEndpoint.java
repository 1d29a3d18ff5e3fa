package dev.mooring.plugin.csi;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

sealed interface DriverEndpoint {
  record Unix(Path path) implements DriverEndpoint {}

  record Tcp(String host, int port) implements DriverEndpoint {
    // Other names may resolve to other machines, so only localhost and loopback addresses count.
    boolean isLoopback() {
      if (host.equals("localhost")) {
        return true;
      }
      try {
        return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }

  static DriverEndpoint of(String endpoint) {
    String scheme = endpoint.startsWith("/") ? "unix" : endpoint.replaceFirst(":.*", "");
    try {
      if (scheme.equals("unix")) {
        String path = endpoint.replaceFirst("^unix://", "");
        if (path.startsWith("/")) {
          return new Unix(Path.of(path));
        }
      } else if (Set.of("tcp", "dns").contains(scheme)) {
        // dns:///host:port is gRPC's form
        URI uri = new URI(endpoint.replaceFirst("^(tcp|dns)://+", "tcp://"));
        if (uri.getHost() != null
            && uri.getPort() > 0
            && uri.getPort() < 1 << 16
            && uri.getRawUserInfo() == null
            && uri.getRawPath().isEmpty()) {
          return new Tcp(uri.getHost(), uri.getPort());
        }
      }
    } catch (InvalidPathException | URISyntaxException e) {
      // the error below covers this case
    }
    throw new IllegalArgumentException(
        "CSI endpoint \""
            + endpoint
            + "\" is neither a unix socket nor a TCP port: name one like unix:///run/csi.sock or tcp://driver.example:10000");
  }
}
