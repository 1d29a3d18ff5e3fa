package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.text.LogMessage;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Reports orphaned volumes of a driver: on their class, or on their former PersistentVolume if the
 * class is gone. Thread-safe.
 */
public record OrphanReporter(EventSink events, String driver, Informer<StorageClass> classes) {
  private static final System.Logger LOG = System.getLogger(OrphanReporter.class.getName());

  void report(AbandonedVolume volume) {
    String text = volume.describe(driver);
    LOG.log(Level.WARNING, LogMessage.of(text).with(LogMessage.PV, volume.volume()));
    Optional<Meta> storageClass =
        classes.get(ObjectKey.cluster(volume.storageClass())).map(StorageClass::meta);
    events.emit(
        new ClusterEvent(
            storageClass.isPresent() ? Kind.STORAGE_CLASS : Kind.VOLUME,
            storageClass.orElseGet(() -> Meta.of(ObjectKey.cluster(volume.volume()), volume.uid())),
            ClusterEvent.Type.WARNING,
            "VolumeOrphaned",
            "VolumeOrphaned",
            text,
            "csi-doctor/" + driver));
  }

  void logFailure(String message) {
    LOG.log(
        Level.WARNING,
        () ->
            "the search for orphaned volumes of CSI driver %s failed; the next one follows after --doctor-period: %s"
                .formatted(driver, message));
  }
}
