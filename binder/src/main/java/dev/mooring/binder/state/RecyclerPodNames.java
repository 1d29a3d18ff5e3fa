package dev.mooring.binder.state;

import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of recycler pods. Pure. */
public final class RecyclerPodNames {
  public static final String DEFAULT_NAMESPACE = "default";

  private static final String PREFIX = "recycler-for-";
  private static final Pattern MOORING_NAME = Pattern.compile("(.+)-[0-9a-f]{16}");

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
   * @param volumes names of all volumes
   */
  public static Optional<String> scrubbedVolume(ObjectKey pod, Set<String> volumes) {
    if (!isRecyclerName(pod)) {
      return Optional.empty();
    }
    String suffix = pod.name().substring(PREFIX.length());
    Matcher matcher = MOORING_NAME.matcher(suffix);
    return volumes.contains(suffix) || !matcher.matches()
        ? Optional.empty()
        : Optional.of(matcher.group(1));
  }
}
