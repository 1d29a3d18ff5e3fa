package dev.mooring.provisioner.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeSaver;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Order;

/**
 * Tells and counts how the saving of one volume goes (spec/provisioner-lib.md 4.4).
 *
 * @param reporter tells it
 * @param stats counts it
 * @param order what was made
 * @param since when that began
 */
record SaveReporter(ProvisionReporter reporter, ProvisionStats stats, Order order, long since)
    implements VolumeSaver.Listener {

  /** The attempts have ended: the server took it, or did not. */
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

  /** What the server said. */
  static String problem(WriteResult<Volume> last) {
    return last instanceof WriteResult.Rejected<Volume>(int code, String message)
        ? "the server refused it (" + code + "): " + message
        : last.toString();
  }
}
