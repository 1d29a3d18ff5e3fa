package dev.mooring.provisioner.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeSaver;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;

/** Reports the attempts to save one volume. */
record SaveReporter(
    ProvisionReporter reporter, ProvisionStats stats, Order order, ProvisionAttempt attempt)
    implements VolumeSaver.Listener {

  void recordEnd(boolean saved) {
    stats.recordProvisioning(attempt, saved);
  }

  @Override
  public void creationFailed(WriteResult<Volume> result) {
    recordEnd(false);
    reporter.reportUnsaved(order.claim(), describe(result));
  }

  @Override
  public void rollbackFailed(DestroyResult result) {
    reporter.reportFailedCleanup(order.claim(), result.toString());
  }

  static String describe(WriteResult<Volume> result) {
    return result instanceof WriteResult.Rejected<Volume>(int code, String message)
        ? "the API server rejected it (" + code + "): " + message
        : result.toString();
  }
}
