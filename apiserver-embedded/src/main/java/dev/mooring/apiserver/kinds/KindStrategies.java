package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.kinds.access.AccountStrategy;
import dev.mooring.apiserver.kinds.access.RbacStrategy;
import dev.mooring.apiserver.kinds.admission.WebhookStrategy;
import dev.mooring.apiserver.kinds.apps.AppsStrategy;
import dev.mooring.apiserver.kinds.autoscaling.OldAutoscalerStrategy;
import dev.mooring.apiserver.kinds.batch.JobStrategy;
import dev.mooring.apiserver.kinds.core.CoreStrategy;
import dev.mooring.apiserver.kinds.core.EventStrategy;
import dev.mooring.apiserver.kinds.core.NodeStrategy;
import dev.mooring.apiserver.kinds.custom.DefinitionStrategy;
import dev.mooring.apiserver.kinds.declared.ApiServiceStrategy;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.KindStrategy;
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
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The strategies of kinds with special behaviour. All other kinds have only declared rules. */
final class KindStrategies {
  private static final Map<String, Supplier<KindStrategy>> SPECIAL = makeStrategies();

  private KindStrategies() {}

  /**
   * Returns the strategy of a kind.
   *
   * @param key the key in {@code kinds.txt}
   * @param message the message in the schema
   */
  static KindStrategy make(String key, String message) {
    Supplier<KindStrategy> special = SPECIAL.get(key);
    if (special != null) {
      return special.get();
    }
    return message.endsWith("WebhookConfiguration")
        ? new WebhookStrategy(key, message)
        : new DeclaredStrategy(key, message);
  }

  private static Map<String, Supplier<KindStrategy>> makeStrategies() {
    Map<String, Supplier<KindStrategy>> strategies = new HashMap<>();
    strategies.put("configmaps", CoreStrategy.ConfigMapStrategy::new);
    strategies.put("endpoints", NetworkStrategy.EndpointsStrategy::new);
    strategies.put("events", () -> new EventStrategy(false));
    strategies.put("limitranges", LimitRangeStrategy::new);
    strategies.put("namespaces", CoreStrategy.NamespaceStrategy::new);
    strategies.put("nodes", NodeStrategy::new);
    strategies.put("persistentvolumeclaims", ClaimStrategy::new);
    strategies.put("persistentvolumes", VolumeStrategy::new);
    strategies.put("pods", PodStrategy::new);
    strategies.put("resourcequotas", QuotaStrategy::new);
    strategies.put("secrets", CoreStrategy.SecretStrategy::new);
    strategies.put("serviceaccounts", AccountStrategy::new);
    strategies.put("services", ServiceStrategy::new);
    strategies.put("deployments.apps", AppsStrategy.DeploymentStrategy::new);
    strategies.put("replicasets.apps", AppsStrategy.ReplicaSetStrategy::new);
    strategies.put("statefulsets.apps", AppsStrategy.StatefulSetStrategy::new);
    addOtherGroups(strategies);
    return strategies;
  }

  private static void addOtherGroups(Map<String, Supplier<KindStrategy>> strategies) {
    strategies.put("leases.coordination.k8s.io", CoreStrategy.LeaseStrategy::new);
    strategies.put("endpointslices.discovery.k8s.io", NetworkStrategy.EndpointSliceStrategy::new);
    strategies.put("events.events.k8s.io", () -> new EventStrategy(true));
    strategies.put("networkpolicies.networking.k8s.io", PolicyStrategy.NetworkPolicyStrategy::new);
    strategies.put("poddisruptionbudgets.policy", PolicyStrategy.DisruptionBudgetStrategy::new);
    strategies.put(
        "clusterrolebindings.rbac.authorization.k8s.io",
        () -> new RbacStrategy.RoleBindingStrategy(false));
    strategies.put(
        "clusterroles.rbac.authorization.k8s.io", () -> new RbacStrategy.RoleStrategy(false));
    strategies.put(
        "rolebindings.rbac.authorization.k8s.io", () -> new RbacStrategy.RoleBindingStrategy(true));
    strategies.put("roles.rbac.authorization.k8s.io", () -> new RbacStrategy.RoleStrategy(true));
    strategies.put("customresourcedefinitions.apiextensions.k8s.io", DefinitionStrategy::new);
    strategies.put("csidrivers.storage.k8s.io", CsiStrategy.CsiDriverStrategy::new);
    strategies.put("csinodes.storage.k8s.io", CsiStrategy.CsiNodeStrategy::new);
    strategies.put(
        "csistoragecapacities.storage.k8s.io", StorageStrategy.StorageCapacityStrategy::new);
    strategies.put("storageclasses.storage.k8s.io", StorageStrategy.StorageClassStrategy::new);
    strategies.put("volumeattachments.storage.k8s.io", CsiStrategy.AttachmentStrategy::new);
    strategies.put(
        "volumeattributesclasses.storage.k8s.io", StorageStrategy.AttributesClassStrategy::new);
    strategies.put("jobs.batch", JobStrategy::new);
    strategies.put("horizontalpodautoscalers.autoscaling/v1", OldAutoscalerStrategy::new);
    strategies.put("apiservices.apiregistration.k8s.io", ApiServiceStrategy::new);
  }
}
