package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.it.CommandResult;
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
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code mooring doctor} without a driver. */
class CheckupTest {
  @TempDir private Path folder;
  private RestrictedServer server;
  private RestApi api;
  private Path admin;

  private record DoctorResult(int code, List<String> output) {
    /** Returns the row of a check, which may be several lines, as one line. */
    String row(String check) {
      StringBuilder row = new StringBuilder();
      for (String line : output) {
        boolean isFirstLine = line.startsWith(check + " ");
        boolean isContinuation = !row.isEmpty() && line.startsWith(" ");
        if (isFirstLine || isContinuation) {
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
    server = RestrictedServer.start(folder);
    api = server.admin();
    admin = Files.writeString(folder.resolve("admin"), server.server().kubeconfig());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void create(String json) throws Exception {
    api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private static DoctorResult runDoctor(Path kubeconfig, String... options) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of("doctor", "--kubeconfig=" + kubeconfig, "--plugins=" + Resources.plugins()));
    args.addAll(List.of(options));
    CommandResult result = CommandResult.ofCommand(args.toArray(String[]::new));
    return new DoctorResult(result.code(), result.lines());
  }

  private void createClass(String name, String provisioner, boolean isDefault) throws Exception {
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "%s",
         "metadata": {"name": "%s", "annotations": {"storageclass.kubernetes.io/is-default-class": "%s"}}}
        """
            .formatted(provisioner, name, isDefault));
  }

  @Test
  void healthyCluster_everyCheck_isOk() throws Exception {
    createClass("standard", "kubernetes.io/host-path", true);
    create(
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "kube-controller-manager", "namespace": "kube-system"},
         "spec": {"holderIdentity": "cp-1_x", "leaseDurationSeconds": 60, "renewTime": "%s"}}
        """
            .formatted(Instant.now().toString().replaceAll("\\..*|Z", "") + ".000001Z"));
    DoctorResult result = runDoctor(admin);
    assertThat(result.code()).as(result.output().toString()).isZero();
    assertThat(result.output())
        .noneMatch(line -> line.contains(" warn ") || line.contains(" fail "));
    assertThat(result.row("binders")).contains("kube-controller-manager cp-1_x may bind");
    assertThat(result.row("provisioners")).contains("kubernetes.io/host-path");
    assertThat(result.output().getLast()).endsWith("0 warn, 0 fail");
    assertThat(result.output()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void doctor_faultyObjects_listsWarningsWithRemedies() throws Exception {
    createClass("one", "unserved.example.com", true);
    createClass("two", "csi.example.com", true);
    create(
        "{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"CSIDriver\", \"metadata\": {\"name\": \"csi.example.com\"}, \"spec\": {}}");
    DoctorResult result = runDoctor(admin);
    assertThat(result.row("binders")).contains("warn no active binder", "--mode=replace");
    assertThat(result.row("default class")).contains("warn one, two are all", "-> remove");
    assertThat(result.output())
        .anyMatch(line -> line.matches("provisioners +warn +unserved.example.com of class one.*"));
    assertThat(result.row("CSI drivers")).contains("csi.example.com is registered on no node");
    assertThat(result.code()).as("warnings only").isZero();
  }

  @Test
  void doctor_missingRight_isNamed() throws Exception {
    Path kubeconfig =
        server.kubeconfig(
            folder,
            List.of("--mode=beside"),
            right -> right.target().resource().equals("storageclasses"));
    DoctorResult result = runDoctor(kubeconfig);
    assertThat(result.row("rights"))
        .contains("warn", "list storageclasses.storage.k8s.io", "mooring rights --mode=beside");
    assertThat(result.output()).anyMatch(line -> line.contains("not checked: cannot list"));
  }

  @Test
  void doctor_unreachableServer_reportsFailure() throws Exception {
    server.close();
    DoctorResult result = runDoctor(admin);
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.row("server")).contains("fail", "cannot be reached");
    server = RestrictedServer.start(folder);
  }

  @Test
  void mend_withoutDriver_isRejected() throws Exception {
    DoctorResult result = runDoctor(admin, "--mend");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.output().getFirst()).contains("--csi-endpoint");
  }
}
