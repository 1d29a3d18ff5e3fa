package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.ResourceType.Traits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The resources that the server has. */
public final class Catalogue {
  private static final Traits PLAIN = new Traits(false, false, false, "");
  private static final Traits RETURNED = new Traits(false, false, true, "");
  private static final Traits STRICT = new Traits(true, false, true, "");
  private static final String CORE = "";
  private static final String STORAGE = "storage.k8s.io";
  private static final List<String> STATUS = List.of("status");

  /** Events in core/v1's form, in which they are stored. */
  public static final ResourceType EVENTS =
      new ResourceType(
          CORE,
          "v1",
          "events",
          "event",
          "Event",
          true,
          List.of("ev"),
          List.of(),
          "Event",
          new Traits(false, true, false, ""),
          new EventRules(false));

  /** Events in the newer form. */
  public static final ResourceType NEW_EVENTS =
      new ResourceType(
          "events.k8s.io",
          "v1",
          "events",
          "event",
          "Event",
          true,
          List.of("ev"),
          List.of(),
          "EventsEvent",
          new Traits(false, true, false, ""),
          new EventRules(true));

  public static final ResourceType NAMESPACES =
      new ResourceType(
          CORE,
          "v1",
          "namespaces",
          "namespace",
          "Namespace",
          false,
          List.of("ns"),
          List.of("finalize", "status"),
          "Namespace",
          RETURNED,
          new CoreRules.Namespaces());

  public static final ResourceType NODES =
      new ResourceType(
          CORE,
          "v1",
          "nodes",
          "node",
          "Node",
          false,
          List.of("no"),
          STATUS,
          "Node",
          PLAIN,
          new CoreRules.Nodes());

  public static final ResourceType PODS =
      new ResourceType(
          CORE,
          "v1",
          "pods",
          "pod",
          "Pod",
          true,
          List.of("po"),
          List.of("binding", "eviction", "status"),
          "Pod",
          RETURNED,
          new PodRules());

  public static final ResourceType VOLUMES =
      new ResourceType(
          CORE,
          "v1",
          "persistentvolumes",
          "persistentvolume",
          "PersistentVolume",
          false,
          List.of("pv"),
          STATUS,
          "PersistentVolume",
          new Traits(false, false, true, "kubernetes.io/pv-protection"),
          new VolumeRules());

  public static final ResourceType CLAIMS =
      new ResourceType(
          CORE,
          "v1",
          "persistentvolumeclaims",
          "persistentvolumeclaim",
          "PersistentVolumeClaim",
          true,
          List.of("pvc"),
          STATUS,
          "PersistentVolumeClaim",
          new Traits(false, false, true, "kubernetes.io/pvc-protection"),
          new ClaimRules());

  public static final ResourceType CLASSES =
      new ResourceType(
          STORAGE,
          "v1",
          "storageclasses",
          "storageclass",
          "StorageClass",
          false,
          List.of("sc"),
          List.of(),
          "StorageClass",
          RETURNED,
          new StorageRules.Classes());

  public static final ResourceType CONFIG_MAPS =
      new ResourceType(
          CORE,
          "v1",
          "configmaps",
          "configmap",
          "ConfigMap",
          true,
          List.of("cm"),
          List.of(),
          "ConfigMap",
          PLAIN,
          new CoreRules.ConfigMaps());

  public static final ResourceType SECRETS =
      new ResourceType(
          CORE,
          "v1",
          "secrets",
          "secret",
          "Secret",
          true,
          List.of(),
          List.of(),
          "Secret",
          PLAIN,
          new CoreRules.Secrets());

  public static final ResourceType ATTACHMENTS =
      new ResourceType(
          STORAGE,
          "v1",
          "volumeattachments",
          "volumeattachment",
          "VolumeAttachment",
          false,
          List.of(),
          STATUS,
          "VolumeAttachment",
          STRICT,
          new StorageRules.Attachments());

  public static final ResourceType CSI_NODES =
      new ResourceType(
          STORAGE,
          "v1",
          "csinodes",
          "csinode",
          "CSINode",
          false,
          List.of(),
          List.of(),
          "CSINode",
          STRICT,
          new StorageRules.CsiNodes());

  public static final ResourceType CSI_DRIVERS =
      new ResourceType(
          STORAGE,
          "v1",
          "csidrivers",
          "csidriver",
          "CSIDriver",
          false,
          List.of(),
          List.of(),
          "CSIDriver",
          STRICT,
          new StorageRules.CsiDrivers());

  public static final ResourceType CAPACITIES =
      new ResourceType(
          STORAGE,
          "v1",
          "csistoragecapacities",
          "csistoragecapacity",
          "CSIStorageCapacity",
          true,
          List.of(),
          List.of(),
          "CSIStorageCapacity",
          new Traits(true, false, false, ""),
          new StorageRules.Capacities());

  public static final ResourceType ATTRIBUTES_CLASSES =
      new ResourceType(
          STORAGE,
          "v1",
          "volumeattributesclasses",
          "volumeattributesclass",
          "VolumeAttributesClass",
          false,
          List.of("vac"),
          List.of(),
          "VolumeAttributesClass",
          new Traits(false, false, true, "kubernetes.io/vac-protection"),
          new StorageRules.AttributesClasses());

  public static final ResourceType LEASES =
      new ResourceType(
          "coordination.k8s.io",
          "v1",
          "leases",
          "lease",
          "Lease",
          true,
          List.of(),
          List.of(),
          "Lease",
          new Traits(true, true, false, ""),
          new CoreRules.Leases());

  /** All of them, core first, groups together. */
  public static final List<ResourceType> ALL =
      List.of(
          CONFIG_MAPS,
          EVENTS,
          NAMESPACES,
          NODES,
          CLAIMS,
          VOLUMES,
          PODS,
          SECRETS,
          LEASES,
          NEW_EVENTS,
          CSI_DRIVERS,
          CSI_NODES,
          CAPACITIES,
          CLASSES,
          ATTACHMENTS,
          ATTRIBUTES_CLASSES);

  private Catalogue() {}

  /** The resource of that group, version and name. */
  public static Optional<ResourceType> find(String group, String version, String plural) {
    return ALL.stream()
        .filter(t ->
            t.group().equals(group) && t.version().equals(version) && t.plural().equals(plural))
        .findFirst();
  }

  /**
   * The message of a kind, also of those that are only ever sent to subresources; null if it is not
   * known.
   */
  public static Schema.@Nullable Message messageOf(String apiVersion, String kind) {
    for (ResourceType type : ALL) {
      if (type.kind().equals(kind) && type.apiVersion().equals(apiVersion)) {
        return type.schema();
      }
    }
    return switch (kind) {
      case "Binding", "Eviction", "DeleteOptions" -> Schema.message(kind);
      default -> null;
    };
  }

  /** The groups other than core, in the order of {@link #ALL}. */
  public static List<String> groups() {
    List<String> groups = new ArrayList<>();
    for (ResourceType type : ALL) {
      if (!type.group().isEmpty() && !groups.contains(type.group())) {
        groups.add(type.group());
      }
    }
    return groups;
  }
}
