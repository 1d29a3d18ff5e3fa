package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that changes requeue waiting claims, and that waiting claims cause no writes. */
class RequeueTest {
  private static final int WAITING_CLAIMS = 500;
  private static final int NEW_VOLUMES = 200;

  @TempDir private Path folder;

  private static void create(
      ObjectHandlers handlers, ResourceType type, String namespace, String json)
      throws StatusException {
    JsonObject tree = JsonParser.parseString(json).getAsJsonObject();
    handlers.create(type, namespace, tree, WriteOptions.PLAIN);
  }

  private static void createClaims(ObjectHandlers handlers) throws StatusException {
    for (int i = 0; i < WAITING_CLAIMS; i++) {
      create(
          handlers,
          KindCatalogue.CLAIMS,
          "default",
          """
          {"metadata": {"name": "c-%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "%dMi"}}}}
          """
              .formatted(i, i + 1));
    }
  }

  private ControllerManager startManager(ApiServer server, String... flags) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    ControllerManager manager =
        RunFlags.manager(
            List.of(flags),
            Resources.plugins(),
            KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    manager.start();
    TestWait.until("queue is empty", manager::isIdle);
    return manager;
  }

  @Test
  void newVolume_withoutResync_isBound() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      ObjectHandlers handlers = server.handlers();
      createClaims(handlers);
      ControllerManager manager =
          startManager(
              server,
              "--endpoints=127.0.0.1:0",
              "--leader-elect=false",
              "--pvclaimbinder-sync-period=" + 2 * TestWait.LONGEST.toSeconds() + "s");
      try {
        double addsBefore = fetchQueueAdds(manager.port());
        for (int i = 0; i < NEW_VOLUMES; i++) {
          create(
              handlers,
              KindCatalogue.VOLUMES,
              "",
              """
              {"metadata": {"name": "v-%d"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "n", "path": "/"}}}
              """
                  .formatted(i));
          String name = "v-" + i;
          TestWait.until(name + " is bound", () -> phase(handlers, name).equals("Bound"));
        }
        assertThat(fetchQueueAdds(manager.port()) - addsBefore)
            .as("reconciles: a volume requeues a few claims, not all")
            .isLessThan(NEW_VOLUMES * WAITING_CLAIMS / 10.0);
      } finally {
        manager.stop();
      }
    }
  }

  private static String phase(ObjectHandlers handlers, String volume) throws StatusException {
    return handlers
        .get(KindCatalogue.VOLUMES, "", volume)
        .tree()
        .getAsJsonObject("status")
        .get("phase")
        .getAsString();
  }

  @Test
  void unboundClaims_reconciledRepeatedly_causeNoWrites() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      ObjectHandlers handlers = server.handlers();
      createClaims(handlers);
      ControllerManager manager =
          startManager(
              server,
              "--endpoints=127.0.0.1:0",
              "--leader-elect=false",
              "--pvclaimbinder-sync-period=100ms");
      try {
        TestWait.until(
            "each claim has one event",
            () -> handlers.store(KindCatalogue.EVENTS).list("").objects().size() >= WAITING_CLAIMS);
        awaitQueueAdds(manager.port(), 5 * WAITING_CLAIMS);
        long versionBefore = handlers.store(KindCatalogue.CLAIMS).version();
        awaitQueueAdds(manager.port(), 45 * WAITING_CLAIMS);
        assertThat(handlers.store(KindCatalogue.CLAIMS).version())
            .as("forty reconciles, as in ten minutes, without writes or events")
            .isEqualTo(versionBefore);
      } finally {
        manager.stop();
      }
    }
  }

  private static void awaitQueueAdds(int port, int count) {
    TestWait.until(count + " additions to the queue", () -> fetchQueueAdds(port) >= count);
  }

  /** Returns how often a claim was queued. */
  private static double fetchQueueAdds(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith("workqueue_adds_total{name=\"claims\"}"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf('}') + 2)))
          .sum();
    }
  }
}
