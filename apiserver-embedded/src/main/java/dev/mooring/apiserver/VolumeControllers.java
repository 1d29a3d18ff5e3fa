package dev.mooring.apiserver;

import java.io.Closeable;
import java.io.IOException;

/**
 * Volume controllers that run in the JVM of an embedded server. {@link java.util.ServiceLoader}
 * finds them.
 */
public interface VolumeControllers {
  /**
   * Starts the controllers. The caller closes the result before the server.
   *
   * @throws IOException if they cannot start; the message names the cause
   * @throws InterruptedException if the thread is interrupted
   */
  Closeable start(ApiServer server) throws IOException, InterruptedException;
}
