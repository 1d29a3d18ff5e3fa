package dev.mooring.it.danger;

import dev.mooring.manager.danger.DangerAct;
import dev.mooring.manager.danger.DangerAct.ActKind;
import dev.mooring.manager.danger.DangerAct.RestoreStyle;
import dev.mooring.manager.danger.DangerScene;
import dev.mooring.manager.danger.DangerState;
import dev.mooring.model.ReclaimPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The acts of a brute-force search, listed independently of the search under test. */
final class AllActs {
  private AllActs() {}

  /** All acts on all objects, whether possible or not, in the order of the search. */
  static List<DangerAct> of(DangerScene scene, DangerState state) {
    List<DangerAct> acts = new ArrayList<>();
    var pods = new TreeSet<>(scene.objects().pods().keySet());
    pods.addAll(state.objects().pods().keySet());
    pods.forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.POD, key)));
    scene
        .objects()
        .claims()
        .keySet()
        .forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.CLAIM, key)));
    scene.workloads().forEach(workload -> acts.add(new DangerAct.DeleteWorkload(workload)));
    acts.add(new DangerAct.DeleteNamespace("shop"));
    for (var volume : scene.objects().volumes().keySet()) {
      for (ReclaimPolicy policy :
          List.of(ReclaimPolicy.DELETE, ReclaimPolicy.RECYCLE, ReclaimPolicy.RETAIN)) {
        acts.add(new DangerAct.SetPolicy(volume.name(), policy));
      }
    }
    scene
        .objects()
        .volumes()
        .keySet()
        .forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.VOLUME, key)));
    for (String node : scene.nodes()) {
      acts.add(new DangerAct.LoseNode(node));
      acts.add(new DangerAct.RestoreNode(node));
    }
    scene
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
    scene
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
    for (var storageClass : scene.objects().classes().keySet()) {
      acts.add(new DangerAct.UpgradeClass(storageClass.name(), ReclaimPolicy.RETAIN));
      acts.add(new DangerAct.UpgradeClass(storageClass.name(), ReclaimPolicy.DELETE));
    }
    scene
        .objects()
        .classes()
        .keySet()
        .forEach(key -> acts.add(new DangerAct.DeleteObject(ActKind.CLASS, key)));
    for (RestoreStyle style : RestoreStyle.values()) {
      scene
          .objects()
          .claims()
          .keySet()
          .forEach(key -> acts.add(new DangerAct.RestoreObject(ActKind.CLAIM, key, style)));
      scene
          .objects()
          .volumes()
          .keySet()
          .forEach(key -> acts.add(new DangerAct.RestoreObject(ActKind.VOLUME, key, style)));
    }
    return acts;
  }
}
