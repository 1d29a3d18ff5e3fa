package dev.mooring.manager.shadow;

import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which pods use a claim, from the cache. */
record PodUse(SharedInformers informers) {
  boolean isFinished(String podKey) {
    return pods().stream().anyMatch(pod -> pod.key().toString().equals(podKey) && pod.isFinished());
  }

  // Returns whether the pod is gone or under deletion.
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

  // Returns whether no pod of the node uses the attached volume through its claim.
  boolean isAttachmentUnneeded(ObjectKey attachment) {
    return informers
        .find(Kind.ATTACHMENT)
        .flatMap(cache -> cache.get(attachment))
        .filter(found -> !found.volumeName().isEmpty())
        .filter(found -> pods().stream().noneMatch(pod -> isUser(pod, found)))
        .isPresent();
  }

  private boolean isUser(Pod pod, Attachment attachment) {
    return pod.nodeName().equals(attachment.nodeName())
        && !pod.isFinished()
        && pod.claims().stream()
            .map(claim -> ObjectKey.of(pod.key().namespace(), claim))
            .anyMatch(claim -> isBound(claim, attachment.volumeName()));
  }

  private boolean isBound(ObjectKey claimKey, String volumeName) {
    ObjectKey volumeKey = ObjectKey.cluster(volumeName);
    @Nullable ClaimRef reference =
        informers
            .find(Kind.VOLUME)
            .flatMap(cache -> cache.get(volumeKey))
            .map(Volume::claimRef)
            .orElse(null);
    return reference != null
        && informers
            .find(Kind.CLAIM)
            .flatMap(cache -> cache.get(claimKey))
            .filter(claim ->
                claim.volumeName().equals(volumeName) && claim.meta().uid().equals(reference.uid()))
            .isPresent();
  }

  private List<Pod> pods() {
    return informers.find(Kind.POD).map(cache -> cache.snapshot().toList()).orElse(List.of());
  }
}
