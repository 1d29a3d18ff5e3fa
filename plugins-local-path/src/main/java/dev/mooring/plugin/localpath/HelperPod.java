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
 * Builds the helper pod of a job and judges an existing pod. Each volume has one pod name, so two
 * pods never work on one directory and a restarted process finds the pod. Pure.
 */
final class HelperPod {
  static final String PREFIX = "mooring-local-path-";

  private static final String FOLDER = "/volumes";
  private static final String VOLUME = "volumes";
  private static final int LONGEST_NAME = 200;

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
    PodTemplate within(Duration other) {
      return new PodTemplate(image, java, jar, priorityClass, pullSecrets, other);
    }
  }

  sealed interface State {
    record Running(String what) implements State {}

    record Succeeded(Uid uid) implements State {}

    record Failed(Uid uid, boolean forGood, String why) implements State {}

    record Busy(String with) implements State {}

    record Stale(Uid uid) implements State {}

    record Going() implements State {}
  }

  private HelperPod() {}

  static String name(String volume) {
    return volume.length() <= LONGEST_NAME
        ? PREFIX + volume
        : PREFIX + UUID.nameUUIDFromBytes(volume.getBytes(StandardCharsets.UTF_8));
  }

  static Map<String, Object> of(DirectoryJob job, PodTemplate template) {
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
    spec.put("containers", List.of(container(job, template)));
    spec.put(
        "volumes",
        List.of(
            Map.of(
                "name",
                VOLUME,
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

  private static Map<String, Object> container(DirectoryJob job, PodTemplate template) {
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
    container.put("args", arguments(job));
    container.put("volumeMounts", List.of(Map.of("name", VOLUME, "mountPath", FOLDER)));
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
  private static List<String> arguments(DirectoryJob job) {
    List<String> arguments = new ArrayList<>();
    for (String one :
        List.of(job.action().word(), FOLDER, job.directory().below().toString(), job.volume())) {
      arguments.add(one.replace("$", "$$"));
    }
    return arguments;
  }

  static State judge(Map<String, Object> pod, DirectoryJob job) {
    Map<?, ?> metadata = members(pod.get("metadata"));
    Map<?, ?> status = members(pod.get("status"));
    Uid uid = Uid.of(text(metadata.get("uid")));
    if (metadata.get("deletionTimestamp") != null) {
      return new State.Going();
    }
    String phase = text(status.get("phase"));
    boolean over = phase.equals("Succeeded") || phase.equals("Failed");
    if (!isFor(members(pod.get("spec")), job)) {
      return over
          ? new State.Stale(uid)
          : new State.Busy(first(members(pod.get("spec")).get("containers")).get("args") + "");
    }
    Map<?, ?> container = first(status.get("containerStatuses"));
    Map<?, ?> state = members(container.get("state"));
    if (!over) {
      Map<?, ?> waiting = members(state.get("waiting"));
      String why = (text(waiting.get("reason")) + " " + text(waiting.get("message"))).strip();
      return new State.Running(why.isEmpty() ? (phase.isEmpty() ? "Pending" : phase) : why);
    }
    if (phase.equals("Succeeded")) {
      return new State.Succeeded(uid);
    }
    Map<?, ?> ended = members(state.get("terminated"));
    String message = text(ended.get("message")).strip();
    if (message.isEmpty()) {
      message = (text(status.get("reason")) + " " + text(status.get("message"))).strip();
    }
    boolean forGood =
        ended.get("exitCode") instanceof Number code && code.intValue() == HelperMain.NEVER;
    return new State.Failed(uid, forGood, message.isEmpty() ? "the pod gives no reason" : message);
  }

  // Compares only the command: admission may change the image and other fields.
  private static boolean isFor(Map<?, ?> spec, DirectoryJob job) {
    Map<?, ?> hostPath = members(volume(spec.get("volumes")).get("hostPath"));
    return arguments(job).equals(first(spec.get("containers")).get("args"))
        && job.directory().base().text().equals(hostPath.get("path"))
        && (job.node().isEmpty() || job.node().equals(spec.get("nodeName")));
  }

  private static Map<?, ?> volume(@Nullable Object volumes) {
    if (volumes instanceof List<?> all) {
      for (Object one : all) {
        if (VOLUME.equals(members(one).get("name"))) {
          return members(one);
        }
      }
    }
    return Map.of();
  }

  private static Map<?, ?> first(@Nullable Object list) {
    return list instanceof List<?> all && !all.isEmpty() ? members(all.getFirst()) : Map.of();
  }

  private static Map<?, ?> members(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }
}
