package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.kinds.ResourceTypes.make;
import static dev.mooring.apiserver.kinds.ResourceTypes.named;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.access.AccountStrategy;
import dev.mooring.apiserver.kinds.access.RbacStrategy;
import dev.mooring.apiserver.kinds.apps.AppsStrategy;
import dev.mooring.apiserver.kinds.core.CoreStrategy;
import dev.mooring.apiserver.kinds.core.EventStrategy;
import dev.mooring.apiserver.kinds.core.NodeStrategy;
import dev.mooring.apiserver.kinds.custom.DefinitionStrategy;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.ResourceType.ResourceTraits;
import dev.mooring.apiserver.kinds.network.NetworkStrategy;
import dev.mooring.apiserver.kinds.network.ServiceStrategy;
import dev.mooring.apiserver.kinds.pod.PodStrategy;
import dev.mooring.apiserver.kinds.policy.LimitRangeStrategy;
import dev.mooring.apiserver.kinds.policy.PolicyStrategy;
import dev.mooring.apiserver.kinds.policy.QuotaStrategy;
import dev.mooring.apiserver.kinds.storage.ClaimStrategy;
import dev.mooring.apiserver.kinds.storage.CsiStrategy;
import dev.mooring.apiserver.kinds.storage.StorageStrategy;
import dev.mooring.apiserver.kinds.storage.VolumeStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The built-in resources. */
public final class KindCatalogue {
  private static final ResourceTraits PLAIN = new ResourceTraits(false, false, false, "");
  private static final ResourceTraits RETURNED = new ResourceTraits(false, false, true, "");
  private static final ResourceTraits STRICT = new ResourceTraits(true, false, true, "");
  private static final String CORE = "";
  private static final String STORAGE = "storage.k8s.io";
  private static final List<String> STATUS = List.of("status");

