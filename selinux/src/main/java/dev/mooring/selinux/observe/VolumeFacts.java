package dev.mooring.selinux.observe;

import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.PodVolume;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.CsiVolume;
import dev.mooring.model.migration.InTreeVolumes;
import dev.mooring.model.migration.VolumeTranslation;
import dev.mooring.selinux.decide.VolumeFact;
import dev.mooring.selinux.decide.VolumeKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resolves pods' volumes from the caches. Thread-safe. */
public record VolumeFacts(
    Informer<Claim> claims, Informer<Volume> volumes, Informer<CsiDriver> drivers) {
  private static final VolumeFact UNBOUND = new VolumeFact.Unbound();
  private static final VolumeFact UNSUPPORTED = new VolumeFact.Unsupported();

  public Map<String, VolumeFact> findFacts(PodMounts pod) {
    Map<String, VolumeFact> facts = new HashMap<>();
    for (PodVolume volume : pod.volumes()) {
      facts.put(volume.name(), findFact(pod, volume));
    }
    return facts;
  }

  private VolumeFact findFact(PodMounts pod, PodVolume volume) {
    if (!volume.claim().isEmpty()) {
      return findBoundVolume(pod, volume).map(this::findFact).orElse(UNBOUND);
    }
    if (volume.source().type().isEmpty()) {
      return UNSUPPORTED;
    }
    VolumeTranslation translation =
        InTreeVolumes.translate(
            new Pod.Inline(volume.name(), volume.source()), pod.key().namespace());
    return findFact(translation, volume.source());
  }

  private VolumeFact findFact(Volume volume) {
    return findFact(InTreeVolumes.translate(volume), volume.source());
  }

  private VolumeFact findFact(VolumeTranslation translation, VolumeSource source) {
    return switch (translation) {
      case VolumeTranslation.Translated(CsiVolume csi) -> createFact(csi.source());
      case VolumeTranslation.NotMigrated() -> createFact(source);
      case VolumeTranslation.Refused(String _) -> UNSUPPORTED;
    };
  }

  private Optional<Volume> findBoundVolume(PodMounts pod, PodVolume volume) {
    Optional<Claim> claim =
        claims
            .get(ObjectKey.of(pod.key().namespace(), volume.claim()))
            .filter(c -> c.phase() == ClaimPhase.BOUND && !c.volumeName().isEmpty())
            // another claim may have the name of the pod's ephemeral claim
            .filter(c -> !volume.ephemeral() || c.meta().controller().equals(pod.meta().uid()));
    return claim.flatMap(c ->
        volumes.get(ObjectKey.cluster(c.volumeName())).filter(v -> isBoundTo(v.claimRef(), c)));
  }

  private static boolean isBoundTo(@Nullable ClaimRef ref, Claim claim) {
    return ref != null && ref.uid().equals(claim.meta().uid());
  }

  /**
   * Block devices that kubelet mounts support labels; shared file systems (NFS, hostPath) do not.
   */
  private VolumeFact createFact(VolumeSource source) {
    return switch (source.type()) {
      case "csi" -> {
        String driver = source.attribute("driver");
        String name = driver + "^" + source.attribute("volumeHandle");
        yield driver.isEmpty()
            ? UNSUPPORTED
            : new VolumeFact.Known(
                new VolumeKey("kubernetes.io/csi", name), driver, mountsWithLabel(driver));
      }
      case "iscsi" ->
          createNodeVolumeFact("kubernetes.io/iscsi", source, "targetPortal", "iqn", "lun");
      case "fc" -> createNodeVolumeFact("kubernetes.io/fc", source, "targetWWNs", "wwids", "lun");
      default -> UNSUPPORTED;
    };
  }

  private static VolumeFact createNodeVolumeFact(
      String plugin, VolumeSource source, String... identityAttributes) {
    StringBuilder name = new StringBuilder();
    for (String attribute : identityAttributes) {
      name.append(source.attribute(attribute)).append(' ');
    }
    return new VolumeFact.Known(new VolumeKey(plugin, name.toString()), "", true);
  }

  private boolean mountsWithLabel(String driver) {
    return drivers.get(ObjectKey.cluster(driver)).map(CsiDriver::seLinuxMount).orElse(false);
  }
}
