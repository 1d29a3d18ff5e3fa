package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Binds a thousand claims to volumes with four writes each and without conflicts. */
class BindManyTest {
  private static final int PAIRS = 1000;

  @TempDir Path folder;

  private static void create(ObjectHandlers handlers, ResourceType type, String json)
      throws StatusException {
    handlers.create(
        type, "default", JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private static long countBoundClaims(ObjectHandlers handlers) {
    return handlers.store(KindCatalogue.CLAIMS).list("").objects().stream()
        .filter(claim -> JsonBodies.textAt(claim.tree(), "status", "phase").equals("Bound"))
        .count();
  }

  private ControllerManager newManager(ApiServer server) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    return RunFlags.manager(
        List.of("--endpoints=off", "--leader-elect=false"),
        Resources.plugins(),
        KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
  }

  private static void startAndAwaitBound(
      ObjectHandlers handlers, ControllerManager manager, int claims) throws Exception {
    manager.start();
    TestWait.until(
        () -> countBoundClaims(handlers) + " of " + claims + " are bound",
        () -> countBoundClaims(handlers) >= claims && manager.isIdle());
  }

  /** The smallest volume for a ReadWriteOnce claim is the only volume for a ReadWriteMany claim. */
  @Test
  void waitingClaims_scarceVolumes_allAreBound() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      ObjectHandlers handlers = server.handlers();
      String volume =
          """
          {"metadata": {"name": "%s-%d"}, "spec": {"capacity": {"storage": "%s"}, "accessModes": [%s], "storageClassName": "s", "nfs": {"server": "n", "path": "/"}}}
          """;
      String claim =
          """
          {"metadata": {"name": "%s-%d"}, "spec": {"accessModes": ["%s"], "storageClassName": "s", "resources": {"requests": {"storage": "1Gi"}}}}
          """;
      for (int i = 0; i < PAIRS / 50; i++) {
        create(
            handlers,
            KindCatalogue.VOLUMES,
            volume.formatted("many", i, "1Gi", "\"ReadWriteOnce\", \"ReadWriteMany\""));
        create(
            handlers,
            KindCatalogue.VOLUMES,
            volume.formatted("one", i, "2Gi", "\"ReadWriteOnce\""));
        create(handlers, KindCatalogue.CLAIMS, claim.formatted("a", i, "ReadWriteOnce"));
        create(handlers, KindCatalogue.CLAIMS, claim.formatted("b", i, "ReadWriteMany"));
      }
      ControllerManager manager = newManager(server);
      try {
        startAndAwaitBound(handlers, manager, PAIRS / 25);
        assertThat(countBoundClaims(handlers)).isEqualTo(PAIRS / 25);
      } finally {
        manager.stop();
      }
    }
  }

  @Test
  void thousandPairs_distinctSizes_takeFourWritesEach() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      ObjectHandlers handlers = server.handlers();
      for (int i = 0; i < PAIRS; i++) {
        create(
            handlers,
            KindCatalogue.VOLUMES,
            """
            {"metadata": {"name": "v-%d"}, "spec": {"capacity": {"storage": "%dMi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s", "nfs": {"server": "n", "path": "/%d"}}}
            """
                .formatted(i, i + 1, i));
        create(
            handlers,
            KindCatalogue.CLAIMS,
            """
            {"metadata": {"name": "c-%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "%dMi"}}}}
            """
                .formatted(i, i + 1));
      }
      ControllerManager manager = newManager(server);
      try {
        startAndAwaitBound(handlers, manager, PAIRS);
        assertThat(countBoundClaims(handlers)).isEqualTo(PAIRS);
        for (StoredObject claim : handlers.store(KindCatalogue.CLAIMS).list("").objects()) {
          JsonObject tree = claim.tree();
          assertThat(JsonBodies.textAt(tree, "status", "capacity", "storage"))
              .isEqualTo(JsonBodies.textAt(tree, "spec", "resources", "requests", "storage"));
        }
        assertThat(manager.cluster().conflicts()).isZero();
        assertThat(manager.cluster().writes())
            .as("four writes per pair, plus one for each volume that became Available first")
            .isBetween(4L * PAIRS, 5L * PAIRS);
      } finally {
        manager.stop();
      }
    }
  }
}
