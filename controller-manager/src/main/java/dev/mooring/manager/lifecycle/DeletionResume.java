package dev.mooring.manager.lifecycle;

import dev.mooring.binder.BinderController;
import java.lang.System.Logger.Level;

final class DeletionResume {
  private static final System.Logger LOG = System.getLogger(DeletionResume.class.getName());

  private DeletionResume() {}

  static String run(BinderController binder) {
    try {
      String problem = binder.resumeDeletions();
      LOG.log(
          Level.WARNING,
          () ->
              problem.isEmpty()
                  ? "deletions resumed at an administrator's request"
                  : "deletions stay held although an administrator requested to resume them: "
                      + problem);
      return problem;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return "this process is stopping";
    }
  }
}
