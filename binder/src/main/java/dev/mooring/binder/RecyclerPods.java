package dev.mooring.binder;

import dev.mooring.binder.execute.RecyclerPod;
import dev.mooring.model.ObjectKey;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Distinguishes recycler pods from other pods. Pure. */
public final class RecyclerPods {
  private static final Pattern OWN = Pattern.compile("(.+)-[0-9a-f]{16}");

  private RecyclerPods() {}

  /**
   * Returns the volume that a pod scrubs if the pod has Mooring's name. Empty for other pods and
   * for Kubernetes' name, which kube-controller-manager finds again itself.
   *
   * @param volumes names of all volumes
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
