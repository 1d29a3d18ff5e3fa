package dev.mooring.manager.danger;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.manager.danger.DangerAct.ActKind;
import dev.mooring.manager.danger.DangerAct.RestoreStyle;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedCollection;
import java.util.TreeSet;

// the order decides which of equally short sequences is shown: the most ordinary act is first
final class ActList {
  private static final List<ReclaimPolicy> POLICIES =
      List.of(ReclaimPolicy.DELETE, ReclaimPolicy.RECYCLE, ReclaimPolicy.RETAIN);

  private final SearchInput input;

  ActList(SearchInput input) {
    this.input = input;
  }

  List<DangerAct> of(DangerState state) {
    List<DangerAct> acts = new ArrayList<>();
    ClusterSlice objects = state.objects();
    addDeletions(ActKind.POD, objects.pods().keySet(), acts);
    addDeletions(ActKind.CLAIM, objects.claims().keySet(), acts);
    input.workloads().stream()
        .filter(workload -> !state.endedWorkloads().contains(workload.uid()))
        .forEach(workload -> acts.add(new DangerAct.DeleteWorkload(workload)));
    for (String namespace : namespaces()) {
      if (!state.endingNamespaces().contains(namespace)) {
        acts.add(new DangerAct.DeleteNamespace(namespace));
      }
    }
    for (Volume volume : objects.volumes().values()) {
      POLICIES.stream()
          .filter(policy -> policy != volume.reclaimPolicy())
          .forEach(policy -> acts.add(new DangerAct.SetPolicy(volume.meta().name(), policy)));
    }
    addDeletions(ActKind.VOLUME, objects.volumes().keySet(), acts);
    addNodes(state, acts);
    addFinalizers(objects, acts);
    for (StorageClass storageClass : objects.classes().values()) {
      acts.add(
          new DangerAct.UpgradeClass(
              storageClass.meta().name(), other(storageClass.reclaimPolicy())));
    }
    addDeletions(ActKind.CLASS, objects.classes().keySet(), acts);
    addRestores(objects, acts);
    return acts;
  }

  static ReclaimPolicy other(ReclaimPolicy policy) {
    return policy == ReclaimPolicy.DELETE ? ReclaimPolicy.RETAIN : ReclaimPolicy.DELETE;
  }

  private SequencedCollection<String> namespaces() {
    TreeSet<String> names = new TreeSet<>();
    input.objects().claims().keySet().forEach(key -> names.add(key.namespace()));
    return names;
  }

  private static void addDeletions(ActKind kind, Iterable<ObjectKey> keys, List<DangerAct> acts) {
    keys.forEach(key -> acts.add(new DangerAct.DeleteObject(kind, key)));
  }

  private void addNodes(DangerState state, List<DangerAct> acts) {
    for (String node : input.nodes()) {
      acts.add(
          state.lostNodes().contains(node)
              ? new DangerAct.RestoreNode(node)
              : new DangerAct.LoseNode(node));
    }
  }

  private static void addFinalizers(ClusterSlice objects, List<DangerAct> acts) {
    for (Claim claim : objects.claims().values()) {
      claim
          .meta()
          .finalizers()
          .forEach(
              name -> acts.add(new DangerAct.RemoveFinalizer(ActKind.CLAIM, claim.key(), name)));
    }
    for (Volume volume : objects.volumes().values()) {
      volume
          .finalizers()
          .forEach(
              name -> acts.add(new DangerAct.RemoveFinalizer(ActKind.VOLUME, volume.key(), name)));
    }
  }

  private void addRestores(ClusterSlice objects, List<DangerAct> acts) {
    for (RestoreStyle style : RestoreStyle.values()) {
      input.objects().claims().keySet().stream()
          .filter(key -> !objects.claims().containsKey(key))
          .forEach(key -> acts.add(new DangerAct.RestoreObject(ActKind.CLAIM, key, style)));
      input.objects().volumes().keySet().stream()
          .filter(key -> !objects.volumes().containsKey(key))
          .forEach(key -> acts.add(new DangerAct.RestoreObject(ActKind.VOLUME, key, style)));
    }
  }
}
