package dev.mooring.binder.execute;

import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.state.RecyclerPodNames;
import dev.mooring.cluster.Document;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pods that scrub volumes: copies of a template for each type of volume. Pure. */
public final class RecyclerPodTemplates {
  private static final long GIB = 1L << 30;

  // the API server rejects a pod with a longer deadline
  private static final long MAX_DEADLINE_SECONDS = Integer.MAX_VALUE;

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

  /**
   * Settings for one type of volume.
   *
   * @param minimumSeconds minimum timeout of the pod
   * @param secondsPerGib additional timeout for each GiB of the volume
   * @param template Pod as nested maps, whose first volume is replaced
   */
  public record PodSettings(
      String namespace, long minimumSeconds, long secondsPerGib, Map<String, Object> template) {}

  private final Map<String, PodSettings> byType;
  private final RecyclerStyle style;

  /**
   * Creates the templates.
   *
   * @param byType settings by type of volume source
   */
  public RecyclerPodTemplates(Map<String, PodSettings> byType, RecyclerStyle style) {
    this.byType = byType;
    this.style = style;
  }

  RecyclerStyle style() {
    return style;
  }

  boolean supports(Volume volume) {
    return byType.containsKey(volume.source().type());
  }

  Set<String> namespaces() {
    return byType.values().stream().map(PodSettings::namespace).collect(Collectors.toSet());
  }

  private PodSettings settingsFor(Volume volume) {
    return Objects.requireNonNull(byType.get(volume.source().type()), volume.source().type());
  }

  ObjectKey key(Volume volume) {
    return RecyclerPodNames.podKey(
        volume,
        supports(volume) ? settingsFor(volume).namespace() : RecyclerPodNames.DEFAULT_NAMESPACE,
        style);
  }

  List<ObjectKey> possibleKeys(Volume volume) {
    return supports(volume)
        ? Arrays.stream(RecyclerStyle.values())
            .map(namingStyle ->
                RecyclerPodNames.podKey(volume, settingsFor(volume).namespace(), namingStyle))
            .toList()
        : List.of();
  }

  Document createPod(Volume volume, ObjectKey key) {
    Document pod = Document.empty();
    asMap(settingsFor(volume).template().get("metadata"))
        .forEach((name, value) -> {
          if (!name.equals("generateName") && !name.equals("name")) {
            pod.set(value, "metadata", (String) name);
          }
        });
    return pod.set(key.namespace(), "metadata", "namespace").set(createSpec(volume), "spec");
  }

  private Map<String, Object> createSpec(Volume volume) {
    PodSettings settings = settingsFor(volume);
    Map<String, Object> spec = new LinkedHashMap<>();
    asMap(settings.template().get("spec"))
        .forEach((name, value) -> spec.put((String) name, (Object) value));
    List<Object> volumes = new ArrayList<>();
    if (spec.get("volumes") instanceof List<?> list) {
      volumes.addAll(list);
    }
    Object name = volumes.isEmpty() ? "vol" : asMap(volumes.removeFirst()).get("name");
    volumes.addFirst(
        Map.of(
            "name",
            name instanceof String text ? text : "vol",
            volume.source().type(),
            createSource(volume)));
    spec.put("volumes", volumes);
    spec.put("activeDeadlineSeconds", deadlineSeconds(settings, volume));
    return spec;
  }

  private static long deadlineSeconds(PodSettings settings, Volume volume) {
    long gib = Math.min(volume.storage().toBytesCeiling() / GIB, MAX_DEADLINE_SECONDS);
    long seconds = Math.max(settings.minimumSeconds(), gib * settings.secondsPerGib());
    return Math.min(seconds, MAX_DEADLINE_SECONDS);
  }

  private static Map<String, Object> createSource(Volume volume) {
    return volume.source().type().equals("nfs")
        ? Map.of(
            "server",
            volume.source().attribute("server"),
            "path",
            volume.source().attribute("path"))
        : Map.of("path", volume.source().attribute("path"));
  }

  boolean matchesTemplate(Map<String, Object> podFields, Volume volume) {
    Map<?, ?> spec = asMap(podFields.get("spec"));
    Map<String, Object> expectedSpec = createSpec(volume);
    Map<?, ?> source = asMap(asMap(firstElement(spec.get("volumes"))).get(volume.source().type()));
    Map<?, ?> container = asMap(firstElement(spec.get("containers")));
    Map<?, ?> expectedContainer = asMap(firstElement(expectedSpec.get("containers")));
    return createSource(volume).entrySet().stream()
            .allMatch(e -> e.getValue().equals(source.get(e.getKey())))
        && hasSameMember(container, expectedContainer, "image")
        && hasSameMember(container, expectedContainer, "command")
        && hasSameMember(container, expectedContainer, "args");
  }

  private static boolean hasSameMember(Map<?, ?> left, Map<?, ?> right, String member) {
    return String.valueOf(left.get(member)).equals(String.valueOf(right.get(member)));
  }

  private static @Nullable Object firstElement(@Nullable Object list) {
    return list instanceof List<?> elements && !elements.isEmpty() ? elements.getFirst() : null;
  }

  private static Map<?, ?> asMap(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
