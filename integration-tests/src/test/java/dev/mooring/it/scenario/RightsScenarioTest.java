package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.it.Api;
import dev.mooring.it.AtOnce;
import dev.mooring.it.Granted;
import dev.mooring.testkit.Patience;
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
 * The scenarios with just the rights that controllers declare: they end as recorded, nothing is
 * refused, and over all of them no right stays unused. Where one is taken away, a scenario that
 * asked for it is refused it: some of them in every build, by {@code -Dmooring.rights.seed}; each
 * one with {@code -Dmooring.rights.scenarios=each}, or {@code all} to play all scenarios as well.
 */
class RightsScenarioTest {
  /** Between them they ask for everything; all others: {@code -Dmooring.rights.scenarios=all}. */
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

  /** What no scenario asks for, and why it is needed all the same. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "patch events.events.k8s.io", "an event that is told again: EventRecorderTest",
          "update pods/finalizers", "for the admission plugin of owner references");

  private static final int TAKEN_AWAY = 3;

  private static final int ALL = Integer.MAX_VALUE;

  /** More than elsewhere: each request is looked up in roles, on a process that has just begun. */
  private static final double QUIET = 1;

  @TempDir Path folder;

  private final AtOnce players = new AtOnce();
  private final Set<String> granted = Collections.synchronizedSet(new TreeSet<>());

  /** Which scenarios asked for a right. */
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
            Stream.of(DynamicTest.dynamicTest("no right is unused", this::everyRightIsUsed)),
            // which of them there are is known when all has been played
            Stream.of(chosen.equals("few")).flatMap(few -> missed(few ? TAKEN_AWAY : ALL))));
  }

  @AfterEach
  void stop() {
    players.stop();
  }

  private void play(String name) throws Exception {
    try (Granted granted = Granted.start(folder)) {
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

  private Stream<DynamicTest> missed(int most) {
    List<String> rights = new ArrayList<>(used.keySet());
    Collections.shuffle(rights, new Random(Integer.getInteger("mooring.rights.seed", 1)));
    return players.tests(
        rights.subList(0, Math.min(most, rights.size())),
        right -> isMissed(right, used.get(right).iterator().next()));
  }

  /** Plays until the first refusal: what comes after it would only wait for what is not to be. */
  private void isMissed(String right, String scenario) throws Exception {
    try (Granted granted = Granted.start(folder)) {
      Path kubeconfig =
          granted.kubeconfig(folder, flags(scenario), one -> Granted.line(one).equals(right));
      assertThat(granted.granted()).as("what is left").isNotEmpty().doesNotContain(right);
      Thread play = Thread.ofVirtual().start(() -> played(scenario, granted.admin(), kubeconfig));
      try {
        Patience.until(
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

  private static void played(String scenario, Api admin, Path kubeconfig) {
    try {
      Scenarios.play(scenario, admin, kubeconfig, QUIET);
    } catch (Exception brokenOff) {
      Thread.currentThread().interrupt(); // as it was asked to
    }
  }

  private void everyRightIsUsed() {
    Set<String> unused = new TreeSet<>(granted);
    unused.removeAll(used.keySet());
    unused.removeAll(ELSEWHERE.keySet());
    assertThat(unused).as("unused").isEmpty();
    assertThat(granted).as("what is needed all the same").containsAll(ELSEWHERE.keySet());
  }
}
