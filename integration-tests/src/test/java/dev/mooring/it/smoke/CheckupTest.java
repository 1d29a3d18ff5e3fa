package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code mooring doctor} without a driver. */
@Timeout(300)
class CheckupTest {
  @TempDir private Path folder;
  private RestrictedServer granted;
  private RestApi api;
  private Path admin;

  private record Answer(int code, List<String> output) {
    /** Returns the row of a check with the lines that continue it. */
    String row(String check) {
      StringBuilder row = new StringBuilder();
      for (String line : output) {
        boolean begins = line.startsWith(check + " ");
        boolean continues = !row.isEmpty() && line.startsWith(" ");
        if (begins || continues) {
          row.append(line.strip()).append(' ');
        } else if (!row.isEmpty()) {
          break;
        }
      }
      return row.toString().replaceAll(" +", " ");
    }
  }

  @BeforeEach
  void start() throws Exception {
    granted = RestrictedServer.start(folder);
    api = granted.admin();
    admin = Files.writeString(folder.resolve("admin"), granted.server().kubeconfig());
  }

  @AfterEach
  void stop() throws Exception {
    granted.close();
  }

  private void create(String json) throws Exception {
    api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private static Answer doctor(Path kubeconfig, String... more) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of("doctor", "--kubeconfig=" + kubeconfig, "--plugins=" + Resources.plugins()));
    args.addAll(List.of(more));
    try (JavaProcess process = JavaProcess.mooring(args.toArray(String[]::new))) {
      return new Answer(process.exitCode(), process.output());
    }
  }

  private void cls(String name, String provisioner, boolean isDefault) throws Exception {
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "%s",
         "metadata": {"name": "%s", "annotations": {"storageclass.kubernetes.io/is-default-class": "%s"}}}
        """
            .formatted(provisioner, name, isDefault));
  }

  @Test
  void healthyCluster_everyCheck_isOk() throws Exception {
    cls("standard", "kubernetes.io/host-path", true);
    create(
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "kube-controller-manager", "namespace": "kube-system"},
         "spec": {"holderIdentity": "cp-1_x", "leaseDurationSeconds": 60, "renewTime": "%s"}}
        """
            .formatted(Instant.now().toString().replaceAll("\\..*|Z", "") + ".000001Z"));
    Answer answer = doctor(admin);
    assertThat(answer.code()).as(answer.output().toString()).isZero();
    assertThat(answer.output())
        .noneMatch(line -> line.contains(" warn ") || line.contains(" fail "));
    assertThat(answer.row("binders")).contains("kube-controller-manager cp-1_x may bind");
    assertThat(answer.row("provisioners")).contains("kubernetes.io/host-path");
    assertThat(answer.output().getLast()).endsWith("0 warn, 0 fail");
    assertThat(answer.output()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void faults_ofAnyCheck_areListedWithRemedies() throws Exception {
    cls("one", "nobody.example.com", true);
    cls("two", "csi.example.com", true);
    create(
        "{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"CSIDriver\", \"metadata\": {\"name\": \"csi.example.com\"}, \"spec\": {}}");
    Answer answer = doctor(admin);
    assertThat(answer.row("binders")).contains("warn no active binder", "--mode=replace");
    assertThat(answer.row("default class")).contains("warn one, two are all", "-> remove");
    assertThat(answer.output())
        .anyMatch(line -> line.matches("provisioners +warn +nobody.example.com of class one.*"));
    assertThat(answer.row("CSI drivers")).contains("csi.example.com is registered on no node");
    assertThat(answer.code()).as("warnings only").isZero();
  }

  @Test
  void missingRights_areNamed() throws Exception {
    Path kubeconfig =
        granted.kubeconfig(
            folder,
            List.of("--mode=beside"),
            right -> right.target().resource().equals("storageclasses"));
    Answer answer = doctor(kubeconfig);
    assertThat(answer.row("rights"))
        .contains("warn", "list storageclasses.storage.k8s.io", "mooring rights --mode=beside");
    assertThat(answer.output()).anyMatch(line -> line.contains("not checked: cannot list"));
  }

  @Test
  void server_unreachable_failsWithOneRow() throws Exception {
    granted.close();
    Answer answer = doctor(admin);
    assertThat(answer.code()).isEqualTo(3);
    assertThat(answer.row("server")).contains("fail", "cannot be reached");
    granted = RestrictedServer.start(folder);
  }

  @Test
  void mend_withoutDriver_isRejected() throws Exception {
    Answer answer = doctor(admin, "--mend");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.output().getFirst()).contains("--csi-endpoint");
  }
}
