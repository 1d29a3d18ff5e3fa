package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.RehearsingReplica;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.scenario.FlippedRuleLoader.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Upgrades a leading process with {@code --rehearse=10m}, while a scenario is played. {@code
 * -Dmooring.scenarios=all} runs all upgrades, the ordinary build a few.
 */
class RehearsedUpgradeTest {
  /** Class, method, number of the condition, and a scenario that passes without the bug. */
  private static final List<String> BUGS =
      List.of(
          "binder.decide.VolumeDecider decideByClaim 3 binder/volume-mode",
          "binder.decide.VolumeDecider decideByClaim 4 reclaim/deleting-while-released",
          "binder.decide.VolumeDecider release 0 reclaim/deleting-while-released",
          "binder.decide.VolumeDecider mustBeKept 4 reclaim/deleting-while-released",
          "binder.decide.VolumeDecider decideClaimed 4 binder/volume-mode",
          "binder.decide.ClaimDecider decide 0 binder/default-class-retroactive",
          "binder.decide.ClaimDecider bind 0 binder/block-mode-all-ways",
          "binder.decide.ClaimDecider decideNamed 0 binder/block-mode-all-ways",
          "binder.decide.ClaimDecider decideBound 0 binder/volume-mode",
          "binder.decide.MigrationUpdate of 0 provision/migrated-marks-at-start",
          "binder.decide.MigrationUpdate migrationOf 0 provision/migrated-marks-at-start");

  private static final List<String> SCENARIOS =
      List.of(
          "attach/generic-ephemeral-volume",
          "attach/finished-pods-let-go",
          "binder/block-mode-all-ways",
          "binder/claim-recreated",
          "binder/default-class-retroactive",
          "binder/volume-mode",
          "binder/many-claims-distinct-sizes",
          "binder/named-and-reserved",
          "binder/repair-claim-only",
          "binder/rollback-surplus-volumes",
          "binder/selectors",
          "misc/ephemeral-hostpath-life",
          "protection/claim-goes-with-last-pod",
          "protection/finalizers-come-back",
          "protection/which-pods-hold-a-claim",
          "provision/hostpath-default-class",
          "provision/migrated-marks-at-start",
          "reclaim/delete-no-deleter",
          "reclaim/deleting-while-released",
          "reclaim/retain-not-reused",
          "reclaim/claim-held-by-others");

  @TempDir private Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests(6);

  @TestFactory
  Stream<DynamicTest> upgrade_sameDecisions_takesLeaseAfterLeader() {
    return concurrentTests.tests(TestShare.of(SCENARIOS, 11), this::verifySuccess);
  }

  @TestFactory
  Stream<DynamicTest> upgrade_bugInDecider_standsBy() {
    return concurrentTests.tests(TestShare.of(BUGS, 6), this::verifyStandby);
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void verifySuccess(String scenario) throws Exception {
    upgrade(
        scenario,
        RehearsedUpgrade.class.getClassLoader(),
        (replica, result) -> {
          assertThat(result).isEqualTo("passed");
          replica.awaitLeadership();
        });
  }

  private void verifyStandby(String bug) throws Exception {
    String[] words = bug.split(" ");
    Condition condition = new Condition(words[0], words[1], Integer.parseInt(words[2]));
    try (FlippedRuleLoader loader = new FlippedRuleLoader(condition)) {
      upgrade(
          words[3],
          loader,
          (replica, result) -> assertThat(result).startsWith("standing-by").contains("Mooring "));
      assertThat(loader.isFlipped()).as("inverted").isTrue();
    }
  }

  /** Checks the replica after the former leader has released the Lease. */
  @FunctionalInterface
  private interface Check {
    void verify(RehearsingReplica replica, String result) throws Exception;
  }

  private void upgrade(String scenario, ClassLoader loader, Check check) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig =
          Files.writeString(Files.createTempFile(folder, "kube", "config"), server.kubeconfig());
      RehearsingReplica replica =
          (RehearsingReplica)
              loader
                  .loadClass(RehearsedUpgrade.class.getName())
                  .getConstructor(Path.class)
                  .newInstance(kubeconfig);
      InProcessController leader =
          new InProcessController(kubeconfig, Resources.plugins(), List.of("--leader-elect=true"));
      try {
        String[] result = {""};
        new ScenarioRun(
                RestApi.of(server, ""), new Upgrade(leader, replica), ScenarioTest.QUIET_SECONDS)
            .verifyingEnd(() -> result[0] = replica.finish(Duration.ofMinutes(11)))
            .play(startingEmpty(scenario));
        check.verify(replica, result[0]);
      } finally {
        replica.stop();
      }
    }
  }

  // Its status is a second write, which the leader may overtake.
  private static boolean isInUse(JsonElement object) {
    return object.getAsJsonObject().has("status");
  }

  /** Returns the scenario with the creation of its objects as first steps. */
  private static JsonObject startingEmpty(String name) throws IOException {
    JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
    JsonArray steps = new JsonArray();
    if (scenario.get("objects") instanceof JsonArray objects
        && objects.asList().stream().anyMatch(RehearsedUpgradeTest::isInUse)) {
      return scenario;
    }
    if (scenario.remove("objects") instanceof JsonArray objects) {
      objects.forEach(object -> {
        JsonObject step = new JsonObject();
        step.add("create", object);
        steps.add(step);
      });
    }
    if (scenario.get("steps") instanceof JsonArray later) {
      steps.addAll(later);
    }
    scenario.add("steps", steps);
    return scenario;
  }

  /** The leader, and a replica that rehearses beside it. */
  private record Upgrade(InProcessController leader, RehearsingReplica replica)
      implements RunningController {
    @Override
    public void start(List<String> flags) throws Exception {
      leader.start(flags);
      replica.start(flags);
    }

    @Override
    public void stop() throws Exception {
      leader.stop();
    }

    @Override
    public boolean isIdle() {
      return leader.isIdle() && replica.isIdle();
    }
  }
}
