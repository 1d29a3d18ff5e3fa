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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the optional status that says since when no pod uses a claim. */
@Timeout(300)
class UnusedClaimsTest {
  private static final String GATE = "--feature-gates=PersistentVolumeClaimUnusedSinceTime=true";

  @TempDir private Path folder;
  private Path log;
  private SharedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    log = folder.resolve("audit.log");
    cluster = SharedCluster.of(folder, ApiServer.start(QuietCheck.audited(log)));
    claim("idle");
    claim("busy");
    bind("idle");
    bind("busy");
    pod("p", "busy");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private ControllerManager manager(String... more) throws Exception {
    List<String> flags = new ArrayList<>(List.of("--controllers=pvc-protection"));
    flags.addAll(List.of(more));
    return cluster.start(
        Files.createDirectories(folder.resolve("none")), flags.toArray(String[]::new));
  }

  private void claim(String name) throws StatusException {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "none", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name));
  }

  private void bind(String name) throws StatusException {
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

  private void pod(String name, String claim) throws StatusException {
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%s"}}]}}
        """
            .formatted(name, claim));
  }

  private JsonObject tree(String claim) {
    try {
      return cluster.handlers().get(KindCatalogue.CLAIMS, "default", claim).tree();
    } catch (StatusException missing) {
      throw new AssertionError(missing);
    }
  }

  private List<JsonObject> conditions(String claim) {
    JsonElement conditions = tree(claim).getAsJsonObject("status").get("conditions");
    return conditions == null
        ? List.of()
        : conditions.getAsJsonArray().asList().stream().map(JsonElement::getAsJsonObject).toList();
  }

  private boolean says(String claim, String status, String reason, String message) {
    return conditions(claim).stream()
        .anyMatch(c ->
            c.get("type").getAsString().equals("Unused")
                && c.get("status").getAsString().equals(status)
                && c.get("reason").getAsString().equals(reason)
                && c.get("message").getAsString().equals(message));
  }

  private boolean isUsed(String claim) {
    return says(claim, "False", "PodUsingPVC", "A pod is currently referencing this PVC");
  }

  private boolean isUnused(String claim) {
    return says(claim, "True", "NoPodsUsingPVC", "No pods are currently referencing this PVC");
  }

  private Instant since(String claim) {
    return Instant.parse(conditions(claim).getFirst().get("lastTransitionTime").getAsString());
  }

  @Test
  void unusedClaim_hasTimestamp() throws Exception {
    Instant begun = Instant.now().minusSeconds(1);
    manager(GATE);
    cluster.until("claim idle is unused", () -> isUnused("idle"));
    cluster.until("claim busy is in use by an unscheduled pod", () -> isUsed("busy"));
    assertThat(since("idle")).isBetween(begun, Instant.now());
    QuietCheck.of(log).verify(QuietCheck.WINDOW);

    pod("q", "idle");
    cluster.until("claim idle is in use", () -> isUsed("idle"));
    cluster.handlers().delete(KindCatalogue.PODS, "default", "p", WriteOptions.PLAIN);
    cluster.until("claim busy is unused", () -> isUnused("busy"));
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
    cluster.until("a completed pod does not use claim idle", () -> isUnused("idle"));
    assertThat(Stream.of("idle", "busy").map(this::conditions)).allMatch(c -> c.size() == 1);
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
  }

  @Test
  void restart_writesNoStatusAgain() throws Exception {
    ControllerManager first = manager(GATE);
    cluster.until("both claims have a status", () -> isUnused("idle") && isUsed("busy"));
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    List<JsonObject> before = List.of(tree("idle"), tree("busy"));
    first.stop();
    manager(GATE);
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(List.of(tree("idle"), tree("busy"))).isEqualTo(before);
  }

  /** As in Kubernetes 1.37: the binder is the only writer of a pending claim's status. */
  @Test
  void pendingClaim_getsConditionWhenBound() throws Exception {
    claim("pending");
    manager(GATE);
    cluster.until("claim idle is unused", () -> isUnused("idle"));
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(conditions("pending")).isEmpty();

    bind("pending");
    cluster.until("claim pending is unused", () -> isUnused("pending"));
  }

  @Test
  void pendingClaim_compatWithKubernetes136_getsCondition() throws Exception {
    claim("pending");
    manager(GATE, "--compat=kcm-1.36");
    cluster.until("claim pending is unused", () -> isUnused("pending"));
  }

  @Test
  void compatWithKubernetes137_gateIsOnByDefault() throws Exception {
    manager("--compat=kcm-1.37");
    cluster.until("claim idle is unused", () -> isUnused("idle"));
  }

  @Test
  void gateDisabled_writesNoStatus() throws Exception {
    manager();
    cluster.until(
        "claims are protected",
        () ->
            Stream.of("idle", "busy").allMatch(c -> tree(c).toString().contains("pvc-protection")));
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(conditions("idle")).isEmpty();
    assertThat(conditions("busy")).isEmpty();
  }
}
