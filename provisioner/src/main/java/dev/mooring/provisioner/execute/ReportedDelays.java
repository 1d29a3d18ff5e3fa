package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ReportedNotes;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.DelayReporter;

record ReportedDelays(ProvisionReporter reporter, ReportedNotes<Uid> notes)
    implements DelayReporter {
  @Override
  public void reportCondemned(Volume volume, String message) {
    reporter.reportCondemned(volume, message);
  }

  @Override
  public void reportUnreadableDelay(Volume volume, String message) {
    if (notes.isNew(volume.meta().uid(), message)) {
      reporter.reportUnreadableDelay(volume, message);
    }
  }
}
