package dev.mooring.plugin.localpath;

import dev.mooring.model.Uid;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Builds the helper pod of a job and judges an existing pod. A volume has at most one pod on a
 * node, so two pods never work on one node's directory, and a restarted process finds the pod by
 * its name. Pure.
 */
final class HelperPod {
  static final String PREFIX = "mooring-local-path-";

  private static final String MOUNT_PATH = "/volumes";
  private static final String VOLUME_NAME = "volumes";
  private static final int MAX_VOLUME_NAME_LENGTH = 200;
  private static final int NODE_HASH_LENGTH = 8;

  /**
   * Settings for helper pods.
   *
   * @param image container image, "" if not configured
   * @param java Java launcher in the image
   * @param jar this plugin's jar in the image
   * @param priorityClass priority class, "" for the default
   * @param pullSecrets names of the Secrets for pulling the image
   * @param deadline maximum run time of one pod
   */
  record PodTemplate(
      String image,
      String java,
      String jar,
      String priorityClass,
      List<String> pullSecrets,
      Duration deadline) {
    PodTemplate withDeadline(Duration newDeadline) {
      return new PodTemplate(image, java, jar, priorityClass, pullSecrets, newDeadline);
    }
  }

  sealed interface State {
    record Running(String progress) implements State {}

    record Succeeded(Uid uid) implements State {}

    record Failed(Uid uid, boolean isPermanent, String message) implements State {}

    record Busy(String arguments) implements State {}

    record Stale(Uid uid) implements State {}

    record Terminating() implements State {}
  }

  private HelperPod() {}

  static String podName(String volume) {
    return volume.length() <= MAX_VOLUME_NAME_LENGTH
        ? PREFIX + volume
        : PREFIX + UUID.nameUUIDFromBytes(volume.getBytes(StandardCharsets.UTF_8));
  }

  static String podName(String volume, String node) {
    String hash = UUID.nameUUIDFromBytes(node.getBytes(StandardCharsets.UTF_8)).toString();
    return podName(volume) + "-" + hash.substring(0, NODE_HASH_LENGTH);
  }

  static Map<String, Object> build(DirectoryJob job, PodTemplate template) {
    Map<String, Object> spec = new LinkedHashMap<>();
    if (!job.node().isEmpty()) {
      spec.put("nodeName", job.node());
    }
    if (!template.priorityClass().isEmpty()) {
      spec.put("priorityClassName", template.priorityClass());
    }
    if (!template.pullSecrets().isEmpty()) {
      spec.put(
          "imagePullSecrets",
          template.pullSecrets().stream().map(secret -> Map.of("name", secret)).toList());
    }
    spec.put("restartPolicy", "Never");
    spec.put("activeDeadlineSeconds", template.deadline().toSeconds());
    spec.put("terminationGracePeriodSeconds", 5);
    spec.put("automountServiceAccountToken", false);
    spec.put("enableServiceLinks", false);
    spec.put("tolerations", List.of(Map.of("operator", "Exists")));
    spec.put("securityContext", Map.of("seccompProfile", Map.of("type", "RuntimeDefault")));
    spec.put("containers", List.of(buildContainer(job, template)));
    spec.put(
        "volumes",
        List.of(
            Map.of(
                "name",
                VOLUME_NAME,
                "hostPath",
                Map.of("path", job.directory().base().text(), "type", "DirectoryOrCreate"))));
    return Map.of(
        "metadata",
        Map.of(
            "labels",
            Map.of(
                "app.kubernetes.io/managed-by", "mooring",
                "app.kubernetes.io/component", "local-path-helper")),
        "spec",
        spec);
  }

