package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.it.QuietCheck;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the optional condition that shows since when no pod uses a claim. */
class UnusedClaimsTest {
  private static final String GATE = "--feature-gates=PersistentVolumeClaimUnusedSinceTime=true";

  @TempDir private Path folder;
  private Path log;
  private SharedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    log = folder.resolve("audit.log");
    cluster = SharedCluster.of(folder, ApiServer.start(QuietCheck.auditedOptions(log)));
    createClaim("idle");
    createClaim("busy");
    markBound("idle");
    markBound("busy");
    createPod("p", "busy");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private ControllerManager startManager(String... extraFlags) throws Exception {
    List<String> flags = new ArrayList<>(List.of("--controllers=pvc-protection"));
    flags.addAll(List.of(extraFlags));
    return cluster.startManager(
        Files.createDirectories(folder.resolve("none")), flags.toArray(String[]::new));
  }

  private void createClaim(String name) throws StatusException {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "none", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name));
  }

  private void markBound(String name) throws StatusException {
    cluster
        .handlers()
        .update(
            KindCatalogue.CLAIMS,
            "default",
            name,
            WriteOptions.STATUS,
            current -> {
              current.getAsJsonObject("status").addProperty("phase", "Bound");
              return current;
            });
  }

  private void createPod(String name, String claim) throws StatusException {
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%s"}}]}}
        """
            .formatted(name, claim));
  }

  private JsonObject claimTree(String claim) {
    try {
      return cluster.handlers().get(KindCatalogue.CLAIMS, "default", claim).tree();
    } catch (StatusException notFound) {
      throw new AssertionError(notFound);
    }
  }

  private List<JsonObject> conditions(String claim) {
    JsonElement conditions = claimTree(claim).getAsJsonObject("status").get("conditions");
    return conditions == null
        ? List.of()
        : conditions.getAsJsonArray().asList().stream().map(JsonElement::getAsJsonObject).toList();
  }

  private boolean hasUnusedCondition(String claim, String status, String reason, String message) {
    return conditions(claim).stream()
        .anyMatch(condition ->
            condition.get("type").getAsString().equals("Unused")
                && condition.get("status").getAsString().equals(status)
                && condition.get("reason").getAsString().equals(reason)
                && condition.get("message").getAsString().equals(message));
  }

  private boolean isUsed(String claim) {
    return hasUnusedCondition(
        claim, "False", "PodUsingPVC", "A pod is currently referencing this PVC");
  }

  private boolean isUnused(String claim) {
    return hasUnusedCondition(
        claim, "True", "NoPodsUsingPVC", "No pods are currently referencing this PVC");
  }

  private Instant unusedSince(String claim) {
    return Instant.parse(conditions(claim).getFirst().get("lastTransitionTime").getAsString());
  }

  @Test
  void condition_podsCreatedAndDeleted_tracksUse() throws Exception {
    Instant startTime = Instant.now().minusSeconds(1);
    startManager(GATE);
    cluster.awaitCondition("claim idle is unused", () -> isUnused("idle"));
    cluster.awaitCondition("claim busy is in use by an unscheduled pod", () -> isUsed("busy"));
    assertThat(unusedSince("idle")).isBetween(startTime, Instant.now());
    QuietCheck.of(log).verify(QuietCheck.WINDOW);

    createPod("q", "idle");
    cluster.awaitCondition("claim idle is in use", () -> isUsed("idle"));
    cluster.handlers().delete(KindCatalogue.PODS, "default", "p", WriteOptions.PLAIN);
    cluster.awaitCondition("claim busy is unused", () -> isUnused("busy"));
    cluster
        .handlers()
        .update(
            KindCatalogue.PODS,
            "default",
            "q",
            WriteOptions.STATUS,
            current -> {
              current.getAsJsonObject("status").addProperty("phase", "Succeeded");
              return current;
            });
    cluster.awaitCondition("a completed pod does not use claim idle", () -> isUnused("idle"));
    assertThat(Stream.of("idle", "busy").map(this::conditions))
        .allMatch(conditions -> conditions.size() == 1);
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
  }

  @Test
  void restart_unchangedUse_writesNoStatus() throws Exception {
    ControllerManager firstManager = startManager(GATE);
    cluster.awaitCondition("both claims have a status", () -> isUnused("idle") && isUsed("busy"));
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    List<JsonObject> treesBefore = List.of(claimTree("idle"), claimTree("busy"));
    firstManager.stop();
    startManager(GATE);
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(List.of(claimTree("idle"), claimTree("busy"))).isEqualTo(treesBefore);
  }

  @Test
  void restart_podDeletedMeanwhile_setsCondition() throws Exception {
    ControllerManager firstManager = startManager(GATE);
    cluster.awaitCondition("claim busy is in use", () -> isUsed("busy"));
    firstManager.stop();
    cluster.handlers().delete(KindCatalogue.PODS, "default", "p", WriteOptions.PLAIN);
    startManager(GATE);
    cluster.awaitCondition("claim busy is unused", () -> isUnused("busy"));
  }

  /** As in Kubernetes 1.37: the binder is the only writer of a pending claim's status. */
  @Test
  void pendingClaim_markedBound_getsCondition() throws Exception {
    createClaim("pending");
    startManager(GATE);
    cluster.awaitCondition("claim idle is unused", () -> isUnused("idle"));
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(conditions("pending")).isEmpty();

    markBound("pending");
    cluster.awaitCondition("claim pending is unused", () -> isUnused("pending"));
  }

  @Test
  void pendingClaim_compatWithKubernetes136_getsCondition() throws Exception {
    createClaim("pending");
    startManager(GATE, "--compat=kcm-1.36");
    cluster.awaitCondition("claim pending is unused", () -> isUnused("pending"));
  }

  @Test
  void compatWithKubernetes137_noGate_writesCondition() throws Exception {
    startManager("--compat=kcm-1.37");
    cluster.awaitCondition("claim idle is unused", () -> isUnused("idle"));
  }

  @Test
  void status_gateDisabled_isNotWritten() throws Exception {
    startManager();
    cluster.awaitCondition(
        "claims are protected",
        () ->
            Stream.of("idle", "busy")
                .allMatch(claim -> claimTree(claim).toString().contains("pvc-protection")));
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(conditions("idle")).isEmpty();
    assertThat(conditions("busy")).isEmpty();
  }
}
