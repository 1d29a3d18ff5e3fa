package dev.mooring.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.marcnuri.helm.Helm;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.simulate.ControllerSimulator;
import dev.mooring.apiserver.simulate.SimulatedController;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.CommandResult;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Follows an operator: checks the state as README says, moves from kube-controller-manager as
 * docs/migrate-from-kcm.md says, and returns. The pages give every command.
 */
@Isolated("replaces the standard streams")
class OperatorGuideTest {
  private static final String ADMIN = "admin-token";
  private static final String NAMESPACE = "mooring";
  private static final Pattern LOOK =
      Pattern.compile("(?m)^\\./mooring (explain -A|doctor) --kube");
  private static final Pattern CHECK = Pattern.compile("`mooring ((?:rights|explain) [^`]+)`");
  private static final Pattern LEFT_TO_MOORING = Pattern.compile("--controllers=(\\*,-[a-z,-]+)");
  private static final Pattern UNINSTALL = Pattern.compile("`mooring (uninstall[^`]*)`");
  private static final int SOMETHING_WAITS = 3;
  private static final Pattern REMEDY = Pattern.compile("--controllers=\\*,[a-z,-]+");

  @TempDir private Path folder;
  private ApiServer server;
  private ControllerSimulator workloads;
  private RestApi api;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "skipped: the Helm library supports Linux on amd64 only");
    server = ApiServer.start(new ApiServer.ServerOptions(0, ADMIN, null).withTls());
    workloads =
        ControllerSimulator.start(
            server.handlers(),
            Set.of(SimulatedController.DEPLOYMENTS, SimulatedController.GARBAGE_COLLECTION),
            "");
    kubeconfig = Files.writeString(folder.resolve("admin.kubeconfig"), server.kubeconfig());
    api = RestApi.of(kubeconfig);
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      workloads.close();
      server.close();
    }
  }

  private static String read(String page) throws IOException {
    return Files.readString(DocumentedCommand.ROOT.resolve(page));
  }

  private static List<String> findAll(Pattern pattern, String text) {
    List<String> found =
        pattern.matcher(text).results().map(match -> match.group(1)).distinct().toList();
    assertThat(found).as(pattern.toString()).isNotEmpty();
    return found;
  }

  private void create(String json) throws Exception {
    api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private void createVolume(String name) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"},
         "spec": {"capacity": {"storage": "2Gi"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "s", "path": "/p"}}}
        """
            .formatted(name));
  }

  private void createClaim(String name) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "namespace": "default"},
         "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name));
  }

  /** Creates the Lease and the static pod of kube-controller-manager. */
  private void createKubernetesManager() throws Exception {
    create(
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "kube-controller-manager", "namespace": "kube-system"},
         "spec": {"holderIdentity": "cp-1_uid", "leaseDurationSeconds": 3600, "renewTime": "%s.000001Z"}}
        """
            .formatted(Instant.now().toString().substring(0, 19)));
    createKubernetesPod("*,bootstrapsigner,tokencleaner");
  }

  private void createKubernetesPod(String controllers) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "kube-controller-manager-cp-1", "namespace": "kube-system"},
         "spec": {"containers": [{"name": "kube-controller-manager", "image": "registry.k8s.io/kube-controller-manager:v1.36.2",
                                  "command": ["kube-controller-manager", "--leader-elect=true", "--controllers=%s"]}]}}
        """
            .formatted(controllers));
  }

  private CommandResult runMooring(String command, String... more) {
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    args.addAll(List.of(more));
    return CommandResult.ofCommand(args.toArray(String[]::new));
  }

  private String runAsAdmin(String command) {
    CommandResult result = runMooring(command, "--kubeconfig=" + kubeconfig);
    assertThat(result.code()).as(command + ": " + result.output()).isZero();
    return result.output();
  }

  /** Runs a page's command {@code helm install}. */
  private void installChart(String page) throws Exception {
    DocumentedCommand command =
        DocumentedCommand.of(DocumentedCommand.ROOT.resolve(page)).stream()
            .filter(c -> c.words().subList(0, 2).equals(List.of("helm", "install")))
            .findFirst()
            .orElseThrow();
    Iterator<String> words = command.words().subList(2, command.words().size()).iterator();
    String release = words.next();
    var install =
        new Helm(DocumentedCommand.ROOT.resolve(words.next()))
            .install()
            .withName(release)
            .withKubeConfig(kubeconfig);
    while (words.hasNext()) {
      String flag = words.next();
      install =
          switch (flag) {
            case "--namespace" -> install.withNamespace(words.next());
            case "--create-namespace" -> install.createNamespace();
            case "--set" -> {
              String[] value = words.next().split("=", 2);
              yield install.set(value[0], value[1]);
            }
            default -> throw new AssertionError("flag of helm install: " + flag);
          };
    }
    assertThat(install.call().getStatus()).isEqualTo("deployed");
  }

  private JsonObject podSpec() {
    ResourceType deployments =
        server.handlers().findType("apps", "v1", "deployments").orElseThrow();
    List<StoredObject> found =
        server.handlers().store(deployments).list(NAMESPACE).objects().stream().toList();
    assertThat(found).hasSize(1);
    return found
        .getFirst()
        .copy()
        .getAsJsonObject("spec")
        .getAsJsonObject("template")
        .getAsJsonObject("spec");
  }

  private List<JsonObject> pods() throws Exception {
    return api.list("Pod").stream()
        .filter(
            pod -> pod.getAsJsonObject("metadata").get("namespace").getAsString().equals(NAMESPACE))
        .toList();
  }

  /** Starts the container of the installed Deployment with the token of its ServiceAccount. */
  private JavaProcess startContainer() throws Exception {
    JsonObject pod = podSpec();
    JsonObject token =
        api.post(
            "/api/v1/namespaces/%s/serviceaccounts/%s/token"
                .formatted(NAMESPACE, pod.get("serviceAccountName").getAsString()),
            JsonParser.parseString(
                    "{\"kind\":\"TokenRequest\",\"apiVersion\":\"authentication.k8s.io/v1\",\"spec\":{}}")
                .getAsJsonObject());
    Path config =
        Files.writeString(
            folder.resolve("account.kubeconfig"),
            server
                .kubeconfig()
                .replace(ADMIN, token.getAsJsonObject("status").get("token").getAsString()));
    JsonArray declared =
        pod.getAsJsonArray("containers").get(0).getAsJsonObject().getAsJsonArray("args");
    List<String> args = new ArrayList<>();
    for (JsonElement arg : declared) {
      args.add(arg.getAsString());
    }
    assertThat(args).startsWith("run", "--mode=replace");
    args.add("--kubeconfig=" + config);
    args.add("--plugins=" + Resources.plugins());
    args.add("--endpoints=127.0.0.1:0");
    return JavaProcess.startMooring(args.toArray(String[]::new));
  }

  private boolean isBound(String claim) throws Exception {
    return api.get("PersistentVolumeClaim", "default", claim)
        .getAsJsonObject("status")
        .get("phase")
        .getAsString()
        .equals("Bound");
  }

  @Test
  void readme_commandsThatOnlyRead_describeClusterAndWriteNothing() throws Exception {
    createKubernetesManager();
    createClaim("data");
    String revision = api.revision();
    List<String> commands = findAll(LOOK, read("README.md"));
    assertThat(commands).containsExactly("explain -A", "doctor");

    CommandResult waiting = runMooring("explain -A", "--kubeconfig=" + kubeconfig);
    assertThat(waiting.code()).isEqualTo(SOMETHING_WAITS);
    assertThat(waiting.output()).contains("pvc/data in namespace default", "NoVolume");
    CommandResult doctor = runMooring("doctor", "--kubeconfig=" + kubeconfig);
    assertThat(doctor.output()).contains("kube-controller-manager");
    assertThat(api.revision()).isEqualTo(revision);
  }

  @Test
  void migration_stepsOfPage_moveToMooringAndBack() throws Exception {
    String page = read("docs/migrate-from-kcm.md");
    createKubernetesManager();

    // Steps 1 and 2
    List<String> checks = findAll(CHECK, page.substring(0, page.indexOf("3. Restart")));
    assertThat(checks).containsExactly("rights --mode=replace -o table", "explain -A");
    assertThat(runMooring(checks.get(0)).output()).contains("persistentvolumeclaims");
    assertThat(runAsAdmin(checks.get(1))).contains("0 of 1 objects are waiting");

    // Step 4 before step 3
    CommandResult early =
        runMooring("run --mode=replace --endpoints=off", "--kubeconfig=" + kubeconfig);
    assertThat(early.code()).isEqualTo(1);
    Matcher remedy = REMEDY.matcher(early.output());
    assertThat(remedy.find()).as(early.output()).isTrue();
    assertThat(page).contains(remedy.group());

    // Step 3
    api.delete("Pod", "kube-system", "kube-controller-manager-cp-1", 0);
    createKubernetesPod(findAll(LEFT_TO_MOORING, page).getFirst());

    // Step 4
    installChart("docs/migrate-from-kcm.md");
    TestWait.until("the Deployment's pods exist", () -> pods().size() == 2);
    try (JavaProcess mooring = startContainer()) {
      mooring.awaitLine(line -> line.contains("running "));

      // Step 5
      createVolume("disk-1");
      createClaim("data");
      TestWait.until("claim is bound", () -> isBound("data"));
      assertThat(runAsAdmin("explain pvc/data")).contains("Bound");
      assertThat(mooring.output()).noneMatch(line -> line.contains("forbidden"));

      // Back, step 1
      Helm.uninstall("mooring").withNamespace(NAMESPACE).withKubeConfig(kubeconfig).call();
      TestWait.until("the pods are gone", () -> pods().isEmpty());
      assertThat(mooring.stop()).as("Lease is released").isEqualTo(143);
    }

    // Back, step 2
    List<String> removals = findAll(UNINSTALL, page);
    assertThat(removals).containsExactly("uninstall", "uninstall --yes");
    removals.forEach(this::runAsAdmin);
    assertThat(runAsAdmin("uninstall")).contains("nothing");
    assertThat(isBound("data")).isTrue();
  }
}
