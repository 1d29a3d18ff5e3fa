package dev.mooring.binder.state;

import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.informer.Index;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of recycler pods. Pure. */
public final class RecyclerPodNames {
  public static final String DEFAULT_NAMESPACE = "default";

  private static final String PREFIX = "recycler-for-";
  private static final Pattern MOORING_NAME = Pattern.compile("(.+)-[0-9a-f]{16}");

  // only pods with Mooring's name: it contains the uid, so a later volume does not find them by key
  public static final Index<Pod, String> BY_VOLUME =
      new Index<>("recycler pods by volume", pod -> possibleVolume(pod.key()).stream().toList());

  /** Pods with a recycler's name, Mooring's or Kubernetes'. */
  public static final Index<Pod, String> BY_NAMESPACE =
      new Index<>(
          "recycler pods by namespace",
          pod -> isRecyclerName(pod.key()) ? List.of(pod.key().namespace()) : List.of());

  private RecyclerPodNames() {}

  public static boolean isRecyclerName(ObjectKey pod) {
    return pod.name().startsWith(PREFIX);
  }

  /**
   * Returns the pod's key. A user who may create pods in that namespace can guess Kubernetes' name
   * and pretend that the volume is clean. Mooring's name contains a digest of the volume's uid.
   */
  public static ObjectKey podKey(Volume volume, String namespace, RecyclerStyle style) {
    return ObjectKey.of(
        namespace,
        PREFIX + volume.meta().name() + (style.hasGuessableNames() ? "" : "-" + digest(volume)));
  }

  private static String digest(Volume volume) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(volume.meta().uid().toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Returns the volume that a pod scrubs if the pod has Mooring's name. Empty for other pods and
   * for Kubernetes' name, which kube-controller-manager finds again itself.
   *
   * @param isVolume returns whether a volume of that name exists
   */
  public static Optional<String> scrubbedVolume(ObjectKey pod, Predicate<String> isVolume) {
    return possibleVolume(pod).filter(name -> !isVolume.test(suffixOf(pod)));
  }

  /**
   * Returns the volume in the name of a recycler pod, Mooring's or Kubernetes'.
   *
   * @param isVolume returns whether a volume of that name exists
   */
  static String namedVolume(ObjectKey recycler, Predicate<String> isVolume) {
    return scrubbedVolume(recycler, isVolume).orElseGet(() -> suffixOf(recycler));
  }

  private static Optional<String> possibleVolume(ObjectKey pod) {
    if (!isRecyclerName(pod)) {
      return Optional.empty();
    }
    Matcher matcher = MOORING_NAME.matcher(suffixOf(pod));
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String suffixOf(ObjectKey pod) {
    return pod.name().substring(PREFIX.length());
  }
}
