package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cluster.Right;
import dev.mooring.cluster.Right.Verb;
import dev.mooring.it.Api;
import dev.mooring.it.Granted;
import dev.mooring.it.JavaProcess;
import dev.mooring.manager.Main;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a process says about rights that it needs and does not have. */
@Timeout(300)
class RightsTest {
  private static final List<String> FLAGS = List.of("--endpoints=off");

  @TempDir private Path folder;

  /** What a process with all rights but these says until it runs. */
  private List<String> said(Predicate<Right> leftOut, String awaited) throws Exception {
    try (Granted granted = Granted.start(folder);
        JavaProcess process =
            JavaProcess.mooring(
                "run",
                "-v=2",
                FLAGS.getFirst(),
                "--kubeconfig=" + granted.kubeconfig(folder, FLAGS, leftOut))) {
      process.awaitLine(line -> line.contains(awaited));
      process.awaitLine(line -> line.contains("running "));
      process.stop();
      return process.said();
    }
  }

  @Test
  void whatIsMissingIsToldInOneTableWithWhatDoesNotWork() throws Exception {
    List<String> said =
        said(
            right ->
                right.verb() == Verb.PATCH && right.target().resource().endsWith("volumes/status")
                    || right.target().resource().equals("pods/finalizers"),
            "update pods/finalizers");
    assertThat(said).filteredOn(line -> line.contains("this user lacks 2 rights")).hasSize(1);
    assertThat(said)
        .anyMatch(line -> line.matches(" +patch persistentvolumes/status +binding claims.*"))
        .anyMatch(line -> line.matches(" +update pods/finalizers +making claims of generic.*"));
  }

  @Test
  void whoHasEveryRightIsToldOfNone() throws Exception {
    assertThat(said(right -> false, "every right that is needed is there"))
        .noneMatch(line -> line.contains("lacks") || line.contains("WHAT DOES NOT WORK"));
  }

  @Test
  void howAProcessIsCanBeAsked() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    String address = "--endpoints=127.0.0.1:" + port;
    try (JavaProcess process = JavaProcess.mooring("run", "--embedded", address)) {
      process.awaitLine(l -> l.contains("running "));
      assertThat(Main.execute("health", address)).isZero();
      assertThat(Main.execute("health", "--live", address)).isZero();
      process.stop();
      assertThat(Main.execute("health", address)).isEqualTo(1);
    }
  }

  @Test
  void theServerRunsWithRoles() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    try (JavaProcess server =
        JavaProcess.mooring(
            "apiserver", "--authorization-mode=RBAC", "--write-kubeconfig=" + kubeconfig)) {
      String ready = server.awaitLine(line -> line.startsWith("ready at "));
      server.awaitLine(line -> line.startsWith("kubeconfig: "));
      assertThat(Files.readString(kubeconfig)).contains("token:");
      assertThat(Api.of(kubeconfig).list("Node")).isEmpty();
      Api nobody = new Api(ready.substring("ready at ".length()), "");
      assertThatThrownBy(() -> nobody.list("Node")).hasMessageContaining("403");
    }
  }
}
