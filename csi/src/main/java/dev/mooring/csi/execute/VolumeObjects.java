package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.NodeAffinityWriter;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ClassParameters.Purpose;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Meta;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.CsiVolume.Secret;
import dev.mooring.model.migration.InTreeForm;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.storage.VolumeService.Order;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Builds PersistentVolumes of a driver's volumes. */
final class VolumeObjects {
  private static final String IDENTITY = "storage.kubernetes.io/csiProvisionerIdentity";
  private static final String DELETION_SECRET_PREFIX =
      "volume.kubernetes.io/provisioner-deletion-secret-";
  private static final String MODIFY_SECRET_PREFIX =
      "volume.kubernetes.io/controller-modify-secret-";
  private static final String CSI = "csi";
  private static final String SPEC = "spec";

  private static final Map<Purpose, String> SECRET_REF_MEMBERS =
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

  record Provisioner(String driver, String tag, boolean publishReadOnly, String inTree) {}

  private VolumeObjects() {}

  private static void addSecretRefs(Document object, Map<Purpose, Optional<SecretRef>> secretRefs) {
    SECRET_REF_MEMBERS.forEach((purpose, member) ->
        secretRefs
            .getOrDefault(purpose, Optional.empty())
            .ifPresent(ref -> {
              object.set(ref.name(), SPEC, CSI, member, "name");
              object.set(ref.namespace(), SPEC, CSI, member, "namespace");
            }));
  }

  // Builds the parts that depend on the driver; StorageProvisioner adds the others.
  static CheckResult<Document> build(
      Order order,
      CsiVolume volume,
      CreateRequests.Request request,
      DriverIdentity identity,
      Provisioner provisioner) {
    Map<Purpose, Optional<SecretRef>> secretRefs = request.secretRefs();
    Document object = buildCommon(order, volume, secretRefs);
    List<Map<String, String>> segments =
        identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS)
            ? volume.topology()
            : List.of();
    boolean isReadOnly =
        provisioner.publishReadOnly()
            && order.claim().accessModes().mask() == AccessModes.READ_ONLY_MANY;
    String fsType = request.call().accesses().getFirst().fsType();
    if (!provisioner.inTree().isEmpty()) {
      Secret nodeSecret =
          secretRefs
              .getOrDefault(Purpose.NODE_STAGE, Optional.empty())
              .map(ref -> new Secret(ref.name(), ref.namespace()))
              .orElse(null);
      return buildInTree(
          object,
          provisioner.inTree(),
          new InTreeForm.ProvisionedVolume(
              volume.id(), fsType, isReadOnly, volume.context(), nodeSecret, toAffinity(segments)));
    }
    object.set(provisioner.driver(), SPEC, CSI, "driver");
    object.set(volume.id(), SPEC, CSI, "volumeHandle");
    Map<String, String> attributes = new HashMap<>(Map.of(IDENTITY, provisioner.tag()));
    attributes.putAll(volume.context());
    object.set(attributes, SPEC, CSI, "volumeAttributes");
    if (!fsType.isEmpty()) {
      object.set(fsType, SPEC, CSI, "fsType");
    }
    if (isReadOnly) {
      object.set(true, SPEC, CSI, "readOnly");
    }
    addSecretRefs(object, secretRefs);
    NodeAffinityWriter.set(object, segments);
    return new CheckResult.Valid<>(object);
  }

  // Parts that do not depend on the volume type.
  private static Document buildCommon(
      Order order, CsiVolume volume, Map<Purpose, Optional<SecretRef>> secretRefs) {
    Claim claim = order.claim();
    Document object = Document.empty();
    object.set(chooseCapacity(volume, claim).toString(), SPEC, "capacity", "storage");
    Optional<SecretRef> deletionSecret =
        secretRefs.getOrDefault(Purpose.PROVISION, Optional.empty());
    annotateSecret(object, DELETION_SECRET_PREFIX, deletionSecret.orElse(new SecretRef("", "")));
    secretRefs
        .getOrDefault(Purpose.CONTROLLER_MODIFY, Optional.empty())
        .ifPresent(ref -> annotateSecret(object, MODIFY_SECRET_PREFIX, ref));
    if (!claim.attributesClass().isEmpty() && order.isWanted()) { // as in the request
      object.set(claim.attributesClass(), SPEC, "volumeAttributesClassName");
    }
    return object;
  }

  // A class that names the in-tree provisioner must get in-tree volumes.
  private static CheckResult<Document> buildInTree(
      Document object, String plugin, InTreeForm.ProvisionedVolume volume) {
    return switch (InTreeForm.of(plugin, volume)) {
      case InTreeForm.Form.Refused(String reason) ->
          new CheckResult.Invalid<>("created a volume that has no in-tree form: " + reason);
      case InTreeForm.Form.InTree form -> {
        object.set(form.source(), SPEC, form.type());
        if (!form.affinity().terms().isEmpty()) {
          object.set(form.affinity().spec(), SPEC, "nodeAffinity");
        }
        form.labels().forEach((key, value) -> object.set(value, "metadata", "labels", key));
        form.annotations()
            .forEach((key, value) -> object.set(value, "metadata", "annotations", key));
        yield new CheckResult.Valid<>(object);
      }
    };
  }

  private static NodeAffinity toAffinity(List<Map<String, String>> segments) {
    return new NodeAffinity(
        segments.stream()
            .filter(segment -> !segment.isEmpty())
            .map(segment -> new NodeAffinity.Term(toRequirements(segment), List.of()))
            .toList());
  }

  private static List<Requirement> toRequirements(Map<String, String> segments) {
    return new TreeMap<>(segments)
        .entrySet().stream()
            .map(entry -> new Requirement(entry.getKey(), "In", List.of(entry.getValue())))
            .toList();
  }

  private static void annotateSecret(Document object, String prefix, SecretRef ref) {
    object.set(ref.name(), "metadata", "annotations", prefix + "name");
    object.set(ref.namespace(), "metadata", "annotations", prefix + "namespace");
  }

  private static Quantity chooseCapacity(CsiVolume volume, Claim claim) {
    return volume.capacityBytes() == 0 ? claim.request() : Quantity.ofBytes(volume.capacityBytes());
  }

  static boolean namesDeletionSecret(Map<String, String> annotations) {
    return annotations.containsKey(DELETION_SECRET_PREFIX + "name")
        && annotations.containsKey(DELETION_SECRET_PREFIX + "namespace");
  }

  static Optional<SecretRef> deletionSecret(Map<String, String> annotations) {
    return readSecret(annotations, DELETION_SECRET_PREFIX);
  }

  static Optional<SecretRef> modifySecret(Map<String, String> annotations) {
    return readSecret(annotations, MODIFY_SECRET_PREFIX);
  }

  private static Optional<SecretRef> readSecret(Map<String, String> annotations, String prefix) {
    String name = annotations.getOrDefault(prefix + "name", "");
    String namespace = annotations.getOrDefault(prefix + "namespace", "");
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  // Builds a claim from the reference of a released volume; only its name and uid are known.
  static Claim buildClaim(Volume volume) {
    ClaimRef ref = Objects.requireNonNull(volume.claimRef());
    return new Claim(
        Meta.of(ref.claim(), ref.uid()),
        volume.accessModes(),
        volume.storage(),
        volume.storageClass(),
        volume.meta().name(),
        volume.volumeMode(),
        null,
        "",
        false,
        null,
        new Claim.Status(ClaimPhase.UNSET, List.of(), Map.of(), ""));
  }
}
