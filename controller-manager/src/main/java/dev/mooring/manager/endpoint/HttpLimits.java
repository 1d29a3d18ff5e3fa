package dev.mooring.manager.endpoint;

import java.util.Map;

/**
 * How much a client may take of the HTTP server of this process: connections, headers and time. The
 * JDK's server takes its limits from properties, once for all servers of a process, so that a
 * process with another server beside cannot have them.
 */
public final class HttpLimits {
  private static final String CONNECTIONS = "mooring.endpoints.connections";
  private static final int USUAL_CONNECTIONS = 160;

  private static final Map<String, String> LIMITS =
      Map.of(
          // more than ConnectionGate lets in: the server notices late what the gate has closed
          "jdk.httpserver.maxConnections", "2000",
          "sun.net.httpserver.maxIdleConnections", "50",
          "sun.net.httpserver.idleInterval", "60",
          "sun.net.httpserver.maxReqHeaders", "100",
          "sun.net.httpserver.maxReqHeaderSize", "32768",
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "30",
          "sun.net.httpserver.nodelay", "true");

  private HttpLimits() {}

  /** The number of connections to one address that are open at once. */
  static int connections() {
    return Math.max(1, Integer.getInteger(CONNECTIONS, USUAL_CONNECTIONS));
  }

  /** Sets those that the command line has not set; before any server was made. */
  public static void set() {
    LIMITS.forEach((name, value) -> {
      if (System.getProperty(name) == null) {
        System.setProperty(name, value);
      }
    });
  }
}
