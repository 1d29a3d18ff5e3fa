package dev.mooring.it.soak;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Fixed ports outside the ephemeral range, so that no other program takes one while its owner
 * restarts.
 */
final class FixedPorts {
  private static final int HIGHEST = 30_000;

  private static int next = 20_000;

  private FixedPorts() {}

  /** Returns a free port that was not handed out before. */
  static synchronized int free() throws IOException {
    while (next < HIGHEST) {
      try (ServerSocket free = new ServerSocket(next++, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException taken) {
        // try the next one
      }
    }
    throw new IOException("all ports up to " + HIGHEST + " are taken");
  }
}
