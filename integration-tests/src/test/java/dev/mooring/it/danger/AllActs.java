package dev.mooring.it.danger;

import dev.mooring.manager.danger.DangerAct;
import dev.mooring.manager.danger.DangerAct.ActKind;
import dev.mooring.manager.danger.DangerAct.RestoreStyle;
import dev.mooring.manager.danger.DangerState;
import dev.mooring.manager.danger.SearchInput;
import dev.mooring.model.ReclaimPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The acts of a brute-force search, listed independently of the search under test. */
final class AllActs {
  private AllActs() {}

  /** All acts on all objects, whether possible or not, in the order of the search. */
  static List<DangerAct> of(SearchInput input, DangerState state) {
    List<DangerAct> acts = new ArrayList<>();
    var pods = new TreeSet<>(input.objects().pods().keySet());
    pods.addAll(state.objects().pods().keySet());
    pods.forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.POD, key)));
    input
        .objects()
        .claims()
        .keySet()
        .forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.CLAIM, key)));
    input.workloads().forEach(workload -> acts.add(new DangerAct.DeleteWorkload(workload)));
    acts.add(new DangerAct.DeleteNamespace("shop"));
    for (var volume : input.objects().volumes().keySet()) {
      for (ReclaimPolicy policy :
          List.of(ReclaimPolicy.DELETE, ReclaimPolicy.RECYCLE, ReclaimPolicy.RETAIN)) {
        acts.add(new DangerAct.SetPolicy(volume.name(), policy));
      }
    }
    input
        .objects()
        .volumes()
        .keySet()
        .forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.VOLUME, key)));
    for (String node : input.nodes()) {
      acts.add(new DangerAct.LoseNode(node));
      acts.add(new DangerAct.RestoreNode(node));
    }
    input
        .objects()
        .claims()
        .keySet()
        .forEach(key ->
            state
                .objects()
                .claim(key)
                .ifPresent(claim ->
                    claim
                        .meta()
                        .finalizers()
                        .forEach(name ->
                            acts.add(new DangerAct.RemoveFinalizer(ActKind.CLAIM, key, name)))));
    input
        .objects()
        .volumes()
        .keySet()
        .forEach(key ->
            state
                .objects()
                .volume(key.name())
                .ifPresent(volume ->
                    volume
                        .finalizers()
                        .forEach(name ->
                            acts.add(new DangerAct.RemoveFinalizer(ActKind.VOLUME, key, name)))));
    for (var storageClass : input.objects().classes().keySet()) {
      acts.add(new DangerAct.UpgradeClass(storageClass.name(), ReclaimPolicy.RETAIN));
      acts.add(new DangerAct.UpgradeClass(storageClass.name(), ReclaimPolicy.DELETE));
    }
    input
        .objects()
        .classes()
        .keySet()
        .forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.CLASS, key)));
    for (RestoreStyle style : RestoreStyle.values()) {
      input
          .objects()
          .claims()
          .keySet()
          .forEach(key -> acts.add(new DangerAct.RestoreObject(ActKind.CLAIM, key, style)));
      input
          .objects()
          .volumes()
          .keySet()
          .forEach(key -> acts.add(new DangerAct.RestoreObject(ActKind.VOLUME, key, style)));
    }
    return acts;
  }
}
