package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts in a cluster with an active kube-controller-manager. */
@Timeout(300)
class SecondManagerTest {
  private static final String LEASE = "kube-controller-manager";
  private static final String REPLACE = "--mode=replace";
  private static final String OFF = "--kcm-volume-controllers-off";
  private static final String WITHOUT =
      "*,-persistentvolume-binder,-attachdetach,-persistentvolume-expander,-pvc-protection,-pv-protection,"
          + "-volumeattributesclass-protection-controller,-ephemeral-volume";

  @TempDir private Path folder;
  private RestrictedServer granted;
  private RestApi api;

  @BeforeEach
  void start() throws Exception {
    granted = RestrictedServer.start(folder);
    api = granted.admin();
  }

  @AfterEach
  void stop() throws Exception {
    granted.close();
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private void lease(Instant renewed, int seconds) throws Exception {
    api.create(
        json(
            """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%s", "namespace": "kube-system"},
             "spec": {"holderIdentity": "cp-1_uid", "leaseDurationSeconds": %s, "renewTime": "%s"}}
            """
                .formatted(
                    LEASE,
                    seconds,
                    renewed.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS))));
  }

  private void pod(String controllers) throws Exception {
    api.create(
        json(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "kube-controller-manager-cp-1", "namespace": "kube-system"},
             "spec": {"containers": [{"name": "kube-controller-manager", "image": "kcm",
                                      "command": ["kube-controller-manager", "--leader-elect=true", "--controllers=%s"]}]}}
            """
                .formatted(controllers)));
  }

  private JavaProcess run(String... flags) throws Exception {
    return run(granted.kubeconfig(folder, List.of(REPLACE), right -> false), flags);
  }

  private static JavaProcess run(Path kubeconfig, String... flags) throws Exception {
    String[] all = new String[flags.length + 3];
    all[0] = "run";
    all[1] = "--endpoints=off";
    all[2] = "--kubeconfig=" + kubeconfig;
    System.arraycopy(flags, 0, all, 3, flags.length);
    return JavaProcess.mooring(all);
  }

  private String refusal(String... flags) throws Exception {
    try (JavaProcess process = run(flags)) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.output()).noneMatch(line -> line.startsWith("\tat "));
      assertThat(api.list("Lease")).as("it has not led").hasSize(1);
      return process.output().stream()
          .filter(line -> line.startsWith("mooring: "))
          .findFirst()
          .orElse(process.output().toString());
    }
  }

  private void starts(String... flags) throws Exception {
    try (JavaProcess process = run(flags)) {
      process.awaitLine(line -> line.contains("running "));
    }
  }

  @Test
  void replace_leaseRenewedAndFlagsUnknown_refuses() throws Exception {
    lease(Instant.now(), 60);
    assertThat(refusal(REPLACE))
        .contains(
            "cp-1_uid holds Lease kube-system/kube-controller-manager",
            "--mode=beside",
            OFF,
            "-persistentvolume-binder-controller");
    assertThat(granted.refused()).isEmpty();
  }

  @Test
  void explicitBinder_withoutMode_refuses() throws Exception {
    lease(Instant.now(), 60);
    assertThat(refusal("--controllers=*,persistentvolume-binder-controller"))
        .contains("cp-1_uid holds");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*,bootstrapsigner | persistentvolume-binder-controller",
        "*,-persistentvolume-binder-controller | persistentvolume-attach-detach-controller",
      })
  void replace_podRunsVolumeControllers_refusesAndNamesThem(String flag, String named)
      throws Exception {
    lease(Instant.now(), 60);
    pod(flag);
    assertThat(refusal(REPLACE))
        .contains(named, "restart kube-controller-manager with --controllers=*,-")
        .doesNotContain(OFF);
  }

  @Test
  void replace_podRunsWithoutVolumeControllers_starts() throws Exception {
    lease(Instant.now(), 60);
    pod(WITHOUT);
    starts(REPLACE);
    assertThat(granted.refused()).isEmpty();
  }

  @Test
  void replace_flagSaysOff_starts() throws Exception {
    lease(Instant.now(), 60);
    starts(REPLACE, OFF);
  }

  @Test
  void replace_leaseExpiredAndNotRenewed_starts() throws Exception {
    lease(Instant.now().minusSeconds(3600), 2);
    starts(REPLACE);
  }

  /** The clock of the other machine is wrong. */
  @Test
  void replace_expiredLeaseIsRenewed_refuses() throws Exception {
    lease(Instant.now().minusSeconds(3600), 30);
    Thread renewing =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (int i = 0; !Thread.interrupted(); i++) {
                  api.patch(
                      "Lease",
                      "kube-system",
                      LEASE,
                      "",
                      json("{\"spec\": {\"leaseTransitions\": " + i + "}}"));
                }
              } catch (Exception over) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      assertThat(refusal(REPLACE)).contains("cp-1_uid holds");
    } finally {
      renewing.interrupt();
    }
  }

  @Test
  void noMode_leaseRenewed_startsBeside() throws Exception {
    lease(Instant.now(), 60);
    try (JavaProcess process = run()) {
      assertThat(process.awaitLine(line -> line.contains("running ")))
          .doesNotContain("persistentvolume-binder-controller");
    }
  }

  @Test
  void replace_leaseForbidden_warnsAndStarts() throws Exception {
    lease(Instant.now(), 60);
    Path kubeconfig =
        granted.kubeconfig(folder, List.of(REPLACE), right -> right.target().name().equals(LEASE));
    try (JavaProcess process = run(kubeconfig, REPLACE)) {
      process.awaitLine(
          line -> line.contains("may not get Lease kube-system/kube-controller-manager"));
      process.awaitLine(line -> line.contains("running "));
    }
  }
}
