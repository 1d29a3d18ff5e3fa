package dev.mooring.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.it.kubectl.Kubectl.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the embedded server through kubectl with validation enabled. Uses the kubectl named by
 * {@code -Dmooring.kubectl}, else the one on PATH.
 */
class KubectlTest {
  private static final String VOLUME =
      """
      apiVersion: v1
      kind: PersistentVolume
      metadata: {name: disk}
      spec:
        capacity: {storage: 1Gi}
        accessModes: [ReadWriteOnce]
        nfs: {server: filer, path: /disk}
      """;
  private static final String CLAIM =
      """
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: ""
        resources: {requests: {storage: 1Gi}}
      """;

  @TempDir private Path folder;
  private ApiServer server;
  private Kubectl kubectl;

  @BeforeEach
  void startServer() throws IOException {
    Path program = Kubectl.findProgram().orElse(null);
    Assumptions.assumeTrue(
        program != null, "skipped: no kubectl on PATH and none named by -Dmooring.kubectl");
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    kubectl = Kubectl.configure(program, folder, server.kubeconfig());
  }

  @AfterEach
  void stopServer() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  private String runSuccessfully(String input, String... args)
      throws IOException, InterruptedException {
    Output result = kubectl.runWithInput(input, args);
    assertThat(result.exitCode()).as("%s\n%s", String.join(" ", args), result.text()).isZero();
    return result.text();
  }

  private String runSuccessfully(List<String> args) throws IOException, InterruptedException {
    return runSuccessfully("", args.toArray(String[]::new));
  }

  private String runSuccessfully(String command) throws IOException, InterruptedException {
    return runSuccessfully(List.of(command.split(" ")));
  }

  @Test
  void create_manifests_areShown() throws Exception {
    assertThat(runSuccessfully(VOLUME, "create", "-f", "-"))
        .contains("persistentvolume/disk created");
    assertThat(runSuccessfully(CLAIM, "create", "-f", "-"))
        .contains("persistentvolumeclaim/data created");
    assertThat(runSuccessfully("get pv"))
        .contains("NAME", "CAPACITY", "RECLAIM POLICY", "disk", "1Gi", "RWO", "Retain");
    assertThat(runSuccessfully("get pvc -o yaml"))
        .contains("kind: List", "storage: 1Gi", "name: data");
    assertThat(runSuccessfully("get pvc data -o jsonpath={.spec.accessModes[0]}"))
        .isEqualTo("ReadWriteOnce");
    assertThat(runSuccessfully("describe pv disk"))
        .contains("Name:", "disk", "Server:", "filer", "Path:");
    assertThat(runSuccessfully("describe pvc data")).contains("Status:", "Pending", "Used By:");
    assertThat(kubectl.run("get", "pv", "no-such").text()).contains("NotFound", "no-such");
  }

  @Test
  void create_flags_createObjects() throws Exception {
    assertThat(runSuccessfully("create namespace lab")).contains("namespace/lab created");
    assertThat(runSuccessfully("create configmap settings --from-literal=a=1 -n lab"))
        .contains("created");
    assertThat(runSuccessfully("create secret generic key --from-literal=p=w")).contains("created");
    assertThat(runSuccessfully("get configmap settings -n lab -o jsonpath={.data.a}"))
        .isEqualTo("1");
  }

  @Test
  void apply_changedLabel_isMerged() throws Exception {
    assertThat(runSuccessfully(CLAIM, "apply", "-f", "-")).contains("created");
    assertThat(runSuccessfully(CLAIM, "apply", "-f", "-")).contains("unchanged");
    String labelledClaim = CLAIM.replace("{name: data}", "{name: data, labels: {tier: gold}}");
    Output diff = kubectl.runWithInput(labelledClaim, "diff", "-f", "-");
    assertThat(diff.exitCode()).as("%s", diff.text()).isEqualTo(1);
    assertThat(diff.text()).contains("+    tier: gold");
    assertThat(runSuccessfully(labelledClaim, "apply", "-f", "-")).contains("configured");
    assertThat(runSuccessfully("get pvc -l tier=gold -o name"))
        .contains("persistentvolumeclaim/data");
  }

  @Test
  void serverSideApply_changedCapacity_isMerged() throws Exception {
    assertThat(runSuccessfully(VOLUME, "apply", "--server-side", "-f", "-"))
        .contains("serverside-applied");
    String grownVolume = VOLUME.replace("1Gi", "2Gi");
    assertThat(runSuccessfully(grownVolume, "apply", "--server-side", "-f", "-"))
        .contains("serverside-applied");
    assertThat(runSuccessfully("get pv disk -o jsonpath={.spec.capacity.storage}"))
        .isEqualTo("2Gi");
  }

