package dev.mooring.informer;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;

public final class IndexSet {
  public static final Index<Pod, ObjectKey> PODS_BY_CLAIM =
      new Index<>(
          "pods by claim",
          pod ->
              pod.claims().stream()
                  .distinct()
                  .map(claim -> ObjectKey.of(pod.key().namespace(), claim))
                  .toList());

  private IndexSet() {}
}
