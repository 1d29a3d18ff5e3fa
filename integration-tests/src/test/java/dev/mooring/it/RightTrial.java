package dev.mooring.it;

import dev.mooring.cluster.Right;
import java.nio.file.Path;
import java.util.List;

/** A play in which a process has to make use of every right that is generated for it. */
public interface RightTrial {
  /** What is generated for the process. */
  List<Right> rights() throws Exception;

  /**
   * A server of its own, with everything that the play needs; nothing is played yet.
   *
   * @param folder empty
   */
  Stage stage(Path folder) throws Exception;

  /** Whether anything can be told a second time; that right is {@code EventRecorderTest}'s else. */
  default boolean tellsAgain() {
    return true;
  }

  /** Where it is played, once. */
  interface Stage {
    /** Who grants. */
    Granted granted();

    /**
     * Starts the process with that kubeconfig, and plays to the end; may be interrupted.
     *
     * @param told whether to wait until something was told again, which is not before ten seconds
     */
    void play(Path kubeconfig, boolean told) throws Exception;

    /** Ends everything. */
    void close() throws Exception;
  }
}
