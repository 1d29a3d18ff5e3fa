package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
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

  // Emit an event: the deletion waits.
  record Wait(String reason, String message) implements CommonStep {}

  CommonStep NO_ACTION = new NoAction();
}
