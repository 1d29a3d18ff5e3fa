package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.CsiVolume;
import dev.mooring.model.migration.InTreeVolumes;
import dev.mooring.model.migration.VolumeTranslation;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Resolves the volumes of pods that must be attached. Thread-safe. */
public final class VolumeResolver {
  private static final int MANY_NODES = AccessModes.READ_ONLY_MANY | AccessModes.READ_WRITE_MANY;

  public record ResolvedVolumes(List<AttachTarget> targets, Set<VolumeId> unattachable) {}

  private final AttachCaches caches;
  private final LoadedPlugins plugins;
  private final Set<String> missingDrivers = ConcurrentHashMap.newKeySet();

  public VolumeResolver(AttachCaches caches, LoadedPlugins plugins) {
    this.caches = caches;
    this.plugins = plugins;
  }

  public ResolvedVolumes resolve(Pod pod) {
    List<AttachTarget> targets = new ArrayList<>();
    Set<VolumeId> unattachable = new HashSet<>();
    for (String claim : pod.claims()) {
      Volume volume = findVolume(pod, claim);
      if (volume != null) {
        addTarget(target(volume), targets, unattachable);
      }
    }
    for (Pod.Inline inline : pod.inline()) {
      addTarget(target(inline, pod.key().namespace()), targets, unattachable);
    }
    return new ResolvedVolumes(targets, unattachable);
  }

  private void addTarget(
      @Nullable AttachTarget target, List<AttachTarget> targets, Set<VolumeId> unattachable) {
    if (target == null) {
      return;
    }
    if (isAttachable(target.id())) {
      targets.add(target);
    } else {
      unattachable.add(target.id());
    }
  }

  private @Nullable Volume findVolume(Pod pod, String claimName) {
    ObjectKey key = new ObjectKey(pod.key().namespace(), claimName);
    Claim claim = caches.claims().get(key).orElse(null);
    if (claim == null || claim.phase() != ClaimPhase.BOUND || claim.volumeName().isEmpty()) {
      return null;
    }
    boolean isEphemeral =
        pod.ephemeral().stream().anyMatch(name -> pod.claimOf(name).equals(claimName));
    if (isEphemeral && !claim.meta().controller().equals(pod.meta().uid())) {
      return null; // an unrelated claim has the name
    }
    Volume volume = caches.volume(claim.volumeName());
    if (volume == null) {
      return null;
    }
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.uid().equals(claim.meta().uid()) ? volume : null;
  }

  // Returns the volume of an attachment; null if it names an unknown PersistentVolume.
  public @Nullable AttachTarget target(Attachment attachment) {
    if (attachment.volumeName().isEmpty()) {
      return target(attachment.inline());
    }
    Volume volume = caches.volume(attachment.volumeName());
    return volume == null ? null : target(volume);
  }

  /**
   * Returns whether a target's PersistentVolume exists and still addresses the volume. A
   * PersistentVolume of that name may have been created again for another storage volume.
   */
  public boolean isCurrent(AttachTarget target) {
    if (target.isInline()) {
      return true;
    }
    Volume volume = caches.volume(target.persistentVolume());
    AttachTarget currentTarget = volume == null ? null : target(volume);
    return currentTarget != null && currentTarget.id().equals(target.id());
  }

  // Returns the volumes of all PersistentVolumes that can be attached.
  public List<AttachTarget> findAllTargets() {
    List<AttachTarget> targets = new ArrayList<>();
    for (Volume volume : caches.volumes().snapshot().objects()) {
      AttachTarget target = target(volume);
      if (target != null) {
        targets.add(target);
      }
    }
    return targets;
  }

  // Returns the volume of a PersistentVolume; null if it never can be attached.
  public @Nullable AttachTarget target(Volume volume) {
    return switch (InTreeVolumes.translate(volume)) {
      case VolumeTranslation.Translated(CsiVolume csi) ->
          target(volume, csi.source(), csi.accessModes(), true);
      case VolumeTranslation.NotMigrated() ->
          target(volume, volume.source(), volume.accessModes(), false);
      case VolumeTranslation.Refused(String _) -> null;
    };
  }

