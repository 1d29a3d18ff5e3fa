package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.CommandResult;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts Mooring in a cluster with an active kube-controller-manager. */
class SecondManagerTest {
  private static final String LEASE = "kube-controller-manager";
  private static final String REPLACE = "--mode=replace";
  private static final String VOLUME_CONTROLLERS_OFF = "--kcm-volume-controllers-off";
  private static final String WITHOUT_VOLUME_CONTROLLERS =
      "*,-persistentvolume-binder,-attachdetach,-persistentvolume-expander,-pvc-protection,-pv-protection,"
          + "-volumeattributesclass-protection-controller,-ephemeral-volume";

  @TempDir private Path folder;
  private RestrictedServer server;
  private RestApi api;

  @BeforeEach
  void start() throws Exception {
    server = RestrictedServer.start(folder);
    api = server.admin();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static JsonObject parse(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private void createLease(Instant renewed, int seconds) throws Exception {
    api.create(
        parse(
            """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%s", "namespace": "kube-system"},
             "spec": {"holderIdentity": "cp-1_uid", "leaseDurationSeconds": %s, "renewTime": "%s"}}
            """
                .formatted(
                    LEASE,
                    seconds,
                    renewed.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS))));
  }

  private void createKubernetesPod(String controllers) throws Exception {
    api.create(
        parse(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "kube-controller-manager-cp-1", "namespace": "kube-system"},
             "spec": {"containers": [{"name": "kube-controller-manager", "image": "kcm",
                                      "command": ["kube-controller-manager", "--leader-elect=true", "--controllers=%s"]}]}}
            """
                .formatted(controllers)));
  }

  private JavaProcess startMooring(String... flags) throws Exception {
    return startMooring(replaceKubeconfig(), flags);
  }

  private Path replaceKubeconfig() throws Exception {
    return server.kubeconfig(folder, List.of(REPLACE), right -> false);
  }

  private static JavaProcess startMooring(Path kubeconfig, String... flags) throws Exception {
    return JavaProcess.startMooring(args(kubeconfig, flags));
  }

  private static String[] args(Path kubeconfig, String... flags) {
    String[] args = new String[flags.length + 3];
    args[0] = "run";
    args[1] = "--endpoints=off";
    args[2] = "--kubeconfig=" + kubeconfig;
    System.arraycopy(flags, 0, args, 3, flags.length);
    return args;
  }

  private String awaitRefusal(String... flags) throws Exception {
    CommandResult result = CommandResult.ofCommand(args(replaceKubeconfig(), flags));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.lines()).noneMatch(line -> line.startsWith("\tat "));
    assertThat(api.list("Lease")).as("Mooring has created no Lease").hasSize(1);
    return result.lines().stream()
        .filter(line -> line.startsWith("mooring: "))
        .findFirst()
        .orElse(result.output());
  }

  private void assertStarts(String... flags) throws Exception {
    try (JavaProcess process = startMooring(flags)) {
      process.awaitLine(line -> line.contains("running "));
    }
  }

  @Test
  void replace_leaseRenewedAndFlagsUnknown_refuses() throws Exception {
    createLease(Instant.now(), 60);
    assertThat(awaitRefusal(REPLACE))
        .contains(
            "cp-1_uid holds Lease kube-system/kube-controller-manager",
            "--mode=beside",
            VOLUME_CONTROLLERS_OFF,
            "-persistentvolume-binder-controller");
    assertThat(server.forbiddenRequests()).isEmpty();
  }

  @Test
  void explicitBinder_withoutMode_refuses() throws Exception {
    createLease(Instant.now(), 60);
    assertThat(awaitRefusal("--controllers=*,persistentvolume-binder-controller"))
        .contains("cp-1_uid holds");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*,bootstrapsigner | persistentvolume-binder-controller",
        "*,-persistentvolume-binder-controller | persistentvolume-attach-detach-controller",
      })
  void replace_podRunsVolumeControllers_refusesAndNamesThem(String flag, String controller)
      throws Exception {
    createLease(Instant.now(), 60);
    createKubernetesPod(flag);
    assertThat(awaitRefusal(REPLACE))
        .contains(controller, "restart kube-controller-manager with --controllers=*,-")
        .doesNotContain(VOLUME_CONTROLLERS_OFF);
  }

  @Test
  void replace_podRunsWithoutVolumeControllers_starts() throws Exception {
    createLease(Instant.now(), 60);
    createKubernetesPod(WITHOUT_VOLUME_CONTROLLERS);
    assertStarts(REPLACE);
    assertThat(server.forbiddenRequests()).isEmpty();
  }

  @Test
  void replace_volumeControllersDeclaredOff_starts() throws Exception {
    createLease(Instant.now(), 60);
    assertStarts(REPLACE, VOLUME_CONTROLLERS_OFF);
  }

  @Test
  void replace_leaseExpiredAndNotRenewed_starts() throws Exception {
    createLease(Instant.now().minusSeconds(3600), 2);
    assertStarts(REPLACE);
  }

  /** The clock of the other machine is wrong, so its renewed Lease looks expired. */
  @Test
  void replace_expiredLeaseIsRenewed_refuses() throws Exception {
    createLease(Instant.now().minusSeconds(3600), 30);
    Thread renewer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (int i = 0; !Thread.interrupted(); i++) {
                  api.patch(
                      "Lease",
                      "kube-system",
                      LEASE,
                      "",
                      parse("{\"spec\": {\"leaseTransitions\": " + i + "}}"));
                }
              } catch (Exception stopped) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      assertThat(awaitRefusal(REPLACE)).contains("cp-1_uid holds");
    } finally {
      renewer.interrupt();
    }
  }

  @Test
  void noMode_leaseRenewed_startsBeside() throws Exception {
    createLease(Instant.now(), 60);
    try (JavaProcess process = startMooring()) {
      assertThat(process.awaitLine(line -> line.contains("running ")))
          .doesNotContain("persistentvolume-binder-controller");
    }
  }

  @Test
  void replace_leaseForbidden_warnsAndStarts() throws Exception {
    createLease(Instant.now(), 60);
    Path kubeconfig =
        server.kubeconfig(folder, List.of(REPLACE), right -> right.target().name().equals(LEASE));
    try (JavaProcess process = startMooring(kubeconfig, REPLACE)) {
      process.awaitLine(
          line -> line.contains("may not get Lease kube-system/kube-controller-manager"));
      process.awaitLine(line -> line.contains("running "));
    }
  }
}
