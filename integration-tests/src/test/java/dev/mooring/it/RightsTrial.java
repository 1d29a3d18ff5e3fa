package dev.mooring.it;

import dev.mooring.cluster.RbacRule;
import java.nio.file.Path;
import java.util.List;

/** A sequence of steps in which a process must use every right that Mooring generates for it. */
public interface RightsTrial {
  /** Returns the generated rights. */
  List<RbacRule> rights() throws Exception;

  /**
   * Prepares a server with the objects that the steps need.
   *
   * @param folder empty
   */
  Stage stage(Path folder) throws Exception;

  /**
   * Returns whether an event can repeat. Otherwise {@code EventRecorderTest} covers the right to
   * patch events.
   */
  default boolean canRepeatEvents() {
    return true;
  }

  /** A prepared server, used once. */
  interface Stage {
    RestrictedServer server();

    /**
     * Starts the process with the kubeconfig and performs all steps. The caller may interrupt it.
     *
     * @param awaitRepeat whether to wait for a repeated event, which takes ten seconds
     */
    void play(Path kubeconfig, boolean awaitRepeat) throws Exception;

    void close() throws Exception;
  }
}
