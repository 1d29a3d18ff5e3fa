package dev.mooring.manager.lifecycle;

import java.io.IOException;
import java.util.function.Consumer;

/** Check of the cluster before any controller starts and before this process can lead. */
@FunctionalInterface
public interface ServerCheck {
  /**
   * @param showState receives why the process is not ready
   * @throws IOException if the process must not start; the message is one line with the remedy
   */
  void run(Consumer<String> showState) throws IOException, InterruptedException;
}
