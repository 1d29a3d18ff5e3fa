package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.manager.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the report of missing rights. */
class RightsTest {
  private static final List<String> FLAGS = List.of("--endpoints=off");

  @TempDir private Path folder;

  /** Returns the output of a process that lacks the rights, up to the awaited line. */
  private List<String> outputWithoutRights(Predicate<RbacRule> missing, String awaitedText)
      throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder);
        JavaProcess process =
            JavaProcess.startMooring(
                "run",
                "--mode=replace",
                "-v=2",
                FLAGS.getFirst(),
                "--kubeconfig=" + server.kubeconfig(folder, FLAGS, missing))) {
      process.awaitLine(line -> line.contains(awaitedText));
      process.awaitLine(line -> line.contains("running "));
      process.stop();
      return process.output();
    }
  }

  @Test
  void start_missingRights_areListedWithBrokenFeatures() throws Exception {
    List<String> output =
        outputWithoutRights(
            right ->
                right.verb() == Verb.PATCH && right.target().resource().endsWith("volumes/status")
                    || right.target().resource().equals("pods/finalizers"),
            "patch persistentvolumes/status"); // the last row
    assertThat(output).filteredOn(line -> line.contains("this user lacks 2 rights")).hasSize(1);
    assertThat(output)
        .anyMatch(line -> line.matches(" +patch persistentvolumes/status +binding claims.*"))
        .anyMatch(line -> line.matches(" +update pods/finalizers +creating claims of generic.*"));
  }

  @Test
  void start_allRights_reportsNoMissingRight() throws Exception {
    assertThat(outputWithoutRights(right -> false, "all required rights are granted"))
        .noneMatch(line -> line.contains("lacks") || line.contains("NEEDED FOR"));
  }

  @Test
  void metricsAuthorization_declaredRights_suffice() throws Exception {
    int port = MetricsPort.findFree();
    String address = "--endpoints=127.0.0.1:" + port;
    Path authority = Files.writeString(folder.resolve("ca.pem"), new CertificateAuthority().pem());
    List<String> flags = List.of(address, "--client-ca-file=" + authority);
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      Path kubeconfig = server.kubeconfig(folder, flags, right -> false);
      try (JavaProcess process =
          JavaProcess.startMooring(
              "run", "--mode=replace", flags.get(0), flags.get(1), "--kubeconfig=" + kubeconfig)) {
        process.awaitLine(line -> line.contains("running "));
        assertThat(Main.execute("health", address)).isZero();
        assertThat(Main.execute("resume-deletions", address)).isZero();
        assertThat(runResumeDeletions(address))
            .contains("cluster  " + server.server().url(), "holds Lease kube-system/mooring")
            .contains("held     nothing", "volumes  no Released volume", "deletions resumed");
        process.awaitLine(line -> line.contains("deletions resumed at an administrator's request"));
        Matcher token = Pattern.compile("token: \"(.+)\"").matcher(Files.readString(kubeconfig));
        assertThat(token.find()).isTrue();
        assertThat(MetricsPort.fetchStatus(port, token.group(1))).isEqualTo(403);
        assertThat(MetricsPort.fetchStatus(port, RestrictedServer.TOKEN)).isEqualTo(200);
        assertThat(MetricsPort.fetchStatus(port, "of-unknown-user")).isEqualTo(401);
      }
      assertThat(server.forbiddenRequests()).isEmpty();
      assertThat(server.usedRights())
          .contains(
              "create tokenreviews.authentication.k8s.io",
              "create subjectaccessreviews.authorization.k8s.io");
    }
  }

  /** Returns the output of the command in a process without a terminal. */
  private static String runResumeDeletions(String address) throws Exception {
    try (JavaProcess process = JavaProcess.startMooring("resume-deletions", "--yes", address)) {
      assertThat(process.exitCode()).isZero();
      return String.join("\n", process.output());
    }
  }

  @Test
  void resumeDeletions_defaultAddressWithoutTerminal_isRefused() throws Exception {
    try (JavaProcess process = JavaProcess.startMooring("resume-deletions")) {
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(process.output().getLast()).contains("--yes", "--endpoints HOST:PORT");
    }
  }

  @Test
  void healthCommand_exitCode_reflectsState() throws Exception {
    String address = "--endpoints=127.0.0.1:" + MetricsPort.findFree();
    try (JavaProcess process = JavaProcess.startMooring("run", "--embedded", address)) {
      process.awaitLine(line -> line.contains("running "));
      assertThat(Main.execute("health", address)).isZero();
      assertThat(Main.execute("health", "--live", address)).isZero();
      process.stop();
      assertThat(Main.execute("health", address)).isEqualTo(1);
    }
  }

  @Test
  void apiserver_rbacMode_enforcesRoles() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    try (JavaProcess server =
        JavaProcess.startMooring(
            "apiserver", "--authorization-mode=RBAC", "--write-kubeconfig=" + kubeconfig)) {
      String readyLine = server.awaitLine(line -> line.startsWith("ready at "));
      server.awaitLine(line -> line.startsWith("kubeconfig: "));
      assertThat(Files.readString(kubeconfig)).contains("token:");
      assertThat(RestApi.of(kubeconfig).list("Node")).isEmpty();
      RestApi anonymous = new RestApi(readyLine.substring("ready at ".length()), "");
      assertThatThrownBy(() -> anonymous.list("Node")).hasMessageContaining("403");
    }
  }
}