  /** Events of core/v1, the form in which all events are stored. */
  public static final ResourceType EVENTS =
      make(
          named("v1", "events", "Event", "ev"),
          new ResourceTraits(false, true, false, ""),
          new EventStrategy(false));

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
          new ResourceTraits(false, true, false, ""),
          new EventStrategy(true),
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType NAMESPACES =
      make(
          named("v1", "namespaces", "Namespace", "ns"),
          RETURNED,
          new CoreStrategy.NamespaceStrategy(),
          List.of("finalize", "status"),
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType NODES =
      make(
          named("v1", "nodes", "Node", "no"),
          PLAIN,
          new NodeStrategy(),
          STATUS,
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType PODS =
      make(
          named("v1", "pods", "Pod", "po"),
          RETURNED,
          new PodStrategy(),
          List.of("binding", "eviction", "status"),
          ResourceType.ResourceExtras.inCategories("all"));

  public static final ResourceType VOLUMES =
      make(
          named("v1", "persistentvolumes", "PersistentVolume", "pv"),
          new ResourceTraits(false, false, true, "kubernetes.io/pv-protection"),
          new VolumeStrategy(),
          STATUS,
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType CLAIMS =
      make(
          named("v1", "persistentvolumeclaims", "PersistentVolumeClaim", "pvc"),
          new ResourceTraits(false, false, true, "kubernetes.io/pvc-protection"),
          new ClaimStrategy(),
          STATUS,
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType CLASSES =
      make(
          named(STORAGE + "/v1", "storageclasses", "StorageClass", "sc"),
          RETURNED,
          new StorageStrategy.StorageClassStrategy());

  public static final ResourceType CONFIG_MAPS =
      make(
          named("v1", "configmaps", "ConfigMap", "cm"),
          PLAIN,
          new CoreStrategy.ConfigMapStrategy());

  public static final ResourceType SECRETS =
      make(named("v1", "secrets", "Secret"), PLAIN, new CoreStrategy.SecretStrategy());

  public static final ResourceType ATTACHMENTS =
      make(
          named(STORAGE + "/v1", "volumeattachments", "VolumeAttachment"),
          STRICT,
          new CsiStrategy.AttachmentStrategy(),
          STATUS,
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType CSI_NODES =
      make(
          named(STORAGE + "/v1", "csinodes", "CSINode"), STRICT, new CsiStrategy.CsiNodeStrategy());

  public static final ResourceType CSI_DRIVERS =
      make(
          named(STORAGE + "/v1", "csidrivers", "CSIDriver"),
          STRICT,
          new CsiStrategy.CsiDriverStrategy());

  public static final ResourceType CAPACITIES =
      make(
          named(STORAGE + "/v1", "csistoragecapacities", "CSIStorageCapacity"),
          new ResourceTraits(true, false, false, ""),
          new StorageStrategy.StorageCapacityStrategy());

  public static final ResourceType ATTRIBUTES_CLASSES =
      make(
          named(STORAGE + "/v1", "volumeattributesclasses", "VolumeAttributesClass", "vac"),
          new ResourceTraits(false, false, true, "kubernetes.io/vac-protection"),
          new StorageStrategy.AttributesClassStrategy());

  public static final ResourceType LEASES =
      make(
          named("coordination.k8s.io/v1", "leases", "Lease"),
          new ResourceTraits(true, true, false, ""),
          new CoreStrategy.LeaseStrategy());

  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final List<String> SCALED = List.of("scale", "status");

  private static final ResourceTraits UPSERT = new ResourceTraits(false, true, false, "");

  public static final ResourceType ROLES =
      make(named(RBAC + "/v1", "roles", "Role"), UPSERT, new RbacStrategy.RoleStrategy(true));

  public static final ResourceType ROLE_BINDINGS =
      make(
          named(RBAC + "/v1", "rolebindings", "RoleBinding"),
          UPSERT,
          new RbacStrategy.RoleBindingStrategy(true));

  public static final ResourceType CLUSTER_ROLES =
      make(
          named(RBAC + "/v1", "clusterroles", "ClusterRole"),
          UPSERT,
          new RbacStrategy.RoleStrategy(false));

  public static final ResourceType CLUSTER_ROLE_BINDINGS =
      make(
          named(RBAC + "/v1", "clusterrolebindings", "ClusterRoleBinding"),
          UPSERT,
          new RbacStrategy.RoleBindingStrategy(false));

  public static final ResourceType SERVICE_ACCOUNTS =
      make(
          named("v1", "serviceaccounts", "ServiceAccount", "sa"),
          RETURNED,
          new AccountStrategy(),
          List.of("token"),
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType ENDPOINTS =
      make(
          named("v1", "endpoints", "Endpoints", "ep"),
          UPSERT,
          new NetworkStrategy.EndpointsStrategy(),
          List.of(),
          new ResourceType.ResourceExtras(
              ResourceType.ScalePaths.USUAL,
              "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
              List.of(),
              Optional.empty()));

  public static final ResourceType ENDPOINT_SLICES =
      make(
          named("discovery.k8s.io/v1", "endpointslices", "EndpointSlice"),
          PLAIN,
          new NetworkStrategy.EndpointSliceStrategy());

  public static final ResourceType SERVICES =
      make(
          named("v1", "services", "Service", "svc"),
          RETURNED,
          new ServiceStrategy(),
          STATUS,
          ResourceType.ResourceExtras.inCategories("all"));

  public static final ResourceType NETWORK_POLICIES =
      make(
          named("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", "netpol"),
          PLAIN,
          new PolicyStrategy.NetworkPolicyStrategy());

  public static final ResourceType BUDGETS =
      make(
          named("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", "pdb"),
          PLAIN,
          new PolicyStrategy.DisruptionBudgetStrategy(),
          STATUS,
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType QUOTAS =
      make(
          named("v1", "resourcequotas", "ResourceQuota", "quota"),
          RETURNED,
          new QuotaStrategy(),
          STATUS,
          ResourceType.ResourceExtras.NONE);

  public static final ResourceType LIMIT_RANGES =
      make(named("v1", "limitranges", "LimitRange", "limits"), UPSERT, new LimitRangeStrategy());

  public static final ResourceType REPLICA_SETS =
      make(
          named("apps/v1", "replicasets", "ReplicaSet", "rs"),
          PLAIN,
          new AppsStrategy.ReplicaSetStrategy(),
          SCALED,
          ResourceType.ResourceExtras.inCategories("all"));

  public static final ResourceType STATEFUL_SETS =
      make(
          named("apps/v1", "statefulsets", "StatefulSet", "sts"),
          PLAIN,
          new AppsStrategy.StatefulSetStrategy(),
          SCALED,
          ResourceType.ResourceExtras.inCategories("all"));

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
          ResourceType.ResourceExtras.inCategories("api-extensions"));

  public static final ResourceType DEPLOYMENTS =
      make(
          named("apps/v1", "deployments", "Deployment", "deploy"),
          PLAIN,
          new AppsStrategy.DeploymentStrategy(),
          SCALED,
          ResourceType.ResourceExtras.inCategories("all"));

  /** All resources: core first, other groups together. */
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

  public static Optional<ResourceType> find(String group, String version, String plural) {
    return ALL.stream()
        .filter(t ->
            t.group().equals(group) && t.version().equals(version) && t.plural().equals(plural))
        .findFirst();
  }

  public static boolean hasGroup(String group) {
    return ALL.stream().anyMatch(t -> t.group().equals(group));
  }

  public static Schema.@Nullable MessageType findMessage(String apiVersion, String kind) {
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

  /** Returns the groups other than core, in the order of {@link #ALL}. */
  public static List<String> getGroups() {
    List<String> groups = new ArrayList<>();
    for (ResourceType type : ALL) {
      if (!type.group().isEmpty() && !groups.contains(type.group())) {
        groups.add(type.group());
      }
    }
    return groups;
  }
}
