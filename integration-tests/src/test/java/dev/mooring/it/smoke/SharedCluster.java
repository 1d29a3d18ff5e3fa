package dev.mooring.it.smoke;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * An API server with a binder without plugins, by default compatible with kube-controller-manager;
 * tests may start other processes beside it.
 */
final class SharedCluster {
  private final Path folder;
  private final ApiServer server;
  private final List<ControllerManager> managers = new ArrayList<>();

  SharedCluster(Path folder) throws Exception {
    this(folder, "kcm");
  }

  private SharedCluster(Path folder, ApiServer server) {
    this.folder = folder;
    this.server = server;
  }

  static SharedCluster unmanaged(Path folder) throws IOException {
    return new SharedCluster(folder, ApiServer.start(ApiServer.ServerOptions.DEFAULTS));
  }

  /** Uses the server, without a manager; closing this closes the server. */
  static SharedCluster of(Path folder, ApiServer server) {
    return new SharedCluster(folder, server);
  }

  /** Starts a manager with the given {@code --compat}. */
  SharedCluster(Path folder, String compat) throws Exception {
    this(folder, ApiServer.start(ApiServer.ServerOptions.DEFAULTS));
    start(
        Files.createDirectory(folder.resolve("none")),
        "--compat=" + compat,
        "--controllers=persistentvolume-binder,persistentvolume-expander,pvc-protection,pv-protection");
  }

  ControllerManager start(Path plugins, String... flags) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    List<String> all = new ArrayList<>(List.of("--endpoints=off", "--leader-elect=false"));
    all.addAll(List.of(flags));
    ControllerManager manager =
        RunFlags.manager(all, plugins, KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    managers.add(manager);
    manager.start();
    return manager;
  }

  void close() throws Exception {
    for (ControllerManager manager : managers) {
      manager.stop();
    }
    server.close();
  }

  /** The server's handlers, called without HTTP. */
  ObjectHandlers handlers() {
    return server.handlers();
  }

  void create(ResourceType type, String json) throws StatusException {
    handlers()
        .create(
            type,
            type.namespaced() ? "default" : "",
            JsonParser.parseString(json).getAsJsonObject(),
            WriteOptions.PLAIN);
  }

  void classNamed(String name, String provisioner, String parameters) throws StatusException {
    create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "%s"}, "provisioner": "%s", "reclaimPolicy": "Delete", "mountOptions": ["nfsvers=4.2"], "parameters": %s}
        """
            .formatted(name, provisioner, parameters));
  }

  void claim(String name, String className, String more) throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s", "annotations": {"team": "a"}}, "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}%s}}
        """
            .formatted(name, className, more));
  }

  void ask(String claim, String size) throws StatusException {
    edit(
        claim,
        current ->
            current
                .getAsJsonObject("spec")
                .getAsJsonObject("resources")
                .getAsJsonObject("requests")
                .addProperty("storage", size));
  }

  void edit(String claim, Consumer<JsonObject> change) throws StatusException {
    handlers()
        .update(
            KindCatalogue.CLAIMS,
            "default",
            claim,
            WriteOptions.PLAIN,
            current -> {
              change.accept(current);
              return current;
            });
  }

  void until(String description, BooleanSupplier condition) {
    TestWait.until(() -> description + "; there is " + state(), condition::getAsBoolean);
  }

  String state() {
    StringBuilder all = new StringBuilder();
    for (ResourceType type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.EVENTS)) {
      handlers().store(type).list("").objects().forEach(o -> all.append('\n').append(o.tree()));
    }
    return all.toString();
  }

  String phase(String claim) throws StatusException {
    return JsonBodies.textAt(
        handlers().get(KindCatalogue.CLAIMS, "default", claim).tree(), "status", "phase");
  }

  String capacity(String claim) {
    try {
      return JsonBodies.textAt(
          handlers().get(KindCatalogue.CLAIMS, "default", claim).tree(),
          "status",
          "capacity",
          "storage");
    } catch (StatusException missing) {
      return "";
    }
  }

  boolean isBound(String claim) {
    try {
      return phase(claim).equals("Bound");
    } catch (StatusException missing) {
      return false;
    }
  }

  boolean hasEvent(String claim, String reason, String text) {
    return handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .anyMatch(e ->
            JsonBodies.textAt(e.tree(), "involvedObject", "name").equals(claim)
                && JsonBodies.textAt(e.tree(), "reason").equals(reason)
                && JsonBodies.textAt(e.tree(), "message").contains(text));
  }
}
