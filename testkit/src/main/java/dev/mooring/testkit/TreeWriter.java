package dev.mooring.testkit;

import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Lease;
import dev.mooring.model.Node;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePopulator;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class TreeWriter {
  private TreeWriter() {}

  static JsonTree of(Resource object) {
    JsonTree tree = JsonTree.EMPTY.with("metadata", JsonTree.of(object.meta()).members());
    return switch (object) {
      case Claim claim -> tree.with("spec", spec(claim)).with("status", status(claim));
      case Volume volume -> tree.with("spec", spec(volume)).with("status", status(volume));
      case Pod pod ->
          tree.with("metadata", metadata(pod)).with("spec", spec(pod)).with("status", status(pod));
      case Node node ->
          tree.with("spec", JsonTree.EMPTY.with("taints", taints(node)))
              .with("status", status(node));
      case StorageClass storageClass -> storageClass(tree, storageClass);
      case Attachment attachment ->
          tree.with("spec", spec(attachment)).with("status", status(attachment));
      case CsiNode node -> tree.with("spec", JsonTree.EMPTY.with("drivers", drivers(node)));
      case CsiDriver driver ->
          tree.with(
              "spec",
              JsonTree.EMPTY
                  .with("attachRequired", driver.attachRequired())
                  .with("storageCapacity", driver.storageCapacity())
                  .with("seLinuxMount", driver.seLinuxMount()));
      case AttributesClass attributesClass ->
          tree.with("driverName", attributesClass.driver())
              .with("parameters", attributesClass.parameters());
      case StorageCapacity capacity -> capacity(tree, capacity);
      case Lease lease -> tree.with("spec", spec(lease));
      case PartialObject _ -> tree;
      case VolumePopulator populator ->
          tree.with(
              "sourceKind",
              Map.of("group", populator.sourceGroup(), "kind", populator.sourceKind()));
      default -> snapshotKind(tree, object);
    };
  }

  private static JsonTree snapshotKind(JsonTree tree, Resource object) {
    return switch (object) {
      case VolumeSnapshot snapshot -> SnapshotTrees.of(tree, snapshot);
      case SnapshotContent content -> SnapshotTrees.of(tree, content);
      case SnapshotClass snapshotClass ->
          SnapshotTrees.ofClass(
              tree, snapshotClass.driver(), snapshotClass.parameters(), snapshotClass.policy());
      case GroupSnapshot group -> GroupTrees.of(tree, group);
      case GroupSnapshotContent content -> GroupTrees.of(tree, content);
      case GroupSnapshotClass groupClass ->
          SnapshotTrees.ofClass(
              tree, groupClass.driver(), groupClass.parameters(), groupClass.policy());
      default -> throw new IllegalArgumentException("an InMemoryCluster has no " + object);
    };
  }

  private static Map<String, Object> texts(Map<String, Quantity> quantities) {
    Map<String, Object> texts = new LinkedHashMap<>();
    quantities.forEach((name, quantity) -> texts.put(name, quantity.toString()));
    return texts;
  }

  private static JsonTree spec(Claim claim) {
    return JsonTree.EMPTY
        .with("accessModes", claim.accessModes().written())
        .with("resources", Map.of("requests", Map.of("storage", claim.request().toString())))
        .with("storageClassName", claim.storageClass())
        .withText("volumeName", claim.volumeName())
        .with("volumeMode", claim.volumeMode().toString())
        .withText("volumeAttributesClassName", claim.attributesClass())
        .with("dataSource", claim.hasDataSource() ? JsonTree.EMPTY : null)
        .with("dataSourceRef", dataSource(claim.dataSourceRef()));
  }

  private static @Nullable JsonTree dataSource(@Nullable DataSourceRef source) {
    return source == null
        ? null
        : JsonTree.EMPTY
            .withText("apiGroup", source.group())
            .with("kind", source.kind())
            .with("name", source.name())
            .withText("namespace", source.namespace());
  }

  private static JsonTree status(Claim claim) {
    Claim.Status status = claim.status();
    Claim.Modification modified = status.modification();
    Quantity allocated = status.resize().allocated();
    String state = status.resize().state().text();
    return JsonTree.EMPTY
        .withText("phase", status.phase().toString())
        .with("accessModes", status.accessModes().isEmpty() ? null : status.accessModes())
        .with("capacity", status.capacity().isEmpty() ? null : texts(status.capacity()))
        .withText("currentVolumeAttributesClassName", status.attributesClass())
        .with(
            "modifyVolumeStatus",
            modified.equals(Claim.Modification.NONE)
                ? null
                : Map.of(
                    "targetVolumeAttributesClassName", modified.target(),
                    "status", modified.state()))
        .with(
            "allocatedResources",
            allocated == null ? null : Map.of("storage", allocated.toString()))
        .with("allocatedResourceStatuses", state.isEmpty() ? null : Map.of("storage", state))
        .with(
            "conditions",
            status.conditions().isEmpty()
                ? null
                : status.conditions().stream().map(c -> condition(c).members()).toList())
        .with("healthStatus", health(status.healthConditions()));
  }

  private static @Nullable Map<String, Object> health(List<Claim.HealthCondition> conditions) {
    return conditions.isEmpty()
        ? null
        : Map.of(
            "healthConditions",
            conditions.stream()
                .map(c ->
                    JsonTree.EMPTY
                        .with("status", c.status())
                        .with("reason", c.reason())
                        .withText("message", c.message())
                        .members())
                .toList());
  }

  private static JsonTree condition(Claim.Condition condition) {
    return JsonTree.EMPTY
        .with("type", condition.type())
        .with("status", condition.status())
        .withText("reason", condition.reason())
        .withText("message", condition.message())
        .with("lastProbeTime", JsonTree.time(condition.probed()))
        .with("lastTransitionTime", JsonTree.time(condition.changed()));
  }

  private static JsonTree spec(Volume volume) {
    ClaimRef ref = volume.claimRef();
    JsonTree spec =
        JsonTree.EMPTY
            .with("capacity", texts(volume.capacity()))
            .with("accessModes", volume.accessModes().written())
            .with("persistentVolumeReclaimPolicy", volume.reclaimPolicy().toString())
            .withText("storageClassName", volume.storageClass())
            .with("volumeMode", volume.volumeMode().toString())
            .withText("volumeAttributesClassName", volume.attributesClass());
    if (!volume.source().type().isEmpty()) {
      spec = spec.with(volume.source().type(), volume.source().attributes());
    }
    return ref == null
        ? spec
        : spec.with(
            "claimRef",
            JsonTree.EMPTY
                .with("namespace", ref.claim().namespace())
                .with("name", ref.claim().name())
                .withText("uid", ref.uid().toString()));
  }

  private static JsonTree status(Volume volume) {
    return JsonTree.EMPTY
        .withText("phase", volume.status().phase().toString())
        .withText("message", volume.status().message())
        .withText("reason", volume.status().reason());
  }

  private static JsonTree spec(Pod pod) {
    List<Map<String, ?>> volumes = new ArrayList<>();
    for (String claim : pod.claims()) {
      if (pod.ephemeral().stream().noneMatch(name -> pod.claimOf(name).equals(claim))) {
        volumes.add(Map.of("name", claim, "persistentVolumeClaim", Map.of("claimName", claim)));
      }
    }
    pod.ephemeral().forEach(name -> volumes.add(Map.of("name", name, "ephemeral", Map.of())));
    pod.inline()
        .forEach(volume ->
            volumes.add(
                Map.of(
                    "name", volume.name(), volume.source().type(), volume.source().attributes())));
    return JsonTree.EMPTY
        .withText("nodeName", pod.nodeName())
        .with("volumes", List.copyOf(volumes));
  }

  private static JsonTree metadata(Pod pod) {
    return JsonTree.of(pod.meta()).with("deletionGracePeriodSeconds", pod.shutDown() ? 0 : null);
  }

  private static JsonTree status(Pod pod) {
    return JsonTree.EMPTY
        .with("phase", phase(pod.phase()))
        .with(
            "containerStatuses",
            pod.containersStopped() ? null : List.of(Map.of("state", Map.of("running", Map.of()))));
  }

  private static @Nullable String phase(Pod.Phase phase) {
    return switch (phase) {
      case UNSET -> null;
      case PENDING -> "Pending";
      case RUNNING -> "Running";
      case SUCCEEDED -> "Succeeded";
      case FAILED -> "Failed";
    };
  }

  private static List<Map<String, String>> taints(Node node) {
    List<Map<String, String>> taints = new ArrayList<>();
    for (String taint : node.taints()) {
      String[] fields = taint.split("[=:]", 3); // key=value:effect
      taints.add(Map.of("key", fields[0], "value", fields[1], "effect", fields[2]));
    }
    return List.copyOf(taints);
  }

  private static JsonTree status(Node node) {
    String readyStatus = node.ready();
    List<Map<String, String>> attached = new ArrayList<>();
    node.volumesAttached()
        .forEach((name, path) -> attached.add(Map.of("name", name, "devicePath", path)));
    return JsonTree.EMPTY
        .with(
            "conditions",
            readyStatus == null ? null : List.of(Map.of("type", "Ready", "status", readyStatus)))
        .with("volumesInUse", node.volumesInUse().isEmpty() ? null : node.volumesInUse())
        .with("volumesAttached", attached.isEmpty() ? null : List.copyOf(attached));
  }

  private static JsonTree storageClass(JsonTree tree, StorageClass storageClass) {
    return tree.with("provisioner", storageClass.provisioner())
        .with("parameters", storageClass.parameters())
        .with("reclaimPolicy", storageClass.reclaimPolicy().toString())
        .with("mountOptions", storageClass.mountOptions())
        .with(
            "volumeBindingMode",
            storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER
                ? "WaitForFirstConsumer"
                : "Immediate")
        .with("allowVolumeExpansion", storageClass.allowsExpansion());
  }

  private static JsonTree spec(Attachment attachment) {
    return JsonTree.EMPTY
        .with("attacher", attachment.attacher())
        .with("nodeName", attachment.nodeName())
        .with(
            "source",
            attachment.volumeName().isEmpty()
                ? Map.of("inlineVolumeSpec", spec(attachment.inline()))
                : Map.of("persistentVolumeName", attachment.volumeName()));
  }

  private static Map<String, Object> spec(Attachment.InlineVolume inline) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("accessModes", inline.accessModes().written());
    if (!inline.source().type().isEmpty()) {
      spec.put(inline.source().type(), inline.source().attributes());
    }
    return spec;
  }

  private static JsonTree status(Attachment attachment) {
    return JsonTree.EMPTY
        .with("attached", attachment.attached())
        .with("attachError", problem(attachment.attachError()))
        .with("detachError", problem(attachment.detachError()));
  }

  private static @Nullable Map<String, String> problem(String message) {
    return message.isEmpty() ? null : Map.of("message", message);
  }

  private static List<Map<String, Object>> drivers(CsiNode node) {
    List<Map<String, Object>> drivers = new ArrayList<>();
    node.drivers()
        .forEach(driver ->
            drivers.add(
                Map.of(
                    "name", driver.name(),
                    "nodeID", driver.nodeId(),
                    "topologyKeys", driver.topologyKeys(),
                    "allocatable", Map.of("count", driver.volumeLimit()))));
    return List.copyOf(drivers);
  }

  private static JsonTree capacity(JsonTree tree, StorageCapacity capacity) {
    return tree.with("storageClassName", capacity.storageClass())
        .with(
            "nodeTopology",
            capacity.nodeTopology() == null ? null : GroupTrees.of(capacity.nodeTopology()))
        .with("capacity", capacity.capacity() == null ? null : capacity.capacity().toString())
        .with(
            "maximumVolumeSize",
            capacity.maximumVolumeSize() == null ? null : capacity.maximumVolumeSize().toString());
  }

  private static JsonTree spec(Lease lease) {
    return JsonTree.EMPTY
        .withText("holderIdentity", lease.holder())
        .with("leaseDurationSeconds", lease.durationSeconds() == 0 ? null : lease.durationSeconds())
        .with("acquireTime", JsonTree.microTime(lease.acquiredMicros()))
        .with("renewTime", JsonTree.microTime(lease.renewedMicros()))
        .with("leaseTransitions", lease.transitions());
  }
}
