package dev.mooring.testkit;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumePopulator;
import dev.mooring.model.VolumeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads model records from JSON, limited to fields that controllers write: no selectors of claims,
 * no affinity of volumes.
 */
final class TreeReader {
  private static final Set<String> NON_SOURCE_FIELDS =
      Set.of(
          "capacity",
          "accessModes",
          "claimRef",
          "persistentVolumeReclaimPolicy",
          "storageClassName",
          "mountOptions",
          "volumeMode",
          "nodeAffinity",
          "volumeAttributesClassName");

  private static final Map<Kind<?>, Function<JsonTree, Resource>> READERS = new LinkedHashMap<>();

  static {
    READERS.put(Kind.CLAIM, TreeReader::claim);
    READERS.put(Kind.VOLUME, TreeReader::volume);
    READERS.put(Kind.POD, TreeReader::pod);
    READERS.put(Kind.NODE, TreeReader::node);
    READERS.put(Kind.STORAGE_CLASS, TreeReader::storageClass);
    READERS.put(Kind.ATTACHMENT, TreeReader::attachment);
    READERS.put(Kind.CSI_NODE, TreeReader::csiNode);
    READERS.put(Kind.CSI_DRIVER, TreeReader::csiDriver);
    READERS.put(Kind.ATTRIBUTES_CLASS, TreeReader::attributesClass);
    READERS.put(Kind.CLAIM_LABELS, tree -> new ClaimLabels(tree.meta()));
    READERS.put(Kind.STORAGE_CAPACITY, TreeReader::storageCapacity);
    READERS.put(Kind.LEASE, TreeReader::lease);
    READERS.put(Kind.SNAPSHOT, SnapshotTrees::snapshot);
    READERS.put(Kind.SNAPSHOT_CONTENT, SnapshotTrees::content);
    READERS.put(Kind.SNAPSHOT_CLASS, SnapshotTrees::snapshotClass);
    READERS.put(Kind.GROUP_SNAPSHOT, GroupTrees::group);
    READERS.put(Kind.GROUP_SNAPSHOT_CONTENT, GroupTrees::content);
    READERS.put(Kind.GROUP_SNAPSHOT_CLASS, GroupTrees::groupClass);
    READERS.put(VolumePopulator.KIND, TreeReader::populator);
  }

  private TreeReader() {}

  static <T extends Resource> T read(Kind<T> kind, JsonTree tree) {
    if (kind.type().isAssignableFrom(PartialObject.class)) {
      return kind.type().cast(new PartialObject(tree.meta()));
    }
    Function<JsonTree, Resource> reader = READERS.get(kind);
    if (reader == null) {
      throw new IllegalArgumentException("an InMemoryCluster has no " + kind);
    }
    return kind.type().cast(reader.apply(tree));
  }

  static List<Kind<?>> kindsOfResource(Kind<?> kind) {
    List<Kind<?>> kinds = new ArrayList<>();
    for (Kind<?> candidate : READERS.keySet()) {
      if (candidate.group().equals(kind.group()) && candidate.plural().equals(kind.plural())) {
        kinds.add(candidate);
      }
    }
    kinds.add(
        new Kind<>(
            kind.group(),
            kind.version(),
            kind.plural(),
            kind.kind(),
            kind.namespaced(),
            PartialObject.class));
    return List.copyOf(kinds);
  }

  private static Claim claim(JsonTree tree) {
    JsonTree spec = tree.child("spec");
    JsonTree status = tree.child("status");
    JsonTree modification = status.child("modifyVolumeStatus");
    return new ClaimBuilder(tree.meta().key())
        .accessModes(AccessModes.of(spec.texts("accessModes")))
        .request(
            spec.child("resources").quantities("requests").getOrDefault("storage", Quantity.ZERO))
        .storageClass(spec.contains("storageClassName") ? spec.text("storageClassName") : null)
        .volumeName(spec.text("volumeName"))
        .volumeMode(VolumeMode.of(spec.text("volumeMode")))
        .attributesClass(spec.text("volumeAttributesClassName"))
        .dataSourceRef(dataSource(spec.child("dataSourceRef")))
        .hasDataSource(spec.contains("dataSource") || spec.contains("dataSourceRef"))
        .status(
            new Claim.Status(
                ClaimPhase.of(status.text("phase")),
                status.texts("accessModes"),
                status.quantities("capacity"),
                status.text("currentVolumeAttributesClassName"),
                new Claim.Modification(
                    modification.text("targetVolumeAttributesClassName"),
                    modification.text("status")),
                new Claim.Resize(
                    status.quantities("allocatedResources").get("storage"),
                    Claim.ResizeState.of(
                        status.map("allocatedResourceStatuses").getOrDefault("storage", ""))),
                status.children("conditions").stream().map(TreeReader::condition).toList(),
                status.child("healthStatus").children("healthConditions").stream()
                    .map(c ->
                        new Claim.HealthCondition(
                            c.text("status"), c.text("reason"), c.text("message")))
                    .toList()))
        .meta(tree.meta())
        .build();
  }

