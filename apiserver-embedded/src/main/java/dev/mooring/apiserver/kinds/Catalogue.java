package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.ResourceType.Traits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
          new EventRules(false),
          ResourceType.Extras.NONE);

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
          new EventRules(true),
          ResourceType.Extras.NONE);

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
          new CoreRules.Namespaces(),
          ResourceType.Extras.NONE);

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
          new CoreRules.Nodes(),
          ResourceType.Extras.NONE);

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
          new PodRules(),
          ResourceType.Extras.in("all"));

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
          new VolumeRules(),
          ResourceType.Extras.NONE);

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
          new ClaimRules(),
          ResourceType.Extras.NONE);

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
          new StorageRules.Classes(),
          ResourceType.Extras.NONE);

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
          new CoreRules.ConfigMaps(),
          ResourceType.Extras.NONE);

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
          new CoreRules.Secrets(),
          ResourceType.Extras.NONE);

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
          new StorageRules.Attachments(),
          ResourceType.Extras.NONE);

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
          new StorageRules.CsiNodes(),
          ResourceType.Extras.NONE);

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
          new StorageRules.CsiDrivers(),
          ResourceType.Extras.NONE);

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
          new StorageRules.Capacities(),
          ResourceType.Extras.NONE);

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
          new StorageRules.AttributesClasses(),
          ResourceType.Extras.NONE);

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
          new CoreRules.Leases(),
          ResourceType.Extras.NONE);

  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final List<String> SCALED = List.of("scale", "status");

  private static ResourceType make(
      String apiVersion, String plural, String kind, Traits traits, Rules rules) {
    return make(
        apiVersion, plural, kind, traits, rules, List.of(), List.of(), ResourceType.Extras.NONE);
  }

  private static ResourceType make(
      String apiVersion,
      String plural,
      String kind,
      Traits traits,
      Rules rules,
      List<String> shortNames,
      List<String> subresources,
      ResourceType.Extras extras) {
    int slash = apiVersion.indexOf('/');
    return new ResourceType(
        slash < 0 ? "" : apiVersion.substring(0, slash),
        apiVersion.substring(slash + 1),
        plural,
        kind.toLowerCase(Locale.ROOT),
        kind,
        !CLUSTER_SCOPED.contains(kind),
        shortNames,
        subresources,
        kind,
        traits,
        rules,
        extras);
  }

  private static final Set<String> CLUSTER_SCOPED =
      Set.of("ClusterRole", "ClusterRoleBinding", "PriorityClass", "CustomResourceDefinition");
  private static final Traits UPSERT = new Traits(false, true, false, "");

  public static final ResourceType ROLES =
      make(RBAC + "/v1", "roles", "Role", UPSERT, new RbacRules.Roles(true));

  public static final ResourceType ROLE_BINDINGS =
      make(RBAC + "/v1", "rolebindings", "RoleBinding", UPSERT, new RbacRules.Bindings(true));

  public static final ResourceType CLUSTER_ROLES =
      make(RBAC + "/v1", "clusterroles", "ClusterRole", UPSERT, new RbacRules.Roles(false));

  public static final ResourceType CLUSTER_ROLE_BINDINGS =
      make(
          RBAC + "/v1",
          "clusterrolebindings",
          "ClusterRoleBinding",
          UPSERT,
          new RbacRules.Bindings(false));

  public static final ResourceType SERVICE_ACCOUNTS =
      make(
          "v1",
          "serviceaccounts",
          "ServiceAccount",
          RETURNED,
          new PlainRules(),
          List.of("sa"),
          List.of("token"),
          ResourceType.Extras.NONE);

  public static final ResourceType ENDPOINTS =
      make(
          "v1",
          "endpoints",
          "Endpoints",
          UPSERT,
          new NetworkRules.Endpoints(),
          List.of("ep"),
          List.of(),
          new ResourceType.Extras(
              ResourceType.Scale.USUAL,
              "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
              List.of(),
              Optional.empty()));

  public static final ResourceType ENDPOINT_SLICES =
      make(
          "discovery.k8s.io/v1",
          "endpointslices",
          "EndpointSlice",
          PLAIN,
          new NetworkRules.Slices());

  public static final ResourceType QUOTAS =
      make(
          "v1",
          "resourcequotas",
          "ResourceQuota",
          RETURNED,
          new QuotaRules(),
          List.of("quota"),
          STATUS,
          ResourceType.Extras.NONE);

  public static final ResourceType REPLICA_SETS =
      make(
          "apps/v1",
          "replicasets",
          "ReplicaSet",
          PLAIN,
          new AppsRules.ReplicaSets(),
          List.of("rs"),
          SCALED,
          ResourceType.Extras.in("all"));

  public static final ResourceType STATEFUL_SETS =
      make(
          "apps/v1",
          "statefulsets",
          "StatefulSet",
          PLAIN,
          new AppsRules.StatefulSets(),
          List.of("sts"),
          SCALED,
          ResourceType.Extras.in("all"));

  public static final ResourceType DEFINITIONS =
      make(
          "apiextensions.k8s.io/v1",
          "customresourcedefinitions",
          "CustomResourceDefinition",
          STRICT,
          new DefinitionRules(),
          List.of("crd", "crds"),
          STATUS,
          ResourceType.Extras.in("api-extensions"));

  public static final ResourceType DEPLOYMENTS =
      make(
          "apps/v1",
          "deployments",
          "Deployment",
          PLAIN,
          new AppsRules.Deployments(),
          List.of("deploy"),
          SCALED,
          ResourceType.Extras.in("all"));

  /** All of them, core first, groups together. */
  public static final List<ResourceType> ALL =
      List.of(
          CONFIG_MAPS,
          ENDPOINTS,
          EVENTS,
          NAMESPACES,
          NODES,
          CLAIMS,
          VOLUMES,
          PODS,
          QUOTAS,
          SECRETS,
          SERVICE_ACCOUNTS,
          DEPLOYMENTS,
          REPLICA_SETS,
          STATEFUL_SETS,
          LEASES,
          ENDPOINT_SLICES,
          NEW_EVENTS,
          CLUSTER_ROLE_BINDINGS,
          CLUSTER_ROLES,
          ROLE_BINDINGS,
          ROLES,
          DEFINITIONS,
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

  /** Whether there is such a group. */
  public static boolean knows(String group) {
    return ALL.stream().anyMatch(t -> t.group().equals(group));
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
      case "Binding",
          "Eviction",
          "DeleteOptions",
          "Scale",
          "TokenReview",
          "SelfSubjectReview",
          "SelfSubjectAccessReview",
          "SelfSubjectRulesReview",
          "SubjectAccessReview",
          "LocalSubjectAccessReview" ->
          Schema.message(kind);
      case "TokenRequest" -> Schema.message("AuthenticationTokenRequest");
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
