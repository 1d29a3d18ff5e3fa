package dev.mooring.manager.shadow;

import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** Tells which pods use a claim, from the cache. */
record PodUse(SharedInformers informers) {
  boolean isFinished(String podKey) {
    return pods().stream().anyMatch(pod -> pod.key().toString().equals(podKey) && pod.isFinished());
  }

  /** Returns whether the pod is gone or under deletion. */
  boolean isLeaving(String podKey) {
    return pods().stream()
        .noneMatch(pod -> pod.key().toString().equals(podKey) && !pod.meta().isBeingDeleted());
  }

  boolean isByFinishedPodsOnly(ObjectKey claim) {
    List<Pod> users =
        pods().stream()
            .filter(pod ->
                pod.key().namespace().equals(claim.namespace())
                    && pod.claims().contains(claim.name()))
            .toList();
    return !users.isEmpty() && users.stream().allMatch(Pod::isFinished);
  }

  private List<Pod> pods() {
    List<Pod> pods = new ArrayList<>();
    informers.find(Kind.POD).ifPresent(cache -> cache.snapshot().objects().forEach(pods::add));
    return pods;
  }
}
