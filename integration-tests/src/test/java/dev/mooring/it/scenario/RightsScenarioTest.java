package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.it.AtOnce;
import dev.mooring.it.Granted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scenarios with just the rights that controllers declare: they end as recorded, nothing is
 * refused, and over all of them no right stays unused. As every right is asked for by a scenario
 * that has none to spare, taking any away is refused there.
 */
class RightsScenarioTest {
  /** Between them they ask for everything; all others: {@code -Dmooring.rights.scenarios=all}. */
  private static final List<String> FEW =
      List.of(
          "misc/everything-changes-while-down",
          "reclaim/recycle-succeeds",
          "reclaim/claim-replaced-while-down",
          "attach/attach-error-then-pod-deleted",
          "attach/driver-becomes-non-attachable",
          "attach/generic-ephemeral-volume",
          "binder/class-beta-annotation",
          "protection/attributes-class-in-use");

  private static final String IN_PAGES =
      "this server streams lists: InformerTest.i8_whateverEndsAStreamedListItIsHadInPages";

  /** What no scenario asks for, and why it is needed all the same. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "list csidrivers.storage.k8s.io", IN_PAGES,
          "list nodes", IN_PAGES,
          "list persistentvolumeclaims", IN_PAGES,
          "list storageclasses.storage.k8s.io", IN_PAGES,
          "list volumeattachments.storage.k8s.io", IN_PAGES,
          "list volumeattributesclasses.storage.k8s.io", IN_PAGES,
          "patch events.events.k8s.io", "an event that is told again: EventRecorderTest",
          "update pods/finalizers", "for the admission plugin of owner references");

  /** More than elsewhere: each request is looked up in roles, on a process that has just begun. */
  private static final double QUIET = 1;

  @TempDir Path folder;

  private final AtOnce players = new AtOnce();
  private final Set<String> granted = Collections.synchronizedSet(new TreeSet<>());
  private final Set<String> used = Collections.synchronizedSet(new TreeSet<>());

  @TestFactory
  Stream<DynamicTest> scenarios() throws IOException {
    String chosen = System.getProperty("mooring.rights.scenarios", "few");
    List<String> names = new ArrayList<>(chosen.equals("all") ? Scenarios.passing() : FEW);
    if (chosen.equals("all")) {
      names.addAll(Scenarios.ours());
    }
    return Stream.concat(
        players.tests(names, this::play),
        Stream.of(DynamicTest.dynamicTest("no right is unused", this::everyRightIsUsed)));
  }

  @AfterEach
  void stop() {
    players.stop();
  }

  private void play(String name) throws Exception {
    List<String> flags = new ArrayList<>(List.of("--compat=kcm", "--leader-elect=false"));
    JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
    if (scenario.get("flags") instanceof JsonArray list) {
      list.forEach(flag -> flags.add(flag.getAsString()));
    }
    try (Granted granted = Granted.start(folder)) {
      Path kubeconfig = granted.kubeconfig(folder, flags, right -> false);
      List<String> differences = Scenarios.play(name, granted.admin(), kubeconfig, QUIET);
      assertThat(granted.refused()).as("refused").isEmpty();
      assertThat(differences).isEmpty();
      this.granted.addAll(granted.granted());
      used.addAll(granted.used());
    }
  }

  private void everyRightIsUsed() {
    Set<String> unused = new TreeSet<>(granted);
    unused.removeAll(used);
    unused.removeAll(ELSEWHERE.keySet());
    assertThat(unused).as("unused").isEmpty();
    assertThat(granted).as("what is needed all the same").containsAll(ELSEWHERE.keySet());
  }
}