  @Test
  void create_unknownField_isRejected() throws Exception {
    Output result =
        kubectl.runWithInput(
            CLAIM.replace("storageClassName", "storageClasName"), "create", "-f", "-");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.text()).contains("unknown field").contains("storageClasName");
  }

  @Test
  void labelAnnotateAndPatch_claim_isChanged() throws Exception {
    runSuccessfully(CLAIM, "create", "-f", "-");
    assertThat(runSuccessfully("label pvc data tier=gold")).contains("labeled");
    assertThat(runSuccessfully("annotate pvc data note=x")).contains("annotated");
    runSuccessfully(
        List.of("patch", "pvc", "data", "-p", "{\"metadata\":{\"labels\":{\"tier\":\"iron\"}}}"));
    runSuccessfully(
        List.of(
            "patch",
            "pvc",
            "data",
            "--type=json",
            "-p",
            "[{\"op\":\"remove\",\"path\":\"/metadata/annotations/note\"}]"));
    runSuccessfully(
        List.of(
            "patch",
            "pvc",
            "data",
            "--type=merge",
            "--subresource=status",
            "-p",
            "{\"status\":{\"phase\":\"Lost\"}}"));
    assertThat(runSuccessfully("get pvc --show-labels")).contains("tier=iron").contains("Lost");
    assertThat(runSuccessfully("get pvc data -o yaml")).doesNotContain("note: x");
  }

  @Test
  void wait_phaseAndDeletion_ends() throws Exception {
    runSuccessfully(VOLUME, "create", "-f", "-");
    Process phaseWait =
        kubectl.start("wait", "pv/disk", "--for=jsonpath={.status.phase}=Available");
    runSuccessfully(
        List.of(
            "patch",
            "pv",
            "disk",
            "--type=merge",
            "--subresource=status",
            "-p",
            "{\"status\":{\"phase\":\"Available\"}}"));
    assertThat(phaseWait.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(phaseWait.exitValue()).isZero();
    Process deletionWait = kubectl.start("wait", "pv/disk", "--for=delete", "--timeout=30s");
    runSuccessfully(
        List.of(
            "patch", "pv", "disk", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}"));
    runSuccessfully("delete pv disk --wait=false");
    assertThat(deletionWait.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(deletionWait.exitValue()).isZero();
  }

  @Test
  void rolloutStatus_deploymentWithFinalStatus_ends() throws Exception {
    runSuccessfully("create deployment web --image=i");
    Process rollout = kubectl.start("rollout", "status", "deployment/web", "--timeout=60s");
    runSuccessfully(
        List.of(
            "patch",
            "deployment",
            "web",
            "--type=merge",
            "--subresource=status",
            "-p",
            "{\"status\":{\"observedGeneration\":1,\"replicas\":1,\"updatedReplicas\":1,"
                + "\"readyReplicas\":1,\"availableReplicas\":1}}"));
    assertThat(rollout.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(rollout.exitValue()).isZero();
  }

  @Test
  void logsExecAttach_pod_areRefusedWithReason() throws Exception {
    runSuccessfully("run p --image=i");
    for (String command : List.of("logs p", "exec p -- ls", "attach p")) {
      Output output = kubectl.run(command.split(" "));
      assertThat(output.exitCode()).as(command).isEqualTo(1);
      assertThat(output.text())
          .contains("is not supported: the embedded API server runs no containers");
    }
  }

  @Test
  void delete_claimWithFinalizer_waitsForRemoval() throws Exception {
    runSuccessfully(CLAIM, "create", "-f", "-");
    Process deletion = kubectl.start("delete", "pvc", "data");
    Process watch = kubectl.start("get", "pvc", "data", "--watch", "-o", "name");
    runSuccessfully(
        List.of(
            "patch", "pvc", "data", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}"));
    assertThat(deletion.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(deletion.exitValue()).isZero();
    watch.destroy();
    assertThat(kubectl.run("get", "pvc", "data").text()).contains("NotFound");
  }

  @Test
  void watch_changedPhase_isPrinted() throws Exception {
    runSuccessfully(VOLUME, "create", "-f", "-");
    Process watch = kubectl.start("get", "pv", "--watch");
    try (BufferedReader lines = watch.inputReader(StandardCharsets.UTF_8)) {
      List<String> printedLines = new ArrayList<>();
      while (printedLines.stream().noneMatch(line -> line.startsWith("disk"))) {
        printedLines.add(lines.readLine());
      }
      runSuccessfully(
          List.of(
              "patch",
              "pv",
              "disk",
              "--type=merge",
              "--subresource=status",
              "-p",
              "{\"status\":{\"phase\":\"Available\"}}"));
      String line = lines.readLine();
      assertThat(line).startsWith("disk").contains("Available");
    } finally {
      watch.destroy();
    }
  }

  @Test
  void eventsAndDescribe_claimWithEvent_showEvent() throws Exception {
    runSuccessfully(CLAIM, "create", "-f", "-");
    String uid = runSuccessfully("get pvc data -o jsonpath={.metadata.uid}");
    runSuccessfully(
        """
        apiVersion: v1
        kind: Event
        metadata: {name: data.1, namespace: default}
        involvedObject: {apiVersion: v1, kind: PersistentVolumeClaim, name: data, namespace: default, uid: %s}
        reason: FailedBinding
        message: no volume fits
        type: Normal
        source: {component: tester}
        firstTimestamp: "2026-01-01T00:00:00Z"
        lastTimestamp: "2026-01-01T00:00:00Z"
        count: 1
        """
            .formatted(uid),
        "create",
        "-f",
        "-");
    assertThat(runSuccessfully("events")).contains("FailedBinding", "no volume fits");
    assertThat(runSuccessfully("describe pvc data")).contains("FailedBinding");
  }

  @Test
  void discovery_repeatedWithCache_findsSameResources() throws Exception {
    String resources = runSuccessfully("api-resources -o name");
    assertThat(resources).contains("persistentvolumes\n", "storageclasses.storage.k8s.io\n");
    for (int i = 0; i < 2; i++) { // kubectl revalidates its cached discovery
      assertThat(runSuccessfully("api-resources -o name")).isEqualTo(resources);
      assertThat(runSuccessfully(VOLUME, "apply", "-f", "-")).contains("persistentvolume/disk");
      assertThat(runSuccessfully("get pv -o name")).isEqualTo("persistentvolume/disk\n");
    }
  }

  @Test
  void discovery_newDefinitionWithCache_findsNewResource() throws Exception {
    runSuccessfully("api-resources -o name");
    SnapshotResources.install(server.handlers());
    assertThat(runSuccessfully("api-resources --api-group=snapshot.storage.k8s.io -o name"))
        .contains("volumesnapshots.snapshot.storage.k8s.io");
    assertThat(runSuccessfully("get volumesnapshots")).contains("No resources found");
    assertThat(runSuccessfully("explain volumesnapshot.spec.source"))
        .contains("persistentVolumeClaimName");
  }

  @Test
  void explain_builtInKinds_listsFields() throws Exception {
    assertThat(runSuccessfully("explain pv.spec.nfs"))
        .contains("server\t<string>", "readOnly\t<boolean>");
    assertThat(runSuccessfully("explain deployment.spec.template.spec.containers --recursive"))
        .contains("containerPort\t<integer>");
    assertThat(runSuccessfully("explain storageclass"))
        .contains("GROUP:      storage.k8s.io", "provisioner\t<string> -required-");
  }

  @Test
  void getAll_workloads_areListed() throws Exception {
    runSuccessfully("create service clusterip web --tcp=80:8080");
    runSuccessfully("create deployment web --image=i");
    runSuccessfully("create cronjob nightly --image=i --schedule=@daily");
    runSuccessfully("create job once --from=cronjob/nightly");
    assertThat(runSuccessfully("get all"))
        .contains("service/web", "deployment.apps/web", "cronjob.batch/nightly", "job.batch/once");
    assertThat(runSuccessfully("describe job once")).contains("CronJob/nightly");
  }

  @Test
  void create_accessReview_isAnswered() throws Exception {
    assertThat(runSuccessfully("explain selfsubjectaccessreview.spec"))
        .contains("resourceAttributes");
    assertThat(
            runSuccessfully(
                """
                apiVersion: authorization.k8s.io/v1
                kind: SelfSubjectAccessReview
                spec: {resourceAttributes: {verb: get, resource: pods}}
                """,
                "create",
                "-o",
                "jsonpath={.status.allowed}",
                "-f",
                "-"))
        .isEqualTo("true");
  }

  @Test
  void apply_deploymentWithAddedEnv_mergesContainers() throws Exception {
    String deployment =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers:
              - {name: one, image: "i:1"}
              - {name: two, image: "i:1"}
        """;
    runSuccessfully(deployment, "apply", "-f", "-");
    runSuccessfully("set env deployment/web -c one ADDED=here");
    runSuccessfully(
        deployment.replace("{name: two, image: \"i:1\"}", "{name: two, image: \"i:2\"}"),
        "apply",
        "-f",
        "-");
    String containers = "get deployment web -o jsonpath={.spec.template.spec.containers[*].";
    assertThat(runSuccessfully(containers + "image}")).isEqualTo("i:1 i:2");
    assertThat(runSuccessfully(containers + "env[*].name}")).isEqualTo("ADDED");
  }

  @Test
  void getAndDescribe_policyAndService_showColumns() throws Exception {
    runSuccessfully(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: none}
        spec: {maxUnavailable: 0, selector: {}}
        """,
        "apply",
        "-f",
        "-");
    runSuccessfully("create service clusterip web --tcp=80:8080");
    assertThat(runSuccessfully("get pdb,svc"))
        .contains("MAX UNAVAILABLE", "ALLOWED DISRUPTIONS", "CLUSTER-IP", "80/TCP");
    assertThat(runSuccessfully("describe service web")).contains("TargetPort:", "8080/TCP");
    assertThat(runSuccessfully("describe pdb none")).contains("Max unavailable:", "0");
  }
}
