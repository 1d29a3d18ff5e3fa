package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.CommandResult;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.yaml.snakeyaml.Yaml;

/** Moves a driver as docs/csi.md describes, with its commands, roles and flags. */
@Isolated("replaces the standard streams")
class CsiGuideTest {
  private static final String ADMIN = "admin-token";
  private static final String TOKEN = "driver-token";
  private static final String DRIVER = "hostpath.csi.k8s.io";
  private static final String SOCKET = "unix:///csi/csi.sock";

  private static final Pattern RIGHTS =
      Pattern.compile("(?s)mooring (rights --controllers=csi-bridge .*?) \\| kubectl apply -f -");

  private static final Pattern CONTAINER = Pattern.compile("(?s)args:\\n(.*?)volumeMounts");
  private static final Pattern ARGUMENT = Pattern.compile("(?m)^ +- (\\S+)$");
  private static final Pattern LOG = Pattern.compile("Check the log: `(.*?)`");
  private static final Pattern DOCTOR = Pattern.compile("(?m)^mooring (doctor --csi-endpoint .*)$");

  @TempDir private Path folder;
  private final String guide;

  CsiGuideTest() throws Exception {
    guide = Files.readString(Path.of("..", "docs", "csi.md"));
  }

  private static Matcher find(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    assertThat(found.find()).as(pattern.toString()).isTrue();
    return found;
  }

  private static String pathOf(JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    String version = object.get("apiVersion").getAsString();
    return (version.contains("/") ? "/apis/" : "/api/")
        + version
        + (metadata.has("namespace")
            ? "/namespaces/" + metadata.get("namespace").getAsString()
            : "")
        + "/"
        + object.get("kind").getAsString().toLowerCase(Locale.ROOT)
        + "s";
  }

  /** Prints the roles with the command of step 2 and creates them. */
  private void createRoles(CsiCluster cluster) throws Exception {
    String command = find(RIGHTS, guide).group(1).replaceAll("\\\\\\s+", "");
    CommandResult result = CommandResult.ofCommand(command.split(" +"));
    assertThat(result.code()).as(result.output()).isZero();
    RestApi admin = new RestApi(cluster.url(), ADMIN);
    admin.post(
        "/api/v1/namespaces",
        JsonParser.parseString("{'metadata': {'name': 'csi'}}").getAsJsonObject());
    for (Object document : new Yaml().loadAll(result.out())) {
      JsonObject object = JsonParser.parseString(new Gson().toJson(document)).getAsJsonObject();
      admin.post(pathOf(object), object);
    }
    cluster
        .server()
        .tokens()
        .accept(
            TOKEN,
            RequestUser.of(
                "system:serviceaccount:csi:mooring-csi",
                "",
                List.of("system:serviceaccounts", "system:authenticated")));
  }

  /** Starts the container of step 3. */
  private JavaProcess startContainer(CsiCluster cluster) throws Exception {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("driver.kubeconfig"),
            cluster.server().kubeconfig().replace(ADMIN, TOKEN));
    List<String> args = new ArrayList<>();
    Matcher argument = ARGUMENT.matcher(find(CONTAINER, guide).group(1));
    while (argument.find()) {
      args.add(argument.group(1).replace(SOCKET, "unix://" + cluster.socket()));
    }
    assertThat(args).startsWith("run").hasSizeGreaterThan(3);
    args.addAll(
        List.of(
            "--kubeconfig=" + kubeconfig,
            "--plugins=" + Resources.csiPlugins(),
            "--endpoints=127.0.0.1:0"));
    return JavaProcess.startMooring(args.toArray(String[]::new));
  }

  private static CommandResult runDoctor(String guide, CsiCluster cluster) {
    String command =
        find(DOCTOR, guide)
            .group(1)
            .replace("NAME=" + SOCKET, DRIVER + "=unix://" + cluster.socket());
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    args.addAll(
        List.of(
            "--kubeconfig=" + cluster.kubeconfig(),
            "--plugins=" + Resources.csiPlugins(),
            "--wait=100ms"));
    return CommandResult.ofCommand(args.toArray(String[]::new));
  }

  @Test
  void guide_stepsOfMove_bindClaimWithDocumentedRightsOnly() throws Exception {
    Settings settings =
        Settings.of(
            DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
            DriverCapability.LIST_VOLUMES,
            DriverCapability.LIST_VOLUMES_PUBLISHED_NODES);
    try (CsiCluster cluster =
            new CsiCluster(
                folder,
                1,
                new CsiCluster.RegisteredDriver(
                    DRIVER, number -> "id-" + number, number -> Map.of()),
                new ApiServer.ServerOptions(0, ADMIN, null));
        ReferenceDriver driver = cluster.startDriver(settings)) {
      createRoles(cluster);
      ControllerManager binder =
          RunFlags.manager(
              List.of(
                  "--endpoints=off",
                  "--leader-elect=false",
                  "--controllers=persistentvolume-binder-controller"),
              Resources.csiPlugins(),
              KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "test"));
      try (JavaProcess mooring = startContainer(cluster)) {
        binder.start();
        Matcher log = find(LOG, guide);
        mooring.awaitLine(line -> line.contains(log.group(1)) && line.contains("driver=" + DRIVER));
        cluster.createClaim("data", "now");
        cluster.await(
            "claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
        assertThat(mooring.output()).noneMatch(line -> line.contains("forbidden"));
        assertThat(driver.calls()).isNotEmpty();
        CommandResult differences = runDoctor(guide, cluster);
        assertThat(differences.code()).as(differences.output()).isZero();
        assertThat(differences.output()).contains("no differences");
      } finally {
        binder.stop();
      }
    }
  }
}
