package dev.mooring.it;

import dev.mooring.cluster.RbacRule;
import java.nio.file.Path;
import java.util.List;

/** A play in which a process must use every right that is generated for it. */
public interface RightsTrial {
  /** Returns the generated rights. */
  List<RbacRule> rights() throws Exception;

  /**
   * Prepares a server with everything that the play needs, without playing.
   *
   * @param folder empty
   */
  Stage stage(Path folder) throws Exception;

  /**
   * Returns whether any event can repeat; otherwise {@code EventRecorderTest} covers that right.
   */
  default boolean canRepeatEvents() {
    return true;
  }

  /** A prepared server for a single play. */
  interface Stage {
    RestrictedServer granted();

    /**
     * Starts the process with the kubeconfig and plays to the end; may be interrupted.
     *
     * @param awaitRepeat whether to wait for a repeated event, which takes ten seconds
     */
    void play(Path kubeconfig, boolean awaitRepeat) throws Exception;

    void close() throws Exception;
  }
}
