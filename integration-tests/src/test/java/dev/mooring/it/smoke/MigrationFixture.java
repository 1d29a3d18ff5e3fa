package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.RestApi;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.Main;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with access to all objects, for the tests of migration guides. */
abstract class MigrationFixture {
  static final String PROVISIONER_FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

  @TempDir Path folder;
  private ApiServer server;
  RestApi api;
  Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = RestApi.of(server, "");
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** Starts a binder with the names and decisions of kube-controller-manager. */
  ControllerManager startKubernetesBinder() throws Exception {
    ControllerManager manager =
        RunFlags.manager(
            List.of(
                "--endpoints=off",
                "--leader-elect=false",
                "--compat=kcm",
                "--controllers=persistentvolume-binder,pvc-protection,pv-protection"),
            Files.createDirectories(folder.resolve("none")),
            KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    manager.start();
    return manager;
  }

  JsonObject create(String json) throws Exception {
    return api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  void awaitBound(String claim) {
    TestWait.until(
        () -> claim + " is bound",
        () ->
            api.get("PersistentVolumeClaim", "default", claim)
                .getAsJsonObject("status")
                .get("phase")
                .getAsString()
                .equals("Bound"));
  }

  /**
   * Returns volumes and claims as stored, including versions and field owners, by kind and name.
   */
  Map<String, String> allObjects() throws Exception {
    Map<String, String> objects = new TreeMap<>();
    for (String kind : List.of("PersistentVolume", "PersistentVolumeClaim")) {
      for (JsonObject object : api.list(kind)) {
        objects.put(
            kind + " " + object.getAsJsonObject("metadata").get("name").getAsString(),
            object.toString());
      }
    }
    return objects;
  }

  /** Returns the object without the metadata that every write changes. */
  static String withoutWriteMetadata(String object) {
    JsonObject parsed = JsonParser.parseString(object).getAsJsonObject();
    JsonObject metadata = parsed.getAsJsonObject("metadata");
    metadata.remove("resourceVersion");
    metadata.remove("managedFields");
    return parsed.toString();
  }

  void assertUnchanged(Map<String, String> expected) throws Exception {
    assertThat(allObjects()).containsAllEntriesOf(expected);
  }

  int uninstall(String... options) {
    String[] args = new String[options.length + 3];
    args[0] = "uninstall";
    args[1] = "--yes";
    args[2] = "--kubeconfig=" + kubeconfig;
    System.arraycopy(options, 0, args, 3, options.length);
    return Main.execute(args);
  }
}
