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
 * Plays the scenarios with exactly the rights that controllers declare: they end as recorded, no
 * request is forbidden, and together they use every right. If a right is removed, a scenario that
 * used it gets a refusal. Each build removes a few rights, chosen by {@code -Dmooring.rights.seed};
 * {@code -Dmooring.rights.scenarios=each} removes each one, and {@code all} also plays all
 * scenarios.
 */
class RightsScenarioTest {
  /**
   * Scenarios that together use every right; {@code -Dmooring.rights.scenarios=all} plays all
   * others too.
   */
  private static final List<String> FEW =
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
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "patch events.events.k8s.io", "repeated events: EventRecorderTest",
          "update pods/finalizers", "for the admission plugin of owner references",
          "get leases.coordination.k8s.io in kube-system", "before a start: SecondManagerTest");

  private static final int TAKEN_AWAY = 3;

  private static final int ALL = Integer.MAX_VALUE;

  /** Longer than elsewhere: the server checks each request against roles and has just started. */
  private static final double QUIET = 1;

  @TempDir Path folder;

  private final ConcurrentTests players = new ConcurrentTests();
  private final Set<String> granted = Collections.synchronizedSet(new TreeSet<>());

  /** Scenarios that used a right, by right. */
  private final Map<String, Set<String>> used = new ConcurrentSkipListMap<>();

  @TestFactory
  Stream<DynamicTest> scenarios() throws IOException {
    String chosen = System.getProperty("mooring.rights.scenarios", "few");
    List<String> names = new ArrayList<>(chosen.equals("all") ? Scenarios.passing() : FEW);
    if (chosen.equals("all")) {
      names.addAll(Scenarios.ours());
    }
    return Stream.concat(
        players.tests(names, this::play),
        Stream.concat(
            Stream.of(DynamicTest.dynamicTest("every right is used", this::everyRightIsUsed)),
            // the used rights are known once all scenarios have been played
            Stream.of(chosen.equals("few")).flatMap(few -> withoutRights(few ? TAKEN_AWAY : ALL))));
  }

  @AfterEach
  void stop() {
    players.stop();
  }

  private void play(String name) throws Exception {
    try (RestrictedServer granted = RestrictedServer.start(folder)) {
      Path kubeconfig = granted.kubeconfig(folder, flags(name), right -> false);
      List<String> differences = Scenarios.play(name, granted.admin(), kubeconfig, QUIET);
      assertThat(granted.refused()).as("refused").isEmpty();
      assertThat(differences).isEmpty();
      this.granted.addAll(granted.granted());
      for (String right : granted.used()) {
        used.computeIfAbsent(right, r -> new ConcurrentSkipListSet<>()).add(name);
      }
    }
  }

  private static List<String> flags(String name) throws IOException {
    List<String> flags = new ArrayList<>(List.of("--compat=kcm", "--leader-elect=false"));
    JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
    if (scenario.get("flags") instanceof JsonArray list) {
      list.forEach(flag -> flags.add(flag.getAsString()));
    }
    return flags;
  }

  private Stream<DynamicTest> withoutRights(int most) {
    List<String> rights = new ArrayList<>(used.keySet());
    Collections.shuffle(rights, new Random(Integer.getInteger("mooring.rights.seed", 1)));
    return players.tests(
        rights.subList(0, Math.min(most, rights.size())),
        right -> verifyRefused(right, used.get(right).iterator().next()));
  }

  /** Plays until the first refusal: later steps would wait for events that cannot occur. */
  private void verifyRefused(String right, String scenario) throws Exception {
    try (RestrictedServer granted = RestrictedServer.start(folder)) {
      Path kubeconfig =
          granted.kubeconfig(
              folder, flags(scenario), one -> RestrictedServer.line(one).equals(right));
      assertThat(granted.granted()).as("remaining rights").isNotEmpty().doesNotContain(right);
      Thread play =
          Thread.ofVirtual().start(() -> playUntilRefusal(scenario, granted.admin(), kubeconfig));
      try {
        TestWait.until(
            () -> scenario + " without the right to " + right,
            () -> !play.isAlive() || !granted.refused().isEmpty());
        assertThat(granted.refused())
            .as("%s without the right to %s", scenario, right)
            .isNotEmpty()
            .allMatch(refused -> right.startsWith(refused.verb() + " "));
      } finally {
        play.interrupt();
        play.join();
      }
    }
  }

  private static void playUntilRefusal(String scenario, RestApi admin, Path kubeconfig) {
    try {
      Scenarios.play(scenario, admin, kubeconfig, QUIET);
    } catch (Exception brokenOff) {
      Thread.currentThread().interrupt(); // keeps the requested interrupt
    }
  }

  private void everyRightIsUsed() {
    Set<String> unused = new TreeSet<>(granted);
    unused.removeAll(used.keySet());
    unused.removeAll(ELSEWHERE.keySet());
    assertThat(unused).as("unused").isEmpty();
    assertThat(granted).as("rights needed elsewhere").containsAll(ELSEWHERE.keySet());
  }
}