  private static @Nullable DataSourceRef dataSource(JsonTree tree) {
    return tree.contains("kind")
        ? new DataSourceRef(
            tree.text("apiGroup"), tree.text("kind"), tree.text("namespace"), tree.text("name"))
        : null;
  }

  private static VolumePopulator populator(JsonTree tree) {
    JsonTree source = tree.child("sourceKind");
    return new VolumePopulator(tree.meta(), source.text("group"), source.text("kind"));
  }

  private static Claim.Condition condition(JsonTree tree) {
    return new Claim.Condition(
        tree.text("type"),
        tree.text("status"),
        tree.text("reason"),
        tree.text("message"),
        tree.seconds("lastProbeTime"),
        tree.seconds("lastTransitionTime"));
  }

  private static Volume volume(JsonTree tree) {
    JsonTree spec = tree.child("spec");
    JsonTree status = tree.child("status");
    return new VolumeBuilder(tree.meta().key())
        .capacity(spec.quantities("capacity"))
        .source(source(spec, NON_SOURCE_FIELDS))
        .accessModes(AccessModes.of(spec.texts("accessModes")))
        .claimRef(claimRef(spec.child("claimRef")))
        .reclaimPolicy(ReclaimPolicy.of(spec.text("persistentVolumeReclaimPolicy")))
        .storageClass(spec.text("storageClassName"))
        .volumeMode(VolumeMode.of(spec.text("volumeMode")))
        .attributesClass(spec.text("volumeAttributesClassName"))
        .status(
            new Volume.Status(
                VolumePhase.of(status.text("phase")),
                status.text("message"),
                status.text("reason")))
        .meta(tree.meta())
        .build();
  }

  private static @Nullable ClaimRef claimRef(JsonTree ref) {
    return ref.members().isEmpty()
        ? null
        : new ClaimRef(
            ObjectKey.of(ref.text("namespace"), ref.text("name")), Uid.of(ref.text("uid")));
  }

  private static VolumeSource source(JsonTree spec, Set<String> nonSourceFields) {
    return spec.members().keySet().stream()
        .filter(name -> !nonSourceFields.contains(name))
        .findFirst()
        .map(type -> new VolumeSource(type, attributes(spec.child(type))))
        .orElse(VolumeSource.NONE);
  }

  private static Map<String, String> attributes(JsonTree source) {
    Map<String, String> scalars = new LinkedHashMap<>();
    source
        .members()
        .forEach((name, value) -> {
          if (!(value instanceof Map<?, ?> || value instanceof List<?>)) {
            scalars.put(name, String.valueOf(value));
          }
        });
    return scalars;
  }

  private static Pod pod(JsonTree tree) {
    Meta meta = tree.meta();
    JsonTree spec = tree.child("spec");
    List<String> claims = new ArrayList<>();
    List<String> ephemeral = new ArrayList<>();
    List<Pod.Inline> inline = new ArrayList<>();
    for (JsonTree volume : spec.children("volumes")) {
      if (volume.contains("persistentVolumeClaim")) {
        claims.add(volume.child("persistentVolumeClaim").text("claimName"));
      } else if (volume.contains("ephemeral")) {
        ephemeral.add(volume.text("name"));
        claims.add(meta.name() + "-" + volume.text("name"));
      } else {
        inline.add(new Pod.Inline(volume.text("name"), source(volume, Set.of("name"))));
      }
    }
    return new PodBuilder(meta.key())
        .nodeName(spec.text("nodeName"))
        .claims(List.copyOf(claims))
        .ephemeral(List.copyOf(ephemeral))
        .inline(List.copyOf(inline))
        .containersStopped(
            tree.child("status").children("containerStatuses").stream()
                .noneMatch(container -> container.child("state").contains("running")))
        .shutDown(
            meta.isBeingDeleted()
                && tree.child("metadata").contains("deletionGracePeriodSeconds")
                && tree.child("metadata").number("deletionGracePeriodSeconds") == 0)
        .phase(Pod.Phase.of(tree.child("status").text("phase")))
        .meta(meta)
        .build();
  }

