package dev.mooring.binder;

import dev.mooring.binder.execute.RecyclerPod;
import dev.mooring.model.ObjectKey;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells the pods that empty volumes from others. Pure. */
public final class RecyclerPods {
  private static final Pattern OWN = Pattern.compile("(.+)-[0-9a-f]{16}");

  private RecyclerPods() {}

  /**
   * The volume that a pod empties, if the pod has Mooring's own name; empty for all others, and for
   * one by Kubernetes' name, which kube-controller-manager finds again by itself.
   *
   * @param pod the pod
   * @param volumes the names of all volumes
   */
  public static Optional<String> emptiedBy(ObjectKey pod, Set<String> volumes) {
    if (!RecyclerPod.isOne(pod)) {
      return Optional.empty();
    }
    String rest = pod.name().substring(RecyclerPod.PREFIX.length());
    Matcher own = OWN.matcher(rest);
    return volumes.contains(rest) || !own.matches() ? Optional.empty() : Optional.of(own.group(1));
  }
}
