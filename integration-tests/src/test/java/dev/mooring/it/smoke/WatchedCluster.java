package dev.mooring.it.smoke;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A server, a controller-manager, and a watch that records phases of volumes and claims. */
final class WatchedCluster {
  private final Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> phases = new CopyOnWriteArrayList<>();
  private final ApiServer server;
  private final RestApi api;
  private @Nullable ControllerManager manager;

  WatchedCluster(Path folder) throws IOException {
    this.folder = folder;
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = RestApi.of(server, "");
    recordPhases("/api/v1/persistentvolumes");
    recordPhases("/api/v1/persistentvolumeclaims");
  }

  void close() throws Exception {
    if (manager != null) {
      manager.stop();
    }
    server.close();
    http.shutdownNow();
  }

  RestApi api() {
    return api;
  }

  /** Returns the observed names and phases in the order of the watch events. */
  List<String> phases() {
    return phases;
  }

  /** Starts a controller-manager with the given {@code --compat}. */
  void startManager(String compat) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    manager =
        RunFlags.manager(
            List.of(
                "--compat=" + compat,
                "--endpoints=off",
                "--leader-elect=false",
                "--enable-hostpath-provisioner=true",
                "--deletion-brake-limit=0",
                "--pvclaimbinder-sync-period=1s"),
            Resources.plugins(),
            KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    manager.start();
  }

  /** Records the name and phase of each watch event; {@code deleted} instead of the last phase. */
  private void recordPhases(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path + "?watch=true")).build();
    Thread.ofVirtual()
        .start(() -> {
          try (BufferedReader lines =
              new BufferedReader(
                  new InputStreamReader(
                      http.send(request, HttpResponse.BodyHandlers.ofInputStream()).body(),
                      StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              recordPhase(JsonParser.parseString(line).getAsJsonObject());
            }
          } catch (IOException | UncheckedIOException closed) {
            // the test is over
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private void recordPhase(JsonObject event) {
    JsonObject object = event.getAsJsonObject("object");
    phases.add(
        JsonBodies.textAt(object, "metadata", "name")
            + " "
            + (JsonBodies.textAt(event, "type").equals("DELETED")
                ? "deleted"
                : JsonBodies.textAt(object, "status", "phase")));
  }

  void awaitCondition(String description, Callable<Boolean> condition) {
    TestWait.until(() -> description + "; phases: " + phases, condition);
  }

  /** Waits for a name with a phase, for example {@code pv Bound}. */
  void awaitPhase(String nameAndPhase) {
    awaitCondition(nameAndPhase, () -> phases.contains(nameAndPhase));
  }

  static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  static JsonObject volumeObject(String name, String size, String mode, String policy) {
    return parse(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%1$s"}, "spec": {"capacity": {"storage": "%2$s"}, "accessModes": ["%3$s"], "persistentVolumeReclaimPolicy": "%4$s", "hostPath": {"path": "/tmp/mooring-own-%1$s"}}}
        """
            .formatted(name, size, mode, policy));
  }

  /** Returns a claim; a null class leaves the field unset, unlike "". */
  static JsonObject claimObject(String name, String size, String mode, @Nullable String className) {
    JsonObject claim =
        parse(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "namespace": "default"}, "spec": {"accessModes": ["%s"], "resources": {"requests": {"storage": "%s"}}}}
            """
                .formatted(name, mode, size));
    if (className != null) {
      claim.getAsJsonObject("spec").addProperty("storageClassName", className);
    }
    return claim;
  }

  static JsonObject addLabels(JsonObject object, String labels) {
    object.getAsJsonObject("metadata").add("labels", parse(labels));
    return object;
  }

  void deleteClaim(String claim) throws Exception {
    api.delete("PersistentVolumeClaim", "default", claim, -1);
  }
}