  private @Nullable AttachTarget target(
      Volume volume, VolumeSource source, AccessModes modes, boolean migrated) {
    VolumeId id = findId(source);
    String name = volume.meta().name();
    return id == null
        ? null
        : new AttachTarget(id, name, isExclusive(modes), name, source, Map.of(), migrated);
  }

  // a volume without access modes is not exclusive, as in Kubernetes' isMultiAttachForbidden
  private static boolean isExclusive(AccessModes modes) {
    return !modes.written().isEmpty() && (modes.mask() & MANY_NODES) == 0;
  }

  private @Nullable AttachTarget target(Attachment.InlineVolume inline) {
    VolumeId id = findId(inline.source());
    return id == null
        ? null
        : new AttachTarget(
            id, id.name(), isExclusive(inline.accessModes()), "", inline.source(), Map.of());
  }

  private @Nullable AttachTarget target(Pod.Inline inline, String namespace) {
    return switch (InTreeVolumes.translate(inline, namespace)) {
      case VolumeTranslation.Translated(CsiVolume csi) -> {
        VolumeId id = findId(csi.source());
        yield id == null
            ? null
            : new AttachTarget(
                id, csi.name(), isExclusive(csi.accessModes()), "", csi.source(), csi.spec(), true);
      }
      case VolumeTranslation.NotMigrated() -> {
        VolumeId id = findId(inline.source());
        yield id == null
            ? null
            : new AttachTarget(id, inline.name(), false, "", inline.source(), Map.of());
      }
      case VolumeTranslation.Refused(String _) -> null;
    };
  }

  private @Nullable VolumeId findId(VolumeSource source) {
    return switch (source.type()) {
      case "csi" ->
          source.attribute("driver").isEmpty()
              ? null
              : VolumeId.csi(source.attribute("driver"), source.attribute("volumeHandle"));
      case "iscsi" ->
          VolumeId.of(
              "kubernetes.io/iscsi",
              source.attribute("targetPortal")
                  + ":"
                  + source.attribute("iqn")
                  + ":"
                  + source.attributes().getOrDefault("lun", "0"));
      case "fc" -> {
        String names = source.attribute("targetWWNs");
        yield VolumeId.of(
            "kubernetes.io/fc",
            names.isEmpty()
                ? "[" + source.attribute("wwids") + "]"
                : "[" + names + "]:" + source.attributes().getOrDefault("lun", "0"));
      }
      default -> findPluginId(source);
    };
  }

  private @Nullable VolumeId findPluginId(VolumeSource source) {
    for (VolumePlugin plugin : plugins.findSupporting(source)) {
      Optional<String> name = plugin.attacher().flatMap(a -> a.volumeName(source));
      if (name.isPresent()) {
        return VolumeId.of(plugin.name(), name.get());
      }
    }
    return null;
  }

  public boolean isPluginKnown(VolumeId id) {
    return id.csi().isPresent() || generations().containsKey(id.plugin());
  }

  public Map<String, Long> generations() {
    return plugins.generations();
  }

  public void markMissing(String driver) {
    missingDrivers.add(driver);
  }

  public boolean isMissing(String driver) {
    return missingDrivers.contains(driver);
  }

  public boolean clearMissing(String driver) {
    return missingDrivers.remove(driver);
  }

  public boolean isAttachable(VolumeId id) {
    Optional<VolumeId.Csi> csi = id.csi();
    return csi.isEmpty()
        || caches
            .drivers()
            .get(ObjectKey.cluster(csi.get().driver()))
            .map(CsiDriver::attachRequired)
            .orElseGet(() -> !missingDrivers.contains(csi.get().driver()));
  }
}
