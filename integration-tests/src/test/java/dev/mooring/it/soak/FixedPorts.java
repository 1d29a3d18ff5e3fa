package dev.mooring.it.soak;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Ports outside the ephemeral range. No other program gets such a port while its server restarts.
 */
final class FixedPorts {
  private static final int LAST_PORT = 30_000;

  private static int nextPort = 20_000;

  private FixedPorts() {}

  /** Returns a free port, a different one for each call. */
  static synchronized int findFree() throws IOException {
    while (nextPort < LAST_PORT) {
      try (ServerSocket socket =
          new ServerSocket(nextPort++, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException inUse) {
        // tries the next port
      }
    }
    throw new IOException("all ports up to " + LAST_PORT + " are in use");
  }
}
