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

/** Builds PersistentVolumes of a driver's volumes (spec/csi-bridge.md 5.5). */
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

  record Provisioner(String driver, String tag, boolean publishReadOnly, String inTree) {}

  private VolumeObjects() {}

  private static void addSecretRefs(Document object, Map<Purpose, Optional<SecretRef>> refs) {
    REFS.forEach((purpose, member) ->
        refs.getOrDefault(purpose, Optional.empty())
            .ifPresent(ref -> {
              object.set(ref.name(), SPEC, CSI, member, "name");
              object.set(ref.namespace(), SPEC, CSI, member, "namespace");
            }));
  }

  // Builds the parts that depend on the driver; StorageProvisioner adds the others.
  static CheckResult<Document> of(
      Order order,
      CsiVolume volume,
      CreateRequests.Request request,
      DriverIdentity identity,
      Provisioner provisioner) {
    Map<Purpose, Optional<SecretRef>> refs = request.refs();
    Document object = common(order, volume, refs);
    List<Map<String, String>> segments =
        identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS)
            ? volume.topology()
            : List.of();
    boolean readOnly =
        provisioner.publishReadOnly()
            && order.claim().accessModes().mask() == AccessModes.READ_ONLY_MANY;
    String fsType = request.call().accesses().getFirst().fsType();
    if (!provisioner.inTree().isEmpty()) {
      Secret stage =
          refs.getOrDefault(Purpose.NODE_STAGE, Optional.empty())
              .map(ref -> new Secret(ref.name(), ref.namespace()))
              .orElse(null);
      return inTree(
          object,
          provisioner.inTree(),
          new InTreeForm.ProvisionedVolume(
              volume.id(), fsType, readOnly, volume.context(), stage, affinity(segments)));
    }
    object.set(provisioner.driver(), SPEC, CSI, "driver");
    object.set(volume.id(), SPEC, CSI, "volumeHandle");
    Map<String, String> attributes = new HashMap<>(Map.of(IDENTITY, provisioner.tag()));
    attributes.putAll(volume.context());
    object.set(attributes, SPEC, CSI, "volumeAttributes");
    if (!fsType.isEmpty()) {
      object.set(fsType, SPEC, CSI, "fsType");
    }
    if (readOnly) {
      object.set(true, SPEC, CSI, "readOnly");
    }
    addSecretRefs(object, refs);
    NodeAffinityWriter.set(object, segments);
    return new CheckResult.Valid<>(object);
  }

  // Parts that do not depend on the volume type.
  private static Document common(
      Order order, CsiVolume volume, Map<Purpose, Optional<SecretRef>> refs) {
    Claim claim = order.claim();
    Document object = Document.empty();
    object.set(capacity(volume, claim).toString(), SPEC, "capacity", "storage");
    Optional<SecretRef> deletion = refs.getOrDefault(Purpose.PROVISION, Optional.empty());
    annotate(object, DELETION, deletion.orElse(new SecretRef("", "")));
    refs.getOrDefault(Purpose.CONTROLLER_MODIFY, Optional.empty())
        .ifPresent(ref -> annotate(object, MODIFY, ref));
    if (!claim.attributesClass().isEmpty() && order.isWanted()) { // as in the request
      object.set(claim.attributesClass(), SPEC, "volumeAttributesClassName");
    }
    return object;
  }

  // A class that names the in-tree provisioner promises in-tree volumes.
  private static CheckResult<Document> inTree(
      Document object, String plugin, InTreeForm.ProvisionedVolume made) {
    return switch (InTreeForm.of(plugin, made)) {
      case InTreeForm.Form.Refused(String why) ->
          new CheckResult.Invalid<>("created a volume that has no in-tree form: " + why);
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

  private static NodeAffinity affinity(List<Map<String, String>> segments) {
    return new NodeAffinity(
        segments.stream()
            .filter(segment -> !segment.isEmpty())
            .map(segment -> new NodeAffinity.Term(requirements(segment), List.of()))
            .toList());
  }

  private static List<Requirement> requirements(Map<String, String> segments) {
    return new TreeMap<>(segments)
        .entrySet().stream()
            .map(entry -> new Requirement(entry.getKey(), "In", List.of(entry.getValue())))
            .toList();
  }

  private static void annotate(Document object, String prefix, SecretRef ref) {
    object.set(ref.name(), "metadata", "annotations", prefix + "name");
    object.set(ref.namespace(), "metadata", "annotations", prefix + "namespace");
  }

  private static Quantity capacity(CsiVolume volume, Claim claim) {
    return volume.capacityBytes() == 0 ? claim.request() : Quantity.ofBytes(volume.capacityBytes());
  }

  static boolean namesDeletionSecret(Map<String, String> annotations) {
    return annotations.containsKey(DELETION + "name");
  }

  static Optional<SecretRef> deletionSecret(Map<String, String> annotations) {
    return secret(annotations, DELETION);
  }

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

  // Builds a claim from the reference of a released volume; only its name and uid are known.
  static Claim claimOf(Volume volume) {
    ClaimRef ref = Objects.requireNonNull(volume.claimRef());
    return new Claim(
        Meta.named(ref.claim(), ref.uid()),
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
