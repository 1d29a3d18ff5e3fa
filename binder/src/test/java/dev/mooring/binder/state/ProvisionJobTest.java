package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.VolumesAndClaims;
import dev.mooring.cluster.Document;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.testkit.TestObjects;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the PersistentVolume object for a volume that a plugin made. */
class ProvisionJobTest {
  private static StorageClass storageClass(ReclaimPolicy policy) {
    return TestObjects.storageClass("gold").provisioner("disks").reclaimPolicy(policy).build();
  }

  private static String object(ReclaimPolicy policy, AccessModes modes, Document pluginDocument) {
    Provisioned provisioned =
        new Provisioned(VolumeSource.hostPath("/x"), Quantity.of("1Gi"), modes, Map.of());
    return new ProvisionJob(VolumesAndClaims.claim("1Gi"), storageClass(policy), "disks")
        .completeVolume(
            new PluginStorage.CreatedVolume(
                provisioned,
                new ProvisionResult.Created(pluginDocument, DestroyResult.Destroyed::new)))
        .object()
        .members()
        .toString();
  }

  /** The binder, not the plugin, determines the deleter. */
  @Test
  void completeVolume_pluginNamesAnotherProvisioner_isIgnored() {
    Document pluginDocument =
        Document.empty().set("others", "metadata", "annotations", BinderMarks.PROVISIONED_BY);
    assertThat(object(ReclaimPolicy.RETAIN, AccessModes.NONE, pluginDocument))
        .contains(BinderMarks.PROVISIONED_BY + "=disks", BinderMarks.BOUND_BY_CONTROLLER + "=yes")
        .doesNotContain("others");
  }

  @Test
  void completeVolume_policyDelete_addsFinalizer() {
    assertThat(object(ReclaimPolicy.DELETE, AccessModes.NONE, Document.empty()))
        .contains("finalizers=[" + BinderMarks.IN_TREE_FINALIZER + "]");
    assertThat(object(ReclaimPolicy.RETAIN, AccessModes.NONE, Document.empty()))
        .doesNotContain("finalizers");
  }

  @Test
  void completeVolume_noAccessModes_isReadWriteOnce() {
    assertThat(object(ReclaimPolicy.RETAIN, AccessModes.NONE, Document.empty()))
        .contains("accessModes=[ReadWriteOnce]");
    assertThat(object(ReclaimPolicy.RETAIN, AccessModes.of("ReadWriteMany"), Document.empty()))
        .contains("accessModes=[ReadWriteMany]");
  }
}