  private static Map<String, Object> buildContainer(DirectoryJob job, PodTemplate template) {
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("name", "helper");
    container.put("image", template.image());
    container.put(
        "command",
        List.of(
            template.java(),
            "-Xmx24m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-cp",
            template.jar(),
            HelperMain.class.getName()));
    container.put("args", toArguments(job));
    container.put("volumeMounts", List.of(Map.of("name", VOLUME_NAME, "mountPath", MOUNT_PATH)));
    container.put("terminationMessagePolicy", "FallbackToLogsOnError");
    container.put(
        "resources",
        Map.of(
            "requests", Map.of("cpu", "10m", "memory", "32Mi"),
            "limits", Map.of("memory", "128Mi")));
    container.put(
        "securityContext",
        Map.of(
            "runAsUser",
            0,
            "runAsGroup",
            0,
            "allowPrivilegeEscalation",
            false,
            "readOnlyRootFilesystem",
            true,
            // removing directories of any owner requires both
            "capabilities",
            Map.of("drop", List.of("ALL"), "add", List.of("DAC_OVERRIDE", "FOWNER"))));
    return container;
  }

  // Returns the arguments. The kubelet expands variables in them, so every dollar is doubled.
  private static List<String> toArguments(DirectoryJob job) {
    List<String> arguments = new ArrayList<>();
    for (String argument :
        List.of(
            job.action().argument(),
            MOUNT_PATH,
            job.directory().relativePath().toString(),
            job.volume())) {
      arguments.add(argument.replace("$", "$$"));
    }
    return arguments;
  }

  static String nodeOf(Map<String, Object> pod) {
    return asText(asMap(pod.get("spec")).get("nodeName"));
  }

  static State judge(Map<String, Object> pod, DirectoryJob job) {
    Map<?, ?> metadata = asMap(pod.get("metadata"));
    Map<?, ?> status = asMap(pod.get("status"));
    Uid uid = Uid.of(asText(metadata.get("uid")));
    if (metadata.get("deletionTimestamp") != null) {
      return new State.Terminating();
    }
    String phase = asText(status.get("phase"));
    boolean hasEnded = phase.equals("Succeeded") || phase.equals("Failed");
    if (!isPodOf(asMap(pod.get("spec")), job)) {
      return hasEnded
          ? new State.Stale(uid)
          : new State.Busy(firstElement(asMap(pod.get("spec")).get("containers")).get("args") + "");
    }
    Map<?, ?> container = firstElement(status.get("containerStatuses"));
    Map<?, ?> state = asMap(container.get("state"));
    if (!hasEnded) {
      Map<?, ?> waiting = asMap(state.get("waiting"));
      String waitingReason =
          (asText(waiting.get("reason")) + " " + asText(waiting.get("message"))).strip();
      return new State.Running(
          waitingReason.isEmpty() ? (phase.isEmpty() ? "Pending" : phase) : waitingReason);
    }
    if (phase.equals("Succeeded")) {
      return new State.Succeeded(uid);
    }
    Map<?, ?> terminated = asMap(state.get("terminated"));
    String message = asText(terminated.get("message")).strip();
    if (message.isEmpty()) {
      message = (asText(status.get("reason")) + " " + asText(status.get("message"))).strip();
    }
    boolean isPermanent =
        terminated.get("exitCode") instanceof Number code
            && code.intValue() == HelperMain.EXIT_REJECTED;
    return new State.Failed(
        uid, isPermanent, message.isEmpty() ? "the pod gives no reason" : message);
  }

  // Compares only the command: admission may change the image and other fields.
  private static boolean isPodOf(Map<?, ?> spec, DirectoryJob job) {
    Map<?, ?> hostPath = asMap(findVolume(spec.get("volumes")).get("hostPath"));
    return toArguments(job).equals(firstElement(spec.get("containers")).get("args"))
        && job.directory().base().text().equals(hostPath.get("path"))
        && (job.node().isEmpty() || job.node().equals(spec.get("nodeName")));
  }

  private static Map<?, ?> findVolume(@Nullable Object volumes) {
    if (volumes instanceof List<?> list) {
      for (Object element : list) {
        if (VOLUME_NAME.equals(asMap(element).get("name"))) {
          return asMap(element);
        }
      }
    }
    return Map.of();
  }

  private static Map<?, ?> firstElement(@Nullable Object value) {
    return value instanceof List<?> list && !list.isEmpty() ? asMap(list.getFirst()) : Map.of();
  }

  private static Map<?, ?> asMap(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String asText(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }
}
