package dev.mooring.it.soak;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Ports for those who come again to the same: no system gives these to clients of its own accord,
 * so that nobody takes one while it is left alone.
 */
final class Ports {
  private static final int HIGHEST = 30_000;

  private static int next = 20_000;

  private Ports() {}

  /** One that is free, and that nobody was given before. */
  static synchronized int free() throws IOException {
    while (next < HIGHEST) {
      try (ServerSocket free = new ServerSocket(next++, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException taken) {
        // the next one
      }
    }
    throw new IOException("all ports up to " + HIGHEST + " are taken");
  }
}
