package dev.mooring.protection;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerRule;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.ServedNamespace;

/** Protects volumes that are bound ({@code persistentvolume-protection-controller}). */
public final class VolumeProtection extends FinalizerController<Volume> {
  public static final String NAME = "persistentvolume-protection-controller";

  private final Informer<Volume> volumes;

  @Inject
  public VolumeProtection(SharedInformers informers, ClusterPorts ports) {
    super(
        NAME,
        "pvprotection",
        informers.of(Kind.VOLUME),
        ports,
        ServedNamespace.ofVolumes(informers.of(Kind.VOLUME)));
    this.volumes = informers.of(Kind.VOLUME);
  }

  @Override
  ControllerSpec.Builder declareInputs(ControllerSpec.Builder spec) {
    return spec.reads(volumes).addHandler(volumes, this::volumeChanged);
  }

  private void volumeChanged(Change<Volume> change) {
    if (!(change instanceof Change.Deleted<Volume>)
        && FinalizerDecider.needsDecision(
            change.object().meta(), FinalizerDecider.VOLUME_FINALIZER)) {
      enqueue(change.key());
    }
  }

  @Override
  FinalizerRule<Volume> createRule() {
    return FinalizerDecider.volumeRule();
  }
}
