package dev.mooring.provisioner.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeSaver;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Order;

/**
 * Reports the attempts to save one volume (spec/provisioner-lib.md 4.4).
 *
 * @param since start time from {@link ProvisionStats#now}
 */
record SaveReporter(ProvisionReporter reporter, ProvisionStats stats, Order order, long since)
    implements VolumeSaver.Listener {

  void ended(boolean saved) {
    stats.provisioned(order.storageClass().meta().name(), saved, since);
  }

  @Override
  public void unsaved(WriteResult<Volume> last) {
    ended(false);
    reporter.notSaved(order.claim(), problem(last));
  }

  @Override
  public void leftBehind(Destroying end) {
    reporter.notCleaned(order.claim(), end.toString());
  }

  static String problem(WriteResult<Volume> last) {
    return last instanceof WriteResult.Rejected<Volume>(int code, String message)
        ? "the API server rejected it (" + code + "): " + message
        : last.toString();
  }
}
