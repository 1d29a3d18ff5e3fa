package dev.mooring.manager.endpoint;

import java.util.Map;

/**
 * Limits of the process's HTTP servers: connections, headers and time. The JDK reads them from
 * system properties, once per process, so a process with an embedded API server cannot use them.
 */
public final class HttpLimits {
  private static final String CONNECTIONS = "mooring.endpoints.connections";
  private static final int DEFAULT_CONNECTIONS = 160;

  private static final Map<String, String> LIMITS =
      Map.of(
          // more than ConnectionGate admits, because the server detects closed connections late
          "jdk.httpserver.maxConnections", "2000",
          "sun.net.httpserver.maxIdleConnections", "50",
          "sun.net.httpserver.idleInterval", "60",
          "sun.net.httpserver.maxReqHeaders", "100",
          "sun.net.httpserver.maxReqHeaderSize", "32768",
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "30",
          "sun.net.httpserver.nodelay", "true");

  private HttpLimits() {}

  static int maxConnections() {
    return Math.max(1, Integer.getInteger(CONNECTIONS, DEFAULT_CONNECTIONS));
  }

  /**
   * Sets the properties that the command line has not set. Call before the first server is created.
   */
  public static void set() {
    LIMITS.forEach((name, value) -> {
      if (System.getProperty(name) == null) {
        System.setProperty(name, value);
      }
    });
  }
}
