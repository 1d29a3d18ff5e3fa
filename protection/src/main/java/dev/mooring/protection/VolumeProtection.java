package dev.mooring.protection;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerRule;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.ServedNamespace;
import java.util.Optional;

/** Protects volumes that are bound ({@code persistentvolume-protection-controller}). */
public final class VolumeProtection extends FinalizerController<Volume> {
  public static final String NAME = "persistentvolume-protection-controller";

  public static final RbacRules RIGHTS =
      RbacRules.forPurpose("removing the finalizer of volumes that are not bound")
          .may(Kind.VOLUME, Verb.PATCH);

  private final Informer<Volume> volumes;
  private final ProtectionHandover handover;

  @Inject
  public VolumeProtection(
      SharedInformers informers, ClusterPorts ports, ProtectionHandover handover) {
    super(
        NAME,
        "pvprotection",
        informers.of(Kind.VOLUME),
        ports,
        ServedNamespace.ofVolumes(informers.of(Kind.VOLUME)));
    this.volumes = informers.of(Kind.VOLUME);
    this.handover = handover;
  }

  @Override
  ControllerSpec.Builder declareInputs(ControllerSpec.Builder spec) {
    return spec.reads(volumes)
        .once(() -> handover.start(this::deletionEnded))
        .addHandler(volumes, this::volumeChanged);
  }

  private void volumeChanged(Change<Volume> change) {
    if (change instanceof Change.Deleted<Volume>(Volume last, _)) {
      handover.forget(last);
    } else if (needsDecision(change.object())) {
      enqueue(change.key());
    }
  }

  private void deletionEnded(ObjectKey key) {
    if (volumes.get(key).filter(VolumeProtection::needsDecision).isPresent()) {
      enqueue(key);
    }
  }

  private static boolean needsDecision(Volume volume) {
    return FinalizerDecider.needsDecision(volume.meta(), FinalizerDecider.VOLUME_FINALIZER);
  }

  // A deletion may have ended since the volume was read; then the cache has a newer version.
  @Override
  boolean isHandedOver(Volume volume) {
    return volume.meta().isBeingDeleted()
        && (handover.contains(volume) || !volumes.get(volume.key()).equals(Optional.of(volume)));
  }

  @Override
  FinalizerRule<Volume> createRule() {
    return FinalizerDecider.volumeRule();
  }
}
