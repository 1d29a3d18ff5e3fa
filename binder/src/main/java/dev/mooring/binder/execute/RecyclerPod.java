package dev.mooring.binder.execute;

import dev.mooring.cluster.Document;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pod that scrubs one volume: a copy of a template for each volume. */
public final class RecyclerPod {
  private static final long GIB = 1L << 30;

  public static final String PREFIX = "recycler-for-";

  public static final Map<String, Object> DEFAULT_TEMPLATE =
      Map.of(
          "metadata",
          Map.of("namespace", "default"),
          "spec",
          Map.of(
              "restartPolicy",
              "Never",
              "volumes",
              List.of(Map.of("name", "vol")),
              "containers",
              List.of(
                  Map.of(
                      "name",
                      "pv-recycler",
                      "image",
                      "registry.k8s.io/build-image/debian-base:bookworm-v1.0.6",
                      "command",
                      List.of("/bin/sh"),
                      "args",
                      List.of(
                          "-c",
                          "test -e /scrub && find /scrub -mindepth 1 -delete && test -z \"$(ls -A /scrub)\" || exit 1"),
                      "volumeMounts",
                      List.of(Map.of("name", "vol", "mountPath", "/scrub"))))));

  public record PodSettings(
      long minimumSeconds, long secondsPerGib, Map<String, Object> template) {}

  private RecyclerPod() {}

  public static boolean isOne(ObjectKey pod) {
    return pod.name().startsWith(PREFIX);
  }

  /**
   * Returns the pod's key. A user who may create pods in that namespace can guess Kubernetes' name
   * and pretend that the volume is clean. Mooring's name contains a digest of the volume's uid.
   */
  static ObjectKey key(Volume volume, PodSettings podSettings, RecyclerStyle style) {
    Map<?, ?> metadata = members(podSettings.template().get("metadata"));
    Object namespace = metadata.get("namespace");
    return ObjectKey.of(
        namespace instanceof String text && !text.isEmpty() ? text : "default",
        PREFIX + volume.meta().name() + (style.hasGuessableNames() ? "" : "-" + digest(volume)));
  }

  public static ObjectKey usualKey(Volume volume, RecyclerStyle style) {
    return key(volume, new PodSettings(0, 0, DEFAULT_TEMPLATE), style);
  }

  static List<ObjectKey> keys(Volume volume, @Nullable PodSettings podSettings) {
    return podSettings == null
        ? List.of()
        : Arrays.stream(RecyclerStyle.values())
            .map(style -> key(volume, podSettings, style))
            .toList();
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

  static Document pod(Volume volume, PodSettings podSettings, ObjectKey key) {
    Document pod = Document.empty();
    members(podSettings.template().get("metadata"))
        .forEach((name, value) -> {
          if (!name.equals("generateName") && !name.equals("name")) {
            pod.set(value, "metadata", (String) name);
          }
        });
    return pod.set(key.namespace(), "metadata", "namespace").set(spec(volume, podSettings), "spec");
  }

  private static Map<String, Object> spec(Volume volume, PodSettings podSettings) {
    Map<String, Object> spec = new LinkedHashMap<>();
    members(podSettings.template().get("spec"))
        .forEach((name, value) -> spec.put((String) name, (Object) value));
    List<Object> volumes = new ArrayList<>();
    if (spec.get("volumes") instanceof List<?> given) {
      volumes.addAll(given);
    }
    Object name = volumes.isEmpty() ? "vol" : members(volumes.removeFirst()).get("name");
    volumes.addFirst(
        Map.of(
            "name",
            name instanceof String text ? text : "vol",
            volume.source().type(),
            source(volume)));
    spec.put("volumes", volumes);
    spec.put(
        "activeDeadlineSeconds",
        Math.max(
            podSettings.minimumSeconds(),
            volume.storage().toBytesCeiling() / GIB * podSettings.secondsPerGib()));
    return spec;
  }

  private static Map<String, Object> source(Volume volume) {
    return volume.source().type().equals("nfs")
        ? Map.of(
            "server",
            volume.source().attribute("server"),
            "path",
            volume.source().attribute("path"))
        : Map.of("path", volume.source().attribute("path"));
  }

  static boolean isLike(Map<String, Object> whole, Volume volume, PodSettings podSettings) {
    Map<?, ?> spec = members(whole.get("spec"));
    Map<String, Object> wanted = spec(volume, podSettings);
    Map<?, ?> source = members(members(first(spec.get("volumes"))).get(volume.source().type()));
    Map<?, ?> container = members(first(spec.get("containers")));
    Map<?, ?> wantedContainer = members(first(wanted.get("containers")));
    return source(volume).entrySet().stream()
            .allMatch(e -> e.getValue().equals(source.get(e.getKey())))
        && same(container, wantedContainer, "image")
        && same(container, wantedContainer, "command")
        && same(container, wantedContainer, "args");
  }

  private static boolean same(Map<?, ?> one, Map<?, ?> other, String member) {
    return String.valueOf(one.get(member)).equals(String.valueOf(other.get(member)));
  }

  private static @Nullable Object first(@Nullable Object list) {
    return list instanceof List<?> given && !given.isEmpty() ? given.getFirst() : null;
  }

  private static Map<?, ?> members(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
