package dev.mooring.plugin.localpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.localpath.HelperPod.PodTemplate;
import dev.mooring.plugin.localpath.HelperPod.State;
import dev.mooring.spi.files.RelativePath;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HelperPodTest {
  private static final PodTemplate TEMPLATE =
      new PodTemplate(
          "image",
          "/java",
          "/plugin.jar",
          "system-node-critical",
          List.of("pull"),
          Duration.ofSeconds(90));

  private static DirectoryJob job(DirectoryAction action, String below) throws Exception {
    return new DirectoryJob(
        action,
        new VolumeDirectory(BasePath.of("/opt/lp"), RelativePath.of(below)),
        "pvc-1",
        "node-1");
  }

  private static Map<?, ?> spec(Map<String, Object> pod) {
    return (Map<?, ?>) pod.get("spec");
  }

  private static Map<?, ?> container(Map<String, Object> pod) {
    return (Map<?, ?>) ((List<?>) spec(pod).get("containers")).getFirst();
  }

  @Test
  void build_pod_hasMinimalPrivileges() throws Exception {
    Map<String, Object> pod = HelperPod.build(job(DirectoryAction.REMOVE, "pvc-1_ns_c"), TEMPLATE);
    assertThat(spec(pod).get("nodeName")).isEqualTo("node-1");
    assertThat(spec(pod).get("restartPolicy")).isEqualTo("Never");
    assertThat(spec(pod).get("imagePullSecrets")).isEqualTo(List.of(Map.of("name", "pull")));
    assertThat(spec(pod).get("activeDeadlineSeconds")).isEqualTo(90L);
    assertThat(spec(pod).get("automountServiceAccountToken")).isEqualTo(false);
    assertThat(container(pod).get("securityContext").toString())
        .contains("allowPrivilegeEscalation=false", "readOnlyRootFilesystem=true", "drop=[ALL]");
    assertThat(spec(pod).get("volumes"))
        .isEqualTo(
            List.of(
                Map.of(
                    "name",
                    "volumes",
                    "hostPath",
                    Map.of("path", "/opt/lp", "type", "DirectoryOrCreate"))));
  }

  /** The pod uses no shell, and the kubelet expands no variable in the arguments. */
  @Test
  void build_tenantInput_isPassedLiterally() throws Exception {
    Map<String, Object> pod =
        HelperPod.build(
            job(DirectoryAction.MAKE, "ns/c/$(KUBERNETES_SERVICE_HOST)$$(x);rm -rf '"), TEMPLATE);
    assertThat((List<?>) container(pod).get("command"))
        .asString()
        .startsWith("[/java, ")
        .endsWith("-cp, /plugin.jar, dev.mooring.plugin.localpath.HelperMain]")
        .doesNotContain("sh");
    assertThat((Object) container(pod).get("args"))
        .isEqualTo(
            List.of(
                "make", "/volumes", "ns/c/$$(KUBERNETES_SERVICE_HOST)$$$$(x);rm -rf '", "pvc-1"));
  }

  @Test
  void podName_longVolumeName_isShortened() {
    assertThat(HelperPod.podName("pvc-1")).isEqualTo("mooring-local-path-pvc-1");
    assertThat(HelperPod.podName("a".repeat(253)))
        .hasSizeLessThan(64)
        .startsWith("mooring-local-path-");
    assertThat(HelperPod.podName("a".repeat(253))).isNotEqualTo(HelperPod.podName("a".repeat(252)));
  }

  @Test
  void podName_ofNode_isShortAndDistinct() {
    assertThat(HelperPod.podName("a".repeat(200), "node-1")).hasSizeLessThan(254);
    assertThat(HelperPod.podName("pvc-1", "node-1"))
        .startsWith("mooring-local-path-pvc-1-")
        .isNotEqualTo(HelperPod.podName("pvc-1", "node-2"));
  }

  private static State judged(Map<String, Object> status) throws Exception {
    return judged(job(DirectoryAction.MAKE, "pvc-1_ns_c"), status, Map.of());
  }

  private static State judged(
      DirectoryJob job, Map<String, Object> status, Map<String, Object> metadata) throws Exception {
    Map<String, Object> pod = new HashMap<>(HelperPod.build(job, TEMPLATE));
    Map<String, Object> allMetadata = new HashMap<>(metadata);
    allMetadata.put("uid", "u");
    pod.put("metadata", allMetadata);
    pod.put("status", status);
    return HelperPod.judge(pod, job(DirectoryAction.MAKE, "pvc-1_ns_c"));
  }

  private static Map<String, Object> status(
      String phase, String state, Map<String, Object> details) {
    return Map.of(
        "phase", phase, "containerStatuses", List.of(Map.of("state", Map.of(state, details))));
  }

  @Test
  void judge_pod_givesState() throws Exception {
    assertThat(judged(Map.of())).isEqualTo(new State.Running("Pending"));
    assertThat(judged(Map.of("phase", "Running"))).isEqualTo(new State.Running("Running"));
    assertThat(
            judged(
                status(
                    "Pending",
                    "waiting",
                    Map.of("reason", "ErrImagePull", "message", "no such image"))))
        .isEqualTo(new State.Running("ErrImagePull no such image"));
    assertThat(judged(Map.of("phase", "Succeeded"))).isInstanceOf(State.Succeeded.class);
    assertThat(judged(status("Failed", "terminated", Map.of("exitCode", 1L, "message", "disk\n"))))
        .isInstanceOfSatisfying(
            State.Failed.class,
            failed -> {
              assertThat(failed.message()).isEqualTo("disk");
              assertThat(failed.isPermanent()).isFalse();
            });
    assertThat(judged(status("Failed", "terminated", Map.of("exitCode", 2L))))
        .isInstanceOfSatisfying(
            State.Failed.class, failed -> assertThat(failed.isPermanent()).isTrue());
    assertThat(judged(Map.of("phase", "Failed", "reason", "Evicted", "message", "disk pressure")))
        .isInstanceOfSatisfying(
            State.Failed.class,
            failed -> assertThat(failed.message()).isEqualTo("Evicted disk pressure"));
  }

  @Test
  void judge_podOfOtherJob_isBusyOrStale() throws Exception {
    for (DirectoryJob otherJob :
        List.of(
            job(DirectoryAction.REMOVE, "pvc-1_ns_c"),
            job(DirectoryAction.MAKE, "pvc-2_ns_c"),
            new DirectoryJob(
                DirectoryAction.MAKE,
                new VolumeDirectory(BasePath.of("/data"), RelativePath.of("pvc-1_ns_c")),
                "pvc-1",
                "node-1"),
            new DirectoryJob(
                DirectoryAction.MAKE,
                new VolumeDirectory(BasePath.of("/opt/lp"), RelativePath.of("pvc-1_ns_c")),
                "pvc-1",
                "node-2"))) {
      assertThat(judged(otherJob, Map.of("phase", "Running"), Map.of()))
          .isInstanceOf(State.Busy.class);
      assertThat(judged(otherJob, Map.of("phase", "Succeeded"), Map.of()))
          .isInstanceOf(State.Stale.class);
    }
    assertThat(
            judged(
                job(DirectoryAction.MAKE, "pvc-1_ns_c"),
                Map.of("phase", "Succeeded"),
                Map.of("deletionTimestamp", "2026-01-01T00:00:00Z")))
        .isInstanceOf(State.Terminating.class);
    assertThat(HelperPod.judge(Map.of(), job(DirectoryAction.MAKE, "x")))
        .isInstanceOf(State.Busy.class);
  }
}