  private static Node node(JsonTree tree) {
    JsonTree status = tree.child("status");
    Map<String, String> attached = new LinkedHashMap<>();
    status
        .children("volumesAttached")
        .forEach(volume -> attached.put(volume.text("name"), volume.text("devicePath")));
    return new NodeBuilder(tree.meta().key())
        .taints(
            tree.child("spec").children("taints").stream()
                .map(t -> t.text("key") + "=" + t.text("value") + ":" + t.text("effect"))
                .toList())
        .ready(
            status.children("conditions").stream()
                .filter(condition -> condition.text("type").equals("Ready"))
                .map(condition -> condition.text("status"))
                .findFirst()
                .orElse(null))
        .volumesInUse(status.texts("volumesInUse"))
        .volumesAttached(attached)
        .meta(tree.meta())
        .build();
  }

  private static StorageClass storageClass(JsonTree tree) {
    return new StorageClassBuilder(tree.meta().key())
        .provisioner(tree.text("provisioner"))
        .parameters(tree.map("parameters"))
        .reclaimPolicy(
            tree.contains("reclaimPolicy")
                ? ReclaimPolicy.of(tree.text("reclaimPolicy"))
                : ReclaimPolicy.DELETE)
        .mountOptions(tree.texts("mountOptions"))
        .binding(
            tree.text("volumeBindingMode").equals("WaitForFirstConsumer")
                ? StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER
                : StorageClass.Binding.IMMEDIATE)
        .allowsExpansion(tree.flag("allowVolumeExpansion"))
        .meta(tree.meta())
        .build();
  }

  private static Attachment.InlineVolume inline(JsonTree spec) {
    return new Attachment.InlineVolume(
        source(spec, NON_SOURCE_FIELDS), AccessModes.of(spec.texts("accessModes")));
  }

  private static Attachment attachment(JsonTree tree) {
    JsonTree spec = tree.child("spec");
    JsonTree status = tree.child("status");
    return new AttachmentBuilder(tree.meta().key())
        .attacher(spec.text("attacher"))
        .volumeName(spec.child("source").text("persistentVolumeName"))
        .inline(inline(spec.child("source").child("inlineVolumeSpec")))
        .nodeName(spec.text("nodeName"))
        .attached(status.flag("attached"))
        .attachError(status.child("attachError").text("message"))
        .detachError(status.child("detachError").text("message"))
        .meta(tree.meta())
        .build();
  }

  private static CsiNode csiNode(JsonTree tree) {
    return new CsiNodeBuilder(tree.meta().key())
        .drivers(
            tree.child("spec").children("drivers").stream()
                .map(driver ->
                    new CsiNode.Driver(
                        driver.text("name"),
                        driver.text("nodeID"),
                        driver.texts("topologyKeys"),
                        (int) driver.child("allocatable").number("count")))
                .toList())
        .meta(tree.meta())
        .build();
  }

  private static CsiDriver csiDriver(JsonTree tree) {
    JsonTree spec = tree.child("spec");
    return new CsiDriverBuilder(tree.meta().key())
        .attachRequired(!spec.contains("attachRequired") || spec.flag("attachRequired"))
        .storageCapacity(spec.flag("storageCapacity"))
        .seLinuxMount(spec.flag("seLinuxMount"))
        .meta(tree.meta())
        .build();
  }

  private static AttributesClass attributesClass(JsonTree tree) {
    return new AttributesClassBuilder(tree.meta().key())
        .driver(tree.text("driverName"))
        .parameters(tree.map("parameters"))
        .meta(tree.meta())
        .build();
  }

  private static StorageCapacity storageCapacity(JsonTree tree) {
    return new StorageCapacityBuilder(tree.meta().key())
        .storageClass(tree.text("storageClassName"))
        .nodeTopology(
            tree.contains("nodeTopology") ? GroupTrees.selector(tree.child("nodeTopology")) : null)
        .capacity(quantity(tree, "capacity"))
        .maximumVolumeSize(quantity(tree, "maximumVolumeSize"))
        .meta(tree.meta())
        .build();
  }

  private static @Nullable Quantity quantity(JsonTree tree, String name) {
    return tree.contains(name) ? Quantity.of(tree.text(name)) : null;
  }

  private static Lease lease(JsonTree tree) {
    JsonTree spec = tree.child("spec");
    return new LeaseBuilder(tree.meta().key())
        .holder(spec.text("holderIdentity"))
        .durationSeconds((int) spec.number("leaseDurationSeconds"))
        .renewedMicros(spec.micros("renewTime"))
        .acquiredMicros(spec.micros("acquireTime"))
        .transitions((int) spec.number("leaseTransitions"))
        .meta(tree.meta())
        .build();
  }
}
