package dev.mooring.manager.lifecycle;

import dev.mooring.binder.BinderController;
import java.lang.System.Logger.Level;

/** Ends the hold of the circuit breaker on request of an administrator. */
final class DeletionResume {
  private static final System.Logger LOG = System.getLogger(DeletionResume.class.getName());

  private DeletionResume() {}

  /** Returns "" if deletions go on, else why not. */
  static String run(BinderController binder) {
    try {
      String problem = binder.resumeDeletions();
      LOG.log(
          Level.WARNING,
          () ->
              problem.isEmpty()
                  ? "deletions are resumed by request"
                  : "deletions stay held although an administrator resumed them: " + problem);
      return problem;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return "this process is stopping";
    }
  }
}
