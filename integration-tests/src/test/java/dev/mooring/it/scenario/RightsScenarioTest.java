package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays the scenarios with exactly the rights that controllers declare. They end as recorded, no
 * request is forbidden, and together they use every right. Without a right, a scenario that used it
 * gets a refusal. Each build removes a few rights, selected by {@code -Dmooring.rights.seed}.
 * {@code -Dmooring.rights.scenarios=each} removes each right, and {@code all} also plays all
 * scenarios.
 */
class RightsScenarioTest {
  /**
   * Scenarios that together use every right; {@code -Dmooring.rights.scenarios=all} plays all
   * others too.
   */
  private static final List<String> COVERING_SCENARIOS =
      List.of(
          "misc/everything-changes-while-down",
          "reclaim/recycle-succeeds",
          "reclaim/claim-replaced-while-down",
          "attach/attach-error-then-pod-deleted",
          "attach/detach-error-kept",
          "attach/driver-becomes-non-attachable",
          "attach/generic-ephemeral-volume",
          "binder/class-beta-annotation",
          "protection/attributes-class-in-use");

  /** Rights that no scenario uses, with the reason why they are needed. */
  private static final Map<String, String> USED_ELSEWHERE =
      Map.of(
          "patch events.events.k8s.io", "repeated events: EventRecorderTest",
          "list volumepopulators.populator.storage.k8s.io",
              "unknown data sources: BesideRightsTest",
          "update pods/finalizers", "for the admission plugin of owner references",
          "get leases.coordination.k8s.io in kube-system", "before a start: SecondManagerTest");

  private static final int REMOVED_RIGHTS = 3;

  private static final int ALL_RIGHTS = Integer.MAX_VALUE;

  /** Longer than in other tests, because the new server checks each request against roles. */
  private static final double QUIET_SECONDS = 1;

  @TempDir Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests();
  private final Set<String> grantedRights = Collections.synchronizedSet(new TreeSet<>());

  /** Scenarios that used a right, by right. */
  private final Map<String, Set<String>> scenariosByRight = new ConcurrentSkipListMap<>();

  @TestFactory
  Stream<DynamicTest> scenario_minimalRights_endsAsRecorded() throws IOException {
    String selection = System.getProperty("mooring.rights.scenarios", "few");
    List<String> names =
        new ArrayList<>(selection.equals("all") ? Scenarios.passing() : COVERING_SCENARIOS);
    if (selection.equals("all")) {
      names.addAll(Scenarios.projectScenarios());
    }
    return Stream.concat(
        concurrentTests.tests(names, this::play),
        Stream.concat(
            Stream.of(DynamicTest.dynamicTest("every right is used", this::verifyEveryRightUsed)),
            // the used rights are known once all scenarios have been played
            Stream.of(selection.equals("few"))
                .flatMap(removesFew -> removeRights(removesFew ? REMOVED_RIGHTS : ALL_RIGHTS))));
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void play(String name) throws Exception {
    try (RestrictedServer restrictedServer = RestrictedServer.start(folder)) {
      Path kubeconfig = restrictedServer.kubeconfig(folder, readFlags(name), right -> false);
      List<String> differences =
          Scenarios.play(name, restrictedServer.admin(), kubeconfig, QUIET_SECONDS);
      assertThat(restrictedServer.forbiddenRequests()).as("refused").isEmpty();
      assertThat(differences).isEmpty();
      this.grantedRights.addAll(restrictedServer.grantedRights());
      for (String right : restrictedServer.usedRights()) {
        scenariosByRight.computeIfAbsent(right, key -> new ConcurrentSkipListSet<>()).add(name);
      }
    }
  }

  private static List<String> readFlags(String name) throws IOException {
    List<String> flags = new ArrayList<>(List.of("--compat=kcm", "--leader-elect=false"));
    JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
    if (scenario.get("flags") instanceof JsonArray scenarioFlags) {
      scenarioFlags.forEach(flag -> flags.add(flag.getAsString()));
    }
    return flags;
  }

  private Stream<DynamicTest> removeRights(int maxRights) {
    List<String> rights = new ArrayList<>(scenariosByRight.keySet());
    Collections.shuffle(rights, new Random(Integer.getInteger("mooring.rights.seed", 1)));
    return concurrentTests.tests(
        rights.subList(0, Math.min(maxRights, rights.size())),
        right -> verifyRefused(right, scenariosByRight.get(right).iterator().next()));
  }

  /** Plays until the first refusal. Later steps would wait for events that cannot occur. */
  private void verifyRefused(String right, String scenario) throws Exception {
    try (RestrictedServer restrictedServer = RestrictedServer.start(folder)) {
      Path kubeconfig =
          restrictedServer.kubeconfig(
              folder,
              readFlags(scenario),
              candidate -> RestrictedServer.line(candidate).equals(right));
      assertThat(restrictedServer.grantedRights())
          .as("remaining rights")
          .isNotEmpty()
          .doesNotContain(right);
      Thread player =
          Thread.ofVirtual()
              .start(() -> playUntilRefusal(scenario, restrictedServer.admin(), kubeconfig));
      try {
        TestWait.until(
            () -> scenario + " without the right to " + right,
            () -> !player.isAlive() || !restrictedServer.forbiddenRequests().isEmpty());
        assertThat(restrictedServer.forbiddenRequests())
            .as("%s without the right to %s", scenario, right)
            .isNotEmpty()
            .allMatch(refusal -> right.startsWith(refusal.verb() + " "));
      } finally {
        player.interrupt();
        player.join();
      }
    }
  }

  private static void playUntilRefusal(String scenario, RestApi admin, Path kubeconfig) {
    try {
      Scenarios.play(scenario, admin, kubeconfig, QUIET_SECONDS);
    } catch (Exception interrupted) {
      Thread.currentThread().interrupt(); // keeps the requested interrupt
    }
  }

  private void verifyEveryRightUsed() {
    Set<String> unusedRights = new TreeSet<>(grantedRights);
    unusedRights.removeAll(scenariosByRight.keySet());
    unusedRights.removeAll(USED_ELSEWHERE.keySet());
    assertThat(unusedRights).as("unused").isEmpty();
    assertThat(grantedRights).as("rights needed elsewhere").containsAll(USED_ELSEWHERE.keySet());
  }
}
