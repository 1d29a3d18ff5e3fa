package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.kinds.ResourceTypes.make;
import static dev.mooring.apiserver.kinds.ResourceTypes.named;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.ResourceType.Traits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The resources that the server has. */
public final class KindCatalogue {
  private static final Traits PLAIN = new Traits(false, false, false, "");
  private static final Traits RETURNED = new Traits(false, false, true, "");
  private static final Traits STRICT = new Traits(true, false, true, "");
  private static final String CORE = "";
  private static final String STORAGE = "storage.k8s.io";
  private static final List<String> STATUS = List.of("status");

  /** Events in core/v1's form, in which they are stored. */
  public static final ResourceType EVENTS =
      make(
          named("v1", "events", "Event", "ev"),
          new Traits(false, true, false, ""),
          new EventStrategy(false));

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
          new EventStrategy(true),
          ResourceType.Extras.NONE);

  public static final ResourceType NAMESPACES =
      make(
          named("v1", "namespaces", "Namespace", "ns"),
          RETURNED,
          new CoreStrategy.Namespaces(),
          List.of("finalize", "status"),
          ResourceType.Extras.NONE);

  public static final ResourceType NODES =
      make(
          named("v1", "nodes", "Node", "no"),
          PLAIN,
          new NodeStrategy(),
          STATUS,
          ResourceType.Extras.NONE);

  public static final ResourceType PODS =
      make(
          named("v1", "pods", "Pod", "po"),
          RETURNED,
          new PodStrategy(),
          List.of("binding", "eviction", "status"),
          ResourceType.Extras.in("all"));

  public static final ResourceType VOLUMES =
      make(
          named("v1", "persistentvolumes", "PersistentVolume", "pv"),
          new Traits(false, false, true, "kubernetes.io/pv-protection"),
          new VolumeStrategy(),
          STATUS,
          ResourceType.Extras.NONE);

  public static final ResourceType CLAIMS =
      make(
          named("v1", "persistentvolumeclaims", "PersistentVolumeClaim", "pvc"),
          new Traits(false, false, true, "kubernetes.io/pvc-protection"),
          new ClaimStrategy(),
          STATUS,
          ResourceType.Extras.NONE);

  public static final ResourceType CLASSES =
      make(
          named(STORAGE + "/v1", "storageclasses", "StorageClass", "sc"),
          RETURNED,
          new StorageStrategy.Classes());

  public static final ResourceType CONFIG_MAPS =
      make(named("v1", "configmaps", "ConfigMap", "cm"), PLAIN, new CoreStrategy.ConfigMaps());

  public static final ResourceType SECRETS =
      make(named("v1", "secrets", "Secret"), PLAIN, new CoreStrategy.Secrets());

  public static final ResourceType ATTACHMENTS =
      make(
          named(STORAGE + "/v1", "volumeattachments", "VolumeAttachment"),
          STRICT,
          new CsiStrategy.Attachments(),
          STATUS,
          ResourceType.Extras.NONE);

  public static final ResourceType CSI_NODES =
      make(named(STORAGE + "/v1", "csinodes", "CSINode"), STRICT, new CsiStrategy.CsiNodes());

  public static final ResourceType CSI_DRIVERS =
      make(named(STORAGE + "/v1", "csidrivers", "CSIDriver"), STRICT, new CsiStrategy.CsiDrivers());

  public static final ResourceType CAPACITIES =
      make(
          named(STORAGE + "/v1", "csistoragecapacities", "CSIStorageCapacity"),
          new Traits(true, false, false, ""),
          new StorageStrategy.Capacities());

  public static final ResourceType ATTRIBUTES_CLASSES =
      make(
          named(STORAGE + "/v1", "volumeattributesclasses", "VolumeAttributesClass", "vac"),
          new Traits(false, false, true, "kubernetes.io/vac-protection"),
          new StorageStrategy.AttributesClasses());

  public static final ResourceType LEASES =
      make(
          named("coordination.k8s.io/v1", "leases", "Lease"),
          new Traits(true, true, false, ""),
          new CoreStrategy.Leases());

  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final List<String> SCALED = List.of("scale", "status");

  private static final Traits UPSERT = new Traits(false, true, false, "");

  public static final ResourceType ROLES =
      make(named(RBAC + "/v1", "roles", "Role"), UPSERT, new RbacStrategy.Roles(true));

  public static final ResourceType ROLE_BINDINGS =
      make(
          named(RBAC + "/v1", "rolebindings", "RoleBinding"),
          UPSERT,
          new RbacStrategy.Bindings(true));

  public static final ResourceType CLUSTER_ROLES =
      make(
          named(RBAC + "/v1", "clusterroles", "ClusterRole"),
          UPSERT,
          new RbacStrategy.Roles(false));

  public static final ResourceType CLUSTER_ROLE_BINDINGS =
      make(
          named(RBAC + "/v1", "clusterrolebindings", "ClusterRoleBinding"),
          UPSERT,
          new RbacStrategy.Bindings(false));

  public static final ResourceType SERVICE_ACCOUNTS =
      make(
          named("v1", "serviceaccounts", "ServiceAccount", "sa"),
          RETURNED,
          new AccountStrategy(),
          List.of("token"),
          ResourceType.Extras.NONE);

  public static final ResourceType ENDPOINTS =
      make(
          named("v1", "endpoints", "Endpoints", "ep"),
          UPSERT,
          new NetworkStrategy.Endpoints(),
          List.of(),
          new ResourceType.Extras(
              ResourceType.Scale.USUAL,
              "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
              List.of(),
              Optional.empty()));

  public static final ResourceType ENDPOINT_SLICES =
      make(
          named("discovery.k8s.io/v1", "endpointslices", "EndpointSlice"),
          PLAIN,
          new NetworkStrategy.Slices());

  public static final ResourceType SERVICES =
      make(
          named("v1", "services", "Service", "svc"),
          RETURNED,
          new ServiceStrategy(),
          STATUS,
          ResourceType.Extras.in("all"));

  public static final ResourceType NETWORK_POLICIES =
      make(
          named("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", "netpol"),
          PLAIN,
          new PolicyStrategy.Networks());

  public static final ResourceType BUDGETS =
      make(
          named("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", "pdb"),
          PLAIN,
          new PolicyStrategy.Budgets(),
          STATUS,
          ResourceType.Extras.NONE);

  public static final ResourceType QUOTAS =
      make(
          named("v1", "resourcequotas", "ResourceQuota", "quota"),
          RETURNED,
          new QuotaStrategy(),
          STATUS,
          ResourceType.Extras.NONE);

  public static final ResourceType LIMIT_RANGES =
      make(named("v1", "limitranges", "LimitRange", "limits"), UPSERT, new LimitRangeStrategy());

  public static final ResourceType REPLICA_SETS =
      make(
          named("apps/v1", "replicasets", "ReplicaSet", "rs"),
          PLAIN,
          new AppsStrategy.ReplicaSets(),
          SCALED,
          ResourceType.Extras.in("all"));

  public static final ResourceType STATEFUL_SETS =
      make(
          named("apps/v1", "statefulsets", "StatefulSet", "sts"),
          PLAIN,
          new AppsStrategy.StatefulSets(),
          SCALED,
          ResourceType.Extras.in("all"));

  public static final ResourceType DEFINITIONS =
      make(
          named(
              "apiextensions.k8s.io/v1",
              "customresourcedefinitions",
              "CustomResourceDefinition",
              "crd",
              "crds"),
          STRICT,
          new DefinitionStrategy(),
          STATUS,
          ResourceType.Extras.in("api-extensions"));

  public static final ResourceType DEPLOYMENTS =
      make(
          named("apps/v1", "deployments", "Deployment", "deploy"),
          PLAIN,
          new AppsStrategy.Deployments(),
          SCALED,
          ResourceType.Extras.in("all"));

  /** All of them, core first, groups together. */
  public static final List<ResourceType> ALL =
      List.of(
          CONFIG_MAPS,
          ENDPOINTS,
          EVENTS,
          LIMIT_RANGES,
          NAMESPACES,
          NODES,
          CLAIMS,
          VOLUMES,
          PODS,
          QUOTAS,
          SECRETS,
          SERVICE_ACCOUNTS,
          SERVICES,
          DEPLOYMENTS,
          REPLICA_SETS,
          STATEFUL_SETS,
          LEASES,
          ENDPOINT_SLICES,
          NEW_EVENTS,
          NETWORK_POLICIES,
          BUDGETS,
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

  private KindCatalogue() {}

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
