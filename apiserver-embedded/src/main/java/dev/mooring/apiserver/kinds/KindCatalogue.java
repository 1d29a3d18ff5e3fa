package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.TableFile;
import dev.mooring.apiserver.kinds.declared.DeclaredColumns;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.ResourceType.ResourceTraits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The built-in resources. Their names and properties are in {@code kinds.txt}. */
public final class KindCatalogue {
  private static final Map<String, String> DEPRECATIONS =
      Map.of(
          "endpoints",
          "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
          "componentstatuses",
          "v1 ComponentStatus is deprecated in v1.19+");

  /** All resources: core first, other groups together. */
  public static final List<ResourceType> ALL =
      TableFile.read(KindCatalogue.class, "kinds.txt").entrySet().stream()
          .map(row -> parse(row.getKey(), row.getValue()))
          .toList();

  private static final Map<String, ResourceType> BY_PATH =
      ALL.stream()
          .collect(
              Collectors.toMap(
                  t -> t.group() + "/" + t.version() + "/" + t.plural(), Function.identity()));

  public static final ResourceType CONFIG_MAPS = get("configmaps");
  public static final ResourceType ENDPOINTS = get("endpoints");

  /** Events of core/v1, the form in which all events are stored. */
  public static final ResourceType EVENTS = get("events");

  public static final ResourceType LIMIT_RANGES = get("limitranges");
  public static final ResourceType NAMESPACES = get("namespaces");
  public static final ResourceType NODES = get("nodes");
  public static final ResourceType CLAIMS = get("persistentvolumeclaims");
  public static final ResourceType VOLUMES = get("persistentvolumes");
  public static final ResourceType PODS = get("pods");
  public static final ResourceType QUOTAS = get("resourcequotas");
  public static final ResourceType SECRETS = get("secrets");
  public static final ResourceType SERVICE_ACCOUNTS = get("serviceaccounts");
  public static final ResourceType SERVICES = get("services");
  public static final ResourceType DEPLOYMENTS = get("deployments.apps");
  public static final ResourceType REPLICA_SETS = get("replicasets.apps");
  public static final ResourceType STATEFUL_SETS = get("statefulsets.apps");
  public static final ResourceType LEASES = get("leases.coordination.k8s.io");
  public static final ResourceType ENDPOINT_SLICES = get("endpointslices.discovery.k8s.io");
  public static final ResourceType NEW_EVENTS = get("events.events.k8s.io");
  public static final ResourceType NETWORK_POLICIES = get("networkpolicies.networking.k8s.io");
  public static final ResourceType BUDGETS = get("poddisruptionbudgets.policy");
  public static final ResourceType CLUSTER_ROLE_BINDINGS =
      get("clusterrolebindings.rbac.authorization.k8s.io");
  public static final ResourceType CLUSTER_ROLES = get("clusterroles.rbac.authorization.k8s.io");
  public static final ResourceType ROLE_BINDINGS = get("rolebindings.rbac.authorization.k8s.io");
  public static final ResourceType ROLES = get("roles.rbac.authorization.k8s.io");
  public static final ResourceType DEFINITIONS =
      get("customresourcedefinitions.apiextensions.k8s.io");
  public static final ResourceType CSI_DRIVERS = get("csidrivers.storage.k8s.io");
  public static final ResourceType CSI_NODES = get("csinodes.storage.k8s.io");
  public static final ResourceType CAPACITIES = get("csistoragecapacities.storage.k8s.io");
  public static final ResourceType CLASSES = get("storageclasses.storage.k8s.io");
  public static final ResourceType ATTACHMENTS = get("volumeattachments.storage.k8s.io");
  public static final ResourceType ATTRIBUTES_CLASSES =
      get("volumeattributesclasses.storage.k8s.io");
  public static final ResourceType CONTROLLERS = get("replicationcontrollers");
  public static final ResourceType PRIORITY_CLASSES = get("priorityclasses.scheduling.k8s.io");
  public static final ResourceType RUNTIME_CLASSES = get("runtimeclasses.node.k8s.io");
  public static final ResourceType API_SERVICES = get("apiservices.apiregistration.k8s.io");
  public static final ResourceType MUTATING_WEBHOOKS =
      get("mutatingwebhookconfigurations.admissionregistration.k8s.io");
  public static final ResourceType VALIDATING_WEBHOOKS =
      get("validatingwebhookconfigurations.admissionregistration.k8s.io");
  public static final ResourceType SIGNING_REQUESTS =
      get("certificatesigningrequests.certificates.k8s.io");

  private KindCatalogue() {}

  public static Optional<ResourceType> find(String group, String version, String plural) {
    return Optional.ofNullable(BY_PATH.get(group + "/" + version + "/" + plural));
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

  private static ResourceType get(String name) {
    return ALL.stream()
        .filter(type -> type.qualifiedName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("kinds.txt has no " + name));
  }

  /** Adds the stores of resources that share the objects of another one. */
  public static <S> void shareStores(Map<ResourceType, S> stores) {
    for (ResourceType type : ALL) {
      if (type.isAlias()) {
        stores.put(type, Objects.requireNonNull(stores.get(get(type.extras().storage()))));
      }
    }
  }

  private static ResourceType parse(String key, String line) {
    String[] columns = line.split(" +");
    List<String> properties = List.of(columns).subList(2, columns.length);
    int slash = columns[0].indexOf('/');
    String group = slash < 0 ? "" : columns[0].substring(0, slash);
    String name = key.contains("/") ? key.substring(0, key.indexOf('/')) : key;
    String kind = columns[1];
    List<String> messages = findValues(properties, "message");
    String message = messages.isEmpty() ? kind : messages.getFirst();
    return new ResourceType(
        group,
        columns[0].substring(slash + 1),
        group.isEmpty() ? name : name.substring(0, name.length() - group.length() - 1),
        kind.toLowerCase(Locale.ROOT),
        kind,
        !properties.contains("cluster"),
        findValues(properties, "short"),
        findValues(properties, "subresources"),
        message,
        new ResourceTraits(
            properties.contains("versioned"),
            properties.contains("upsert"),
            properties.contains("returned"),
            properties.contains("readonly"),
            String.join("", findValues(properties, "finalizer"))),
        KindStrategies.make(key, message),
        new ResourceType.ResourceExtras(
            ResourceType.ScalePaths.DEFAULT,
            DEPRECATIONS.getOrDefault(name, ""),
            findValues(properties, "category"),
            String.join("", findValues(properties, "stored")),
            () -> DeclaredColumns.of(name),
            Optional.empty()));
  }

  private static List<String> findValues(List<String> properties, String property) {
    for (String word : properties) { // no stream: it would lengthen the start of the server
      if (word.startsWith(property) && word.startsWith("=", property.length())) {
        return List.of(word.substring(property.length() + 1).split(","));
      }
    }
    return List.of();
  }
}
