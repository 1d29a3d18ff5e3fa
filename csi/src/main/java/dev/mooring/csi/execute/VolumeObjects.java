package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.NodeTerms;
import dev.mooring.csi.decide.Parameters.Purpose;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.operation.VolumeService.Order;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** PersistentVolumes of a driver's volumes (spec/csi-bridge.md 5.5). */
final class VolumeObjects {
  private static final String IDENTITY = "storage.kubernetes.io/csiProvisionerIdentity";
  private static final String DELETION = "volume.kubernetes.io/provisioner-deletion-secret-";
  private static final String MODIFY = "volume.kubernetes.io/controller-modify-secret-";
  private static final String CSI = "csi";
  private static final String SPEC = "spec";

  private static final Map<Purpose, String> REFS =
      Map.of(
          Purpose.CONTROLLER_PUBLISH,
          "controllerPublishSecretRef",
          Purpose.NODE_STAGE,
          "nodeStageSecretRef",
          Purpose.NODE_PUBLISH,
          "nodePublishSecretRef",
          Purpose.CONTROLLER_EXPAND,
          "controllerExpandSecretRef",
          Purpose.NODE_EXPAND,
          "nodeExpandSecretRef");

  /**
   * Who makes it.
   *
   * @param driver the driver
   * @param tag what volumes say made them
   * @param publishReadOnly whether a volume that is only read is marked so
   */
  record Maker(String driver, String tag, boolean publishReadOnly) {}

  private VolumeObjects() {}

  /** As far as the driver decides it; the rest is the protocol's. */
  static Document of(
      Order order,
      CsiVolume volume,
      CreateVolume asked,
      Map<Purpose, Optional<SecretRef>> refs,
      Identity identity,
      Maker maker) {
    Claim claim = order.claim();
    Document object = Document.empty();
    object.set(capacity(volume, claim).toString(), SPEC, "capacity", "storage");
    object.set(maker.driver(), SPEC, CSI, "driver");
    object.set(volume.id(), SPEC, CSI, "volumeHandle");
    Map<String, String> attributes = new HashMap<>(Map.of(IDENTITY, maker.tag()));
    attributes.putAll(volume.context());
    object.set(attributes, SPEC, CSI, "volumeAttributes");
    Access access = asked.accesses().getFirst();
    if (!access.fsType().isEmpty()) {
      object.set(access.fsType(), SPEC, CSI, "fsType");
    }
    if (maker.publishReadOnly() && claim.accessModes().mask() == AccessModes.READ_ONLY_MANY) {
      object.set(true, SPEC, CSI, "readOnly");
    }
    REFS.forEach((purpose, member) ->
        refs.getOrDefault(purpose, Optional.empty())
            .ifPresent(ref -> {
              object.set(ref.name(), SPEC, CSI, member, "name");
              object.set(ref.namespace(), SPEC, CSI, member, "namespace");
            }));
    Optional<SecretRef> deletion = refs.getOrDefault(Purpose.PROVISION, Optional.empty());
    annotate(object, DELETION, deletion.orElse(new SecretRef("", "")));
    refs.getOrDefault(Purpose.CONTROLLER_MODIFY, Optional.empty())
        .ifPresent(ref -> annotate(object, MODIFY, ref));
    if (identity.can(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
      NodeTerms.set(object, volume.topology());
    }
    if (!claim.attributesClass().isEmpty()) {
      object.set(claim.attributesClass(), SPEC, "volumeAttributesClassName");
    }
    return object;
  }

  private static void annotate(Document object, String prefix, SecretRef ref) {
    object.set(ref.name(), "metadata", "annotations", prefix + "name");
    object.set(ref.namespace(), "metadata", "annotations", prefix + "namespace");
  }

  private static Quantity capacity(CsiVolume volume, Claim claim) {
    return volume.capacityBytes() == 0 ? claim.request() : Quantity.ofBytes(volume.capacityBytes());
  }

  /** Whether the volume says which credentials destroy it, be it none. */
  static boolean saysDeletionSecret(Map<String, String> annotations) {
    return annotations.containsKey(DELETION + "name");
  }

  /** The credentials that destroy it. */
  static Optional<SecretRef> deletionSecret(Map<String, String> annotations) {
    return secret(annotations, DELETION);
  }

  /** The credentials that change it. */
  static Optional<SecretRef> modifySecret(Map<String, String> annotations) {
    return secret(annotations, MODIFY);
  }

  private static Optional<SecretRef> secret(Map<String, String> annotations, String prefix) {
    String name = annotations.getOrDefault(prefix + "name", "");
    String namespace = annotations.getOrDefault(prefix + "namespace", "");
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  /** What a released volume still knows of its claim: its name. */
  static Claim claimOf(Volume volume) {
    ClaimRef ref = Objects.requireNonNull(volume.claimRef());
    return new Claim(
        new Meta(ref.claim(), ref.uid(), 0, 0, 0, Map.of(), Map.of(), List.of()),
        volume.accessModes(),
        volume.storage(),
        volume.storageClass(),
        volume.meta().name(),
        volume.volumeMode(),
        null,
        "",
        false,
        new Claim.Status(ClaimPhase.UNSET, List.of(), Map.of(), ""));
  }
}
