package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Resource;
import java.util.List;

/** Next step that snapshots and group snapshots share. */
public sealed interface CommonStep extends SnapshotStep, GroupStep {
  record NoAction() implements CommonStep {}

  record ReportError(String reason, String message, boolean notReady) implements CommonStep {}

  // Set the default class.
  record SetClass(String className) implements CommonStep {}

  // Set the complete list of finalizers.
  record SetFinalizers(List<String> finalizers) implements CommonStep {}

  // Add the finalizer to a source claim.
  record HoldClaim(Claim claim) implements CommonStep {}

  /**
   * @param className class to set too; "" for none
   */
  record Bind(Resource content, String className) implements CommonStep {}

  // Mark the content as being deleted.
  record MarkContent(Resource content) implements CommonStep {}

  // Remove the being-deleted annotation of a content whose object is not being deleted. An earlier
  // object left it, and it allows the driver to delete the data.
  record UnmarkContent(Resource content) implements CommonStep {}

  record DeleteContent(Resource content) implements CommonStep {}

  // Emit an event: the deletion waits.
  record Wait(String reason, String message) implements CommonStep {}

  CommonStep NO_ACTION = new NoAction();
}
