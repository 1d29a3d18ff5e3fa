package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.RestApi;
import dev.mooring.it.scenario.FlippedRuleLoader.Condition;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Inverts one condition of a decider at a time. The shadow must report each of these bugs, and its
 * scenario file must show it: with the bug the controllers decide otherwise than without. {@code
 * -Dmooring.scenarios=all} plants all bugs, the ordinary build every fourth.
 */
class FlippedRulesTest {
  /** Class, method, number of the condition, and a scenario in which the bug shows. */
  private static final List<String> BUGS =
      List.of(
          "binder.decide.VolumeDecider decideByClaim 3 binder/volume-mode",
          "binder.decide.VolumeDecider decideByClaim 4 reclaim/delete-no-deleter",
          "binder.decide.VolumeDecider release 0 reclaim/delete-no-deleter",
          "binder.decide.VolumeDecider mustBeKept 4 reclaim/delete-no-deleter",
          "binder.decide.VolumeDecider decideClaimed 4 binder/volume-mode",
          "binder.decide.ClaimDecider decide 0 binder/repair-claim-only",
          "binder.decide.ClaimDecider bind 0 binder/repair-claim-only",
          "binder.decide.ClaimDecider decideNamed 0 binder/repair-claim-only",
          "binder.decide.ClaimDecider decideBound 0 binder/repair-claim-only",
          "binder.decide.ClaimDecider bindAgain 0 binder/repair-claim-only",
          "binder.decide.MigrationUpdate of 0 provision/migrated-marks-at-start",
          "binder.decide.MigrationUpdate migrationOf 0 provision/migrated-marks-at-start");

  private static final List<String> KINDS =
      List.of("PersistentVolume", "PersistentVolumeClaim", "VolumeAttachment", "Node", "Pod");

  @TempDir private Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests(6);

  @TestFactory
  Stream<DynamicTest> bug_inDecider_isReportedWithReproducingScenario() {
    return concurrentTests.tests(TestShare.of(BUGS, 4), this::verify);
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void verify(String bug) throws Exception {
    String[] words = bug.split(" ");
    Condition condition = new Condition(words[0], words[1], Integer.parseInt(words[2]));
    String scenario = Scenarios.read("scenarios/" + words[3] + ".json").toString();
    String recorded = Scenarios.readEndState(words[3]).toString();
    try (FlippedRuleLoader loader = new FlippedRuleLoader(condition)) {
      List<String> files = findDifferences(loader, scenario, recorded);
      assertThat(loader.isFlipped()).as("inverted").isTrue();
      assertThat(files).as("reported").isNotEmpty();

      String file = files.getFirst();
      assertThat(decisions(findDifferences(loader, file, emptyState())))
          .as("decisions with the bug in %s", file)
          .isNotEqualTo(decisions(ShadowTrial.findDifferences(file, emptyState(), folder)));
    }
  }

  @SuppressWarnings("unchecked") // the method of the other class loader has the same type
  private List<String> findDifferences(FlippedRuleLoader loader, String scenario, String recorded)
      throws Exception {
    return (List<String>)
        loader
            .loadClass(ShadowTrial.class.getName())
            .getMethod("findDifferences", String.class, String.class, Path.class)
            .invoke(null, scenario, recorded, folder);
  }

  /** Returns the end state of a cluster whose controllers do nothing. */
  private static String emptyState() {
    Map<String, JsonObject> state = new HashMap<>();
    KINDS.forEach(kind -> state.put(RestApi.plural(kind), new JsonObject()));
    JsonObject object = new JsonObject();
    state.forEach(object::add);
    return object.toString();
  }

  private static Set<String> decisions(List<String> files) {
    return files.stream()
        .map(file -> JsonParser.parseString(file).getAsJsonObject().get("about").getAsString())
        .map(about -> about.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "<uid>"))
        .collect(Collectors.toSet());
  }
}
