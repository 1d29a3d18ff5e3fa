package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.RestrictedServer;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.shadow.ShadowReport;
import dev.mooring.manager.shadow.ShadowReport.ClassResult;
import dev.mooring.manager.shadow.ShadowText;
import dev.mooring.reconcile.Compat;
import dev.mooring.text.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a shadow beside recorded scenarios whose end state shows every write of
 * kube-controller-manager. {@code -Dmooring.scenarios=all} plays all, the ordinary build every
 * second.
 */
class ShadowScenarioTest {
  /** Scenarios whose end states do not show a write in between. */
  private static final Map<String, String> UNPLAYABLE =
      Map.of("provision/external-marks", "the migrated-to annotation comes and goes");

  /** Differences of Mooring's default rules, by scenario: rows of docs/differences.md. */
  private static final Map<String, Set<String>> ROWS =
      Map.of(
          "binder/access-modes-superset", Set.of(),
          "binder/half-bound-volume-mode-mismatch",
              Set.of("binder-half-bound-volume-mode-mismatch"),
          "binder/named-and-reserved", Set.of("binder-named-and-reserved"),
          "binder/named-volume-taken", Set.of("binder-named-volume-taken"),
          "binder/odd-claimrefs", Set.of("binder-odd-claimrefs"),
          "binder/reserved-volume-loses-to-fewer-modes", Set.of("rule-2"),
          "binder/selectors", Set.of(),
          "expand/at-the-start", Set.of("hostpath-growth"),
          "reclaim/delete-no-deleter", Set.of("reclaim-delete-no-deleter"),
          "reclaim/recycle-by-source", Set.of("never-bound"));

  @TempDir private Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests();

  private static List<String> playable() throws IOException {
    List<String> names = new ArrayList<>();
    for (String name :
        Stream.concat(Scenarios.passing().stream(), Scenarios.projectScenarios().stream())
            .toList()) {
      if (!UNPLAYABLE.containsKey(name)
          && RecordedCluster.canPlay(
              Scenarios.read("scenarios/" + name + ".json"), Scenarios.readEndState(name))) {
        names.add(name);
      }
    }
    return Scenarios.selectByProperty(names);
  }

  @TestFactory
  Stream<DynamicTest> scenario_kubernetesCompat_hasNoUnexplainedDifference() throws IOException {
    return concurrentTests.tests(
        TestShare.of(playable(), 4), name -> play(name, Compat.KUBERNETES));
  }

  @TestFactory
  Stream<DynamicTest> scenario_default_linksEachDifferenceToItsRow() {
    return concurrentTests.tests(
        ROWS.keySet().stream().sorted().toList(),
        name -> assertThat(rows(play(name, Compat.MOORING))).isEqualTo(ROWS.get(name)));
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private ShadowReport play(String name, Compat compat) throws Exception {
    return checked(ShadowTrial.of(name, compat).play(folder));
  }

  private static ShadowReport checked(ShadowReport report) {
    assertThat(report.unexplainedCount())
        .as(ShadowText.format(report, TextTable.UNLIMITED))
        .isZero();
    return report;
  }

  private static Set<String> rows(ShadowReport report) {
    return report.classes().values().stream()
        .map(ClassResult::onPurpose)
        .flatMap(rows -> rows.keySet().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shadow_declaredRights_isNeverRefused() throws Exception {
    try (RestrictedServer restricted = RestrictedServer.start(folder)) {
      Path kubeconfig =
          restricted.kubeconfig(folder, RunFlags.rightsOfShadow(List.of("--compat=kcm")));
      ShadowReport report =
          checked(
              ShadowTrial.of("binder/selectors", Compat.KUBERNETES)
                  .play(restricted.admin(), kubeconfig));
      assertThat(report.decisionCount()).isPositive();
      assertThat(restricted.forbiddenRequests()).isEmpty();
      ShadowTrial.checkOnlyReads(restricted.log());
    }
  }
}
