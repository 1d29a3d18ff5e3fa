package dev.mooring.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.it.kubectl.Kubectl.Answer;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the embedded server through kubectl with validation enabled. Uses the kubectl named by
 * {@code -Dmooring.kubectl}, else the one on PATH.
 */
@Timeout(300)
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
  void start() throws IOException {
    Path program = Kubectl.find().orElse(null);
    Assumptions.assumeTrue(
        program != null, "skipped: no kubectl on PATH and none named by -Dmooring.kubectl");
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    kubectl = Kubectl.of(program, folder, server.kubeconfig());
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  private String ok(String input, String... args) throws IOException, InterruptedException {
    Answer answer = kubectl.with(input, args);
    assertThat(answer.code()).as("%s\n%s", String.join(" ", args), answer.out()).isZero();
    return answer.out();
  }

  private String ok(List<String> args) throws IOException, InterruptedException {
    return ok("", args.toArray(String[]::new));
  }

  private String ok(String command) throws IOException, InterruptedException {
    return ok(List.of(command.split(" ")));
  }

  @Test
  void create_manifest_isShown() throws Exception {
    assertThat(ok(VOLUME, "create", "-f", "-")).contains("persistentvolume/disk created");
    assertThat(ok(CLAIM, "create", "-f", "-")).contains("persistentvolumeclaim/data created");
    assertThat(ok("get pv"))
        .contains("NAME", "CAPACITY", "RECLAIM POLICY", "disk", "1Gi", "RWO", "Retain");
    assertThat(ok("get pvc -o yaml")).contains("kind: List", "storage: 1Gi", "name: data");
    assertThat(ok("get pvc data -o jsonpath={.spec.accessModes[0]}")).isEqualTo("ReadWriteOnce");
    assertThat(ok("describe pv disk")).contains("Name:", "disk", "Server:", "filer", "Path:");
    assertThat(ok("describe pvc data")).contains("Status:", "Pending", "Used By:");
    assertThat(kubectl.run("get", "pv", "no-such").out()).contains("NotFound", "no-such");
  }

  @Test
  void create_flags_isShown() throws Exception {
    assertThat(ok("create namespace lab")).contains("namespace/lab created");
    assertThat(ok("create configmap settings --from-literal=a=1 -n lab")).contains("created");
    assertThat(ok("create secret generic key --from-literal=p=w")).contains("created");
    assertThat(ok("get configmap settings -n lab -o jsonpath={.data.a}")).isEqualTo("1");
  }

  @Test
  void apply_clientSide_mergesFields() throws Exception {
    assertThat(ok(CLAIM, "apply", "-f", "-")).contains("created");
    assertThat(ok(CLAIM, "apply", "-f", "-")).contains("unchanged");
    String labelled = CLAIM.replace("{name: data}", "{name: data, labels: {tier: gold}}");
    Answer difference = kubectl.with(labelled, "diff", "-f", "-");
    assertThat(difference.code()).as("%s", difference.out()).isEqualTo(1);
    assertThat(difference.out()).contains("+    tier: gold");
    assertThat(ok(labelled, "apply", "-f", "-")).contains("configured");
    assertThat(ok("get pvc -l tier=gold -o name")).contains("persistentvolumeclaim/data");
  }

  @Test
  void apply_serverSide_mergesFields() throws Exception {
    assertThat(ok(VOLUME, "apply", "--server-side", "-f", "-")).contains("serverside-applied");
    String grown = VOLUME.replace("1Gi", "2Gi");
    assertThat(ok(grown, "apply", "--server-side", "-f", "-")).contains("serverside-applied");
    assertThat(ok("get pv disk -o jsonpath={.spec.capacity.storage}")).isEqualTo("2Gi");
  }

  @Test
  void create_unknownField_isRejected() throws Exception {
    Answer answer =
        kubectl.with(CLAIM.replace("storageClassName", "storageClasName"), "create", "-f", "-");
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.out()).contains("unknown field").contains("storageClasName");
  }

  @Test
  void patchAndLabel_object_isChanged() throws Exception {
    ok(CLAIM, "create", "-f", "-");
    assertThat(ok("label pvc data tier=gold")).contains("labeled");
    assertThat(ok("annotate pvc data note=x")).contains("annotated");
    ok(List.of("patch", "pvc", "data", "-p", "{\"metadata\":{\"labels\":{\"tier\":\"iron\"}}}"));
    ok(
        List.of(
            "patch",
            "pvc",
            "data",
            "--type=json",
            "-p",
            "[{\"op\":\"remove\",\"path\":\"/metadata/annotations/note\"}]"));
    ok(
        List.of(
            "patch",
            "pvc",
            "data",
            "--type=merge",
            "--subresource=status",
            "-p",
            "{\"status\":{\"phase\":\"Lost\"}}"));
    assertThat(ok("get pvc --show-labels")).contains("tier=iron").contains("Lost");
    assertThat(ok("get pvc data -o yaml")).doesNotContain("note: x");
  }

  @Test
  void wait_conditionAndDeletion_ends() throws Exception {
    ok(VOLUME, "create", "-f", "-");
    Process waiting = kubectl.start("wait", "pv/disk", "--for=jsonpath={.status.phase}=Available");
    ok(
        List.of(
            "patch",
            "pv",
            "disk",
            "--type=merge",
            "--subresource=status",
            "-p",
            "{\"status\":{\"phase\":\"Available\"}}"));
    assertThat(waiting.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(waiting.exitValue()).isZero();
    Process deletion = kubectl.start("wait", "pv/disk", "--for=delete", "--timeout=30s");
    ok(
        List.of(
            "patch", "pv", "disk", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}"));
    ok("delete pv disk --wait=false");
    assertThat(deletion.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(deletion.exitValue()).isZero();
  }

  @Test
  void delete_finalizer_waitsForRemoval() throws Exception {
    ok(CLAIM, "create", "-f", "-");
    Process deleting = kubectl.start("delete", "pvc", "data");
    Process watching = kubectl.start("get", "pvc", "data", "--watch", "-o", "name");
    ok(
        List.of(
            "patch", "pvc", "data", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}"));
    assertThat(deleting.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(deleting.exitValue()).isZero();
    watching.destroy();
    assertThat(kubectl.run("get", "pvc", "data").out()).contains("NotFound");
  }

  @Test
  void get_watch_printsChanges() throws Exception {
    ok(VOLUME, "create", "-f", "-");
    Process watching = kubectl.start("get", "pv", "--watch");
    try (BufferedReader lines = watching.inputReader(StandardCharsets.UTF_8)) {
      List<String> seen = new ArrayList<>();
      while (seen.stream().noneMatch(l -> l.startsWith("disk"))) {
        seen.add(lines.readLine());
      }
      ok(
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
      watching.destroy();
    }
  }

  @Test
  void describe_object_showsEvents() throws Exception {
    ok(CLAIM, "create", "-f", "-");
    String uid = ok("get pvc data -o jsonpath={.metadata.uid}");
    ok(
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
    assertThat(ok("events")).contains("FailedBinding", "no volume fits");
    assertThat(ok("describe pvc data")).contains("FailedBinding");
  }

  @Test
  void discovery_warmCache_findsEveryResource() throws Exception {
    String cold = ok("api-resources -o name");
    assertThat(cold).contains("persistentvolumes\n", "storageclasses.storage.k8s.io\n");
    for (int i = 0; i < 2; i++) { // revalidates its cached copy
      assertThat(ok("api-resources -o name")).isEqualTo(cold);
      assertThat(ok(VOLUME, "apply", "-f", "-")).contains("persistentvolume/disk");
      assertThat(ok("get pv -o name")).isEqualTo("persistentvolume/disk\n");
    }
  }

  @Test
  void discovery_warmCacheAndNewDefinition_findsItToo() throws Exception {
    ok("api-resources -o name");
    SnapshotResources.install(server.handlers());
    assertThat(ok("api-resources --api-group=snapshot.storage.k8s.io -o name"))
        .contains("volumesnapshots.snapshot.storage.k8s.io");
    assertThat(ok("get volumesnapshots")).contains("No resources found");
    assertThat(ok("explain volumesnapshot.spec.source")).contains("persistentVolumeClaimName");
  }

  @Test
  void explain_anyKind_listsItsFields() throws Exception {
    assertThat(ok("explain pv.spec.nfs")).contains("server\t<string>", "readOnly\t<boolean>");
    assertThat(ok("explain deployment.spec.template.spec.containers --recursive"))
        .contains("containerPort\t<integer>");
    assertThat(ok("explain storageclass")).contains("GROUP:      storage.k8s.io", "provisioner");
  }

  @Test
  void get_category_findsItsResources() throws Exception {
    ok("create service clusterip web --tcp=80:8080");
    ok("create deployment web --image=i");
    assertThat(ok("get all")).contains("service/web", "deployment.apps/web");
    assertThat(ok("explain selfsubjectaccessreview.spec")).contains("resourceAttributes");
    assertThat(
            ok(
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
  void apply_twiceWithADeployment_mergesItsLists() throws Exception {
    String set =
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
    ok(set, "apply", "-f", "-");
    ok("set env deployment/web -c one ADDED=here");
    ok(
        set.replace("{name: two, image: \"i:1\"}", "{name: two, image: \"i:2\"}"),
        "apply",
        "-f",
        "-");
    String containers = "get deployment web -o jsonpath={.spec.template.spec.containers[*].";
    assertThat(ok(containers + "image}")).isEqualTo("i:1 i:2");
    assertThat(ok(containers + "env[*].name}")).isEqualTo("ADDED");
  }

  @Test
  void policyAndService_created_areShownInTables() throws Exception {
    ok(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: none}
        spec: {maxUnavailable: 0, selector: {}}
        """,
        "apply",
        "-f",
        "-");
    ok("create service clusterip web --tcp=80:8080");
    assertThat(ok("get pdb,svc"))
        .contains("MAX UNAVAILABLE", "ALLOWED DISRUPTIONS", "CLUSTER-IP", "80/TCP");
    assertThat(ok("describe service web")).contains("TargetPort:", "8080/TCP");
    assertThat(ok("describe pdb none")).contains("Max unavailable:", "0");
  }
}
