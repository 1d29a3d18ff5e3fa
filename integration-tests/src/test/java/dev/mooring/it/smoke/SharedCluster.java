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
 * An API server with the managers that a test starts, by default one that binds like Kubernetes.
 */
final class SharedCluster {
  private final Path folder;
  private final ApiServer server;
  private final List<ControllerManager> managers = new ArrayList<>();

  /** Starts a manager without plugins and with {@code --compat=kcm}. */
  SharedCluster(Path folder) throws Exception {
    this(folder, "kcm");
  }

  private SharedCluster(Path folder, ApiServer server) {
    this.folder = folder;
    this.server = server;
  }

  static SharedCluster withoutManager(Path folder) throws IOException {
    return new SharedCluster(folder, ApiServer.start(ApiServer.ServerOptions.DEFAULTS));
  }

  /** Uses the server and starts no manager; {@link #close} closes the server. */
  static SharedCluster of(Path folder, ApiServer server) {
    return new SharedCluster(folder, server);
  }

  /** Starts a manager without plugins and with the given {@code --compat}. */
  SharedCluster(Path folder, String compat) throws Exception {
    this(folder, ApiServer.start(ApiServer.ServerOptions.DEFAULTS));
    startManager(
        Files.createDirectory(folder.resolve("none")),
        "--compat=" + compat,
        "--controllers=persistentvolume-binder,persistentvolume-expander,pvc-protection,pv-protection");
  }

  ControllerManager startManager(Path plugins, String... flags) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    List<String> args = new ArrayList<>(List.of("--endpoints=off", "--leader-elect=false"));
    args.addAll(List.of(flags));
    ControllerManager manager =
        RunFlags.manager(args, plugins, KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
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

  /** Returns the server's handlers, for calls without HTTP. */
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

  void createClass(String name, String provisioner, String parameters) throws StatusException {
    create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "%s"}, "provisioner": "%s", "reclaimPolicy": "Delete", "mountOptions": ["nfsvers=4.2"], "parameters": %s}
        """
            .formatted(name, provisioner, parameters));
  }

  void createClaim(String name, String className, String specMembers) throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s", "annotations": {"team": "a"}}, "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}%s}}
        """
            .formatted(name, className, specMembers));
  }

  void requestSize(String claim, String size) throws StatusException {
    editClaim(
        claim,
        current ->
            current
                .getAsJsonObject("spec")
                .getAsJsonObject("resources")
                .getAsJsonObject("requests")
                .addProperty("storage", size));
  }

  void editClaim(String claim, Consumer<JsonObject> change) throws StatusException {
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

  void awaitCondition(String description, BooleanSupplier condition) {
    TestWait.until(() -> description + "; objects: " + objectsAsText(), condition::getAsBoolean);
  }

  String objectsAsText() {
    StringBuilder text = new StringBuilder();
    for (ResourceType type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.EVENTS)) {
      handlers()
          .store(type)
          .list("")
          .objects()
          .forEach(object -> text.append('\n').append(object.tree()));
    }
    return text.toString();
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
    } catch (StatusException notFound) {
      return "";
    }
  }

  boolean isBound(String claim) {
    try {
      return phase(claim).equals("Bound");
    } catch (StatusException notFound) {
      return false;
    }
  }

  boolean hasEvent(String claim, String reason, String message) {
    return handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .anyMatch(event ->
            JsonBodies.textAt(event.tree(), "involvedObject", "name").equals(claim)
                && JsonBodies.textAt(event.tree(), "reason").equals(reason)
                && JsonBodies.textAt(event.tree(), "message").contains(message));
  }
}
