package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.kinds.access.AccountStrategy;
import dev.mooring.apiserver.kinds.access.RbacStrategy;
import dev.mooring.apiserver.kinds.admission.WebhookStrategy;
import dev.mooring.apiserver.kinds.apps.AppsStrategy;
import dev.mooring.apiserver.kinds.apps.WorkloadStrategy;
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

/** The strategies of kinds with special behaviour. All other kinds have only declared rules. */
final class KindStrategies {
  private KindStrategies() {}

  /**
   * Returns the strategy of a kind.
   *
   * @param key the key in {@code kinds.txt}
   * @param message the message in the schema
   */
  static KindStrategy make(String key, String message) {
    return switch (key) {
      case "configmaps" -> new CoreStrategy.ConfigMapStrategy();
      case "endpoints" -> new NetworkStrategy.EndpointsStrategy();
      case "events" -> new EventStrategy(false);
      case "limitranges" -> new LimitRangeStrategy();
      case "namespaces" -> new CoreStrategy.NamespaceStrategy();
      case "nodes" -> new NodeStrategy();
      case "persistentvolumeclaims" -> new ClaimStrategy();
      case "persistentvolumes" -> new VolumeStrategy();
      case "pods" -> new PodStrategy();
      case "resourcequotas" -> new QuotaStrategy();
      case "secrets" -> new CoreStrategy.SecretStrategy();
      case "serviceaccounts" -> new AccountStrategy();
      case "services" -> new ServiceStrategy();
      case "deployments.apps" -> new AppsStrategy.DeploymentStrategy();
      case "replicasets.apps" -> new AppsStrategy.ReplicaSetStrategy();
      case "statefulsets.apps" -> new AppsStrategy.StatefulSetStrategy();
      default -> makeOther(key, message);
    };
  }

  private static KindStrategy makeOther(String key, String message) {
    return switch (key) {
      case "leases.coordination.k8s.io" -> new CoreStrategy.LeaseStrategy();
      case "endpointslices.discovery.k8s.io" -> new NetworkStrategy.EndpointSliceStrategy();
      case "events.events.k8s.io" -> new EventStrategy(true);
      case "networkpolicies.networking.k8s.io" -> new PolicyStrategy.NetworkPolicyStrategy();
      case "poddisruptionbudgets.policy" -> new PolicyStrategy.DisruptionBudgetStrategy();
      case "clusterrolebindings.rbac.authorization.k8s.io" ->
          new RbacStrategy.RoleBindingStrategy(false);
      case "clusterroles.rbac.authorization.k8s.io" -> new RbacStrategy.RoleStrategy(false);
      case "rolebindings.rbac.authorization.k8s.io" -> new RbacStrategy.RoleBindingStrategy(true);
      case "roles.rbac.authorization.k8s.io" -> new RbacStrategy.RoleStrategy(true);
      case "customresourcedefinitions.apiextensions.k8s.io" -> new DefinitionStrategy();
      case "csidrivers.storage.k8s.io" -> new CsiStrategy.CsiDriverStrategy();
      case "csinodes.storage.k8s.io" -> new CsiStrategy.CsiNodeStrategy();
      case "csistoragecapacities.storage.k8s.io" -> new StorageStrategy.StorageCapacityStrategy();
      case "storageclasses.storage.k8s.io" -> new StorageStrategy.StorageClassStrategy();
      case "volumeattachments.storage.k8s.io" -> new CsiStrategy.AttachmentStrategy();
      case "volumeattributesclasses.storage.k8s.io" ->
          new StorageStrategy.AttributesClassStrategy();
      case "podtemplates", "replicationcontrollers", "daemonsets.apps", "cronjobs.batch" ->
          new WorkloadStrategy(key, message);
      case "jobs.batch" -> new JobStrategy();
      case "horizontalpodautoscalers.autoscaling/v1" -> new OldAutoscalerStrategy();
      case "apiservices.apiregistration.k8s.io" -> new ApiServiceStrategy();
      default ->
          message.endsWith("WebhookConfiguration")
              ? new WebhookStrategy(key, message)
              : new DeclaredStrategy(key, message);
    };
  }
}
