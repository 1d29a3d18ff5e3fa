package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.TableFile;
import dev.mooring.apiserver.kinds.access.AccountStrategy;
import dev.mooring.apiserver.kinds.access.RbacStrategy;
import dev.mooring.apiserver.kinds.apps.AppsStrategy;
import dev.mooring.apiserver.kinds.core.CoreStrategy;
import dev.mooring.apiserver.kinds.core.EventStrategy;
import dev.mooring.apiserver.kinds.core.NodeStrategy;
import dev.mooring.apiserver.kinds.custom.DefinitionStrategy;
import dev.mooring.apiserver.kinds.model.KindStrategy;
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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The built-in resources. Their names and properties are in {@code kinds.txt}. */
public final class KindCatalogue {
  private static final String ENDPOINTS_DEPRECATION =
      "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
  private static final Map<String, String> LINES = TableFile.read(KindCatalogue.class, "kinds.txt");
  private static final List<ResourceType> DEFINED_TYPES = new ArrayList<>();

  public static final ResourceType CONFIG_MAPS =
      define("configmaps", new CoreStrategy.ConfigMapStrategy());
  public static final ResourceType ENDPOINTS =
      define("endpoints", new NetworkStrategy.EndpointsStrategy());

  /** Events of core/v1, the form in which all events are stored. */
  public static final ResourceType EVENTS = define("events", new EventStrategy(false));

  public static final ResourceType LIMIT_RANGES = define("limitranges", new LimitRangeStrategy());
  public static final ResourceType NAMESPACES =
      define("namespaces", new CoreStrategy.NamespaceStrategy());
  public static final ResourceType NODES = define("nodes", new NodeStrategy());
  public static final ResourceType CLAIMS = define("persistentvolumeclaims", new ClaimStrategy());
  public static final ResourceType VOLUMES = define("persistentvolumes", new VolumeStrategy());
  public static final ResourceType PODS = define("pods", new PodStrategy());
  public static final ResourceType QUOTAS = define("resourcequotas", new QuotaStrategy());
  public static final ResourceType SECRETS = define("secrets", new CoreStrategy.SecretStrategy());
  public static final ResourceType SERVICE_ACCOUNTS =
      define("serviceaccounts", new AccountStrategy());
  public static final ResourceType SERVICES = define("services", new ServiceStrategy());
  public static final ResourceType DEPLOYMENTS =
      define("deployments.apps", new AppsStrategy.DeploymentStrategy());
  public static final ResourceType REPLICA_SETS =
      define("replicasets.apps", new AppsStrategy.ReplicaSetStrategy());
  public static final ResourceType STATEFUL_SETS =
      define("statefulsets.apps", new AppsStrategy.StatefulSetStrategy());
  public static final ResourceType LEASES =
      define("leases.coordination.k8s.io", new CoreStrategy.LeaseStrategy());
  public static final ResourceType ENDPOINT_SLICES =
      define("endpointslices.discovery.k8s.io", new NetworkStrategy.EndpointSliceStrategy());
  public static final ResourceType NEW_EVENTS =
      define("events.events.k8s.io", new EventStrategy(true));
  public static final ResourceType NETWORK_POLICIES =
      define("networkpolicies.networking.k8s.io", new PolicyStrategy.NetworkPolicyStrategy());
  public static final ResourceType BUDGETS =
      define("poddisruptionbudgets.policy", new PolicyStrategy.DisruptionBudgetStrategy());
  public static final ResourceType CLUSTER_ROLE_BINDINGS =
      define(
          "clusterrolebindings.rbac.authorization.k8s.io",
          new RbacStrategy.RoleBindingStrategy(false));
  public static final ResourceType CLUSTER_ROLES =
      define("clusterroles.rbac.authorization.k8s.io", new RbacStrategy.RoleStrategy(false));
  public static final ResourceType ROLE_BINDINGS =
      define("rolebindings.rbac.authorization.k8s.io", new RbacStrategy.RoleBindingStrategy(true));
  public static final ResourceType ROLES =
      define("roles.rbac.authorization.k8s.io", new RbacStrategy.RoleStrategy(true));
  public static final ResourceType DEFINITIONS =
      define("customresourcedefinitions.apiextensions.k8s.io", new DefinitionStrategy());
  public static final ResourceType CSI_DRIVERS =
      define("csidrivers.storage.k8s.io", new CsiStrategy.CsiDriverStrategy());
  public static final ResourceType CSI_NODES =
      define("csinodes.storage.k8s.io", new CsiStrategy.CsiNodeStrategy());
  public static final ResourceType CAPACITIES =
      define("csistoragecapacities.storage.k8s.io", new StorageStrategy.StorageCapacityStrategy());
  public static final ResourceType CLASSES =
      define("storageclasses.storage.k8s.io", new StorageStrategy.StorageClassStrategy());
  public static final ResourceType ATTACHMENTS =
      define("volumeattachments.storage.k8s.io", new CsiStrategy.AttachmentStrategy());
  public static final ResourceType ATTRIBUTES_CLASSES =
      define(
          "volumeattributesclasses.storage.k8s.io", new StorageStrategy.AttributesClassStrategy());

  /** All resources: core first, other groups together. */
  public static final List<ResourceType> ALL = List.copyOf(DEFINED_TYPES);

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

  /** Returns the message of a kind, stored or not; null if the server does not know the kind. */
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
          Schema.getMessage(kind);
      case "TokenRequest" -> Schema.getMessage("AuthenticationTokenRequest");
      default -> null;
    };
  }

  private static ResourceType define(String name, KindStrategy strategy) {
    String[] columns = Objects.requireNonNull(LINES.get(name), name).split(" +");
    List<String> properties = List.of(columns).subList(2, columns.length);
    String version = columns[0].substring(columns[0].indexOf('/') + 1);
    String group =
        columns[0].indexOf('/') < 0 ? "" : columns[0].substring(0, columns[0].indexOf('/'));
    String kind = columns[1];
    ResourceType type =
        new ResourceType(
            group,
            version,
            group.isEmpty() ? name : name.substring(0, name.length() - group.length() - 1),
            kind.toLowerCase(Locale.ROOT),
            kind,
            !properties.contains("cluster"),
            findValues(properties, "short"),
            findValues(properties, "subresources"),
            findValues(properties, "message").stream().findFirst().orElse(kind),
            new ResourceTraits(
                properties.contains("versioned"),
                properties.contains("upsert"),
                properties.contains("returned"),
                String.join("", findValues(properties, "finalizer"))),
            strategy,
            new ResourceType.ResourceExtras(
                ResourceType.ScalePaths.DEFAULT,
                name.equals("endpoints") ? ENDPOINTS_DEPRECATION : "",
                findValues(properties, "category"),
                Optional.empty()));
    DEFINED_TYPES.add(type);
    return type;
  }

  private static List<String> findValues(List<String> properties, String property) {
    return properties.stream()
        .filter(word -> word.startsWith(property + "="))
        .flatMap(word -> Stream.of(word.substring(property.length() + 1).split(",")))
        .toList();
  }
}
