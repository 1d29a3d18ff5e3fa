package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts for every reason for which Kubernetes silently skips a volume. */
class MatchReportTest {
  private record Row(String name, Claim claim, boolean delayed, Volume volume, String failed) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row row(String name, Claim claim, Volume volume, String failed) {
    return new Row(name, claim, false, volume, failed);
  }

  private static Stream<Row> rows() {
    Claim claim = claim("2Gi");
    Volume suits = volume("v", "2Gi");
    return Stream.of(
        row("it suits", claim, suits, ""),
        row(
            "it is another claim's",
            claim,
            volume("v", "2Gi", v -> v.claimRef(ObjectKey.of("default", "other"), "x")),
            "claimRef: belongs to default/other"),
        row(
            "it is an earlier claim's of the same name",
            claim,
            volume("v", "2Gi", v -> v.claimRef(CLAIM, "earlier")),
            "claimRef: belongs to default/c"),
        row(
            "its claimRef has no namespace",
            claim,
            volume("v", "2Gi", v -> v.claimRef(ObjectKey.of("", "c"), "")),
            "claimRef: belongs to a claim without a namespace"),
        row(
            "an empty claimRef",
            claim,
            volume("v", "2Gi", v -> v.claimRef(ObjectKey.of("", ""), "")),
            ""),
        row("too small", claim, volume("v", "1Gi"), "size: has 1Gi, not 2Gi"),
        row(
            "the other volume mode",
            claim,
            volume("v", "2Gi", v -> v.volumeMode(VolumeMode.BLOCK)),
            "volumeMode: is Block, not Filesystem"),
        row(
            "another VolumeAttributesClass",
            claim("2Gi", c -> c.attributesClass("fast")),
            suits,
            "attributesClass: has attributes class \"\", not \"fast\""),
        row(
            "a VolumeAttributesClass that was not requested",
            claim,
            volume("v", "2Gi", v -> v.attributesClass("fast")),
            "attributesClass: has attributes class \"fast\", not \"\""),
        row(
            "being deleted",
            claim,
            volume("v", "2Gi", v -> v.deleting()),
            "deletion: is being deleted"),
        new Row(
            "left to the scheduler",
            claim("2Gi", c -> c.storageClass("late")),
            true,
            volume("v", "2Gi", v -> v.storageClass("late")),
            "binding: is taken only after the scheduler has selected it for a pod"),
        row(
            "Released",
            claim,
            volume("v", "2Gi", v -> v.phase(VolumePhase.RELEASED)),
            "phase: is Released"),
        row(
            "Failed",
            claim,
            volume("v", "2Gi", v -> v.phase(VolumePhase.FAILED)),
            "phase: is Failed"),
        row("Bound", claim, volume("v", "2Gi", v -> v.phase(VolumePhase.BOUND)), "phase: is Bound"),
        row(
            "other labels",
            claim("2Gi", c -> c.selector("tier", "gold")),
            volume("v", "2Gi", v -> v.label("tier", "iron")),
            "labels: lacks the labels tier=gold"),
        row(
            "another class",
            claim,
            volume("v", "2Gi", v -> v.storageClass("gold")),
            "class: has class \"gold\", not \"\""),
        row(
            "fewer access modes",
            claim("2Gi", c -> c.accessModes("ReadWriteMany")),
            volume("v", "2Gi", v -> v.accessModes("ReadWriteOnce")),
            "accessModes: offers ReadWriteOnce, not ReadWriteMany"),
        row(
            "all at once",
            claim("2Gi", c -> c.volumeMode(VolumeMode.BLOCK)),
            volume("v", "1Gi", v -> v.storageClass("gold")),
            "size: has 1Gi, not 2Gi; class: has class \"gold\", not \"\"; volumeMode: is"
                + " Filesystem, not Block"),
        row(
            "reserved: class and labels do not matter",
            claim("2Gi", c -> c.selector("tier", "gold")),
            volume("v", "2Gi", v -> v.claimRef(CLAIM, "").storageClass("gold")),
            ""),
        row(
            "reserved, but too small",
            claim,
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "")),
            "size: has 1Gi, not 2Gi"),
        row(
            "reserved, but not free of who had it",
            claim,
            volume("v", "2Gi", v -> v.claimRef(CLAIM, "").phase(VolumePhase.RELEASED)),
            "reclaim: is Released"),
        row(
            "asked for: labels do not matter, the class does",
            claim("2Gi", c -> c.volumeName("v").selector("tier", "gold")),
            volume("v", "2Gi", v -> v.storageClass("gold")),
            "class: has class \"gold\", not \"\""));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void report_eachMismatch_describesIt(Row row) {
    Meta meta = TestObjects.metaOf(ObjectKey.cluster("late")).uid(Uid.NONE).created(1).meta();
    Optional<StorageClass> delayedClass =
        Optional.of(
            TestObjects.storageClass(meta)
                .provisioner("p")
                .binding(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
                .build());
    ClaimView view =
        new ClaimView(
            row.claim,
            row.delayed ? delayedClass : Optional.empty(),
            "",
            List.of(),
            new ClaimView.Provisioning.Unserved(""),
            false);
    VolumeTester trials = new VolumeTester(view, BinderPolicy.DEFAULTS);
    assertThat(trials.sortByNearness(List.of(row.volume))).containsExactly(row.volume);
    assertThat(
            trials.report(row.volume).results().stream()
                .filter(o -> !o.passed())
                .map(o -> o.test() + ": " + o.message()))
        .isEqualTo(row.failed.isEmpty() ? List.of() : List.of(row.failed.split("; ")));
  }

  /** Only one reason is reported; for a named volume it is the reason that Kubernetes reports. */
  @Test
  void selectTests_namedOrReserved_haveKubernetesOrder() {
    assertThat(
            VolumeCriterion.of(VolumeCriterion.CriterionScope.NAMED).stream()
                .filter(VolumeCriterion::isDecisive))
        .containsExactly(
            VolumeCriterion.DELETION,
            VolumeCriterion.SIZE,
            VolumeCriterion.CLASS,
            VolumeCriterion.ATTRIBUTES_CLASS,
            VolumeCriterion.VOLUME_MODE,
            VolumeCriterion.ACCESS_MODES);
    assertThat(
            VolumeCriterion.of(VolumeCriterion.CriterionScope.RESERVED).stream()
                .filter(VolumeCriterion::isDecisive))
        .containsExactly(
            VolumeCriterion.DELETION,
            VolumeCriterion.SIZE,
            VolumeCriterion.ATTRIBUTES_CLASS,
            VolumeCriterion.VOLUME_MODE,
            VolumeCriterion.ACCESS_MODES);
  }

  private static Volume anyVolume(Random random, int number) {
    String size = 1 + random.nextInt(4) + "Gi";
    String name = random.nextBoolean() ? "" : "gold";
    return random.nextInt(3) == 0
        ? volume("v-" + number, size, v -> v.storageClass(name).volumeMode(VolumeMode.BLOCK))
        : volume("v-" + number, size, v -> v.storageClass(name));
  }

  /** The partial selection must equal a complete sort. */
  @Test
  void findNearestMisses_anyMaximum_equalsCompleteSort() {
    VolumeTester trials = VolumeTester.ofAny(claim("2Gi"));
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      List<Volume> volumes =
          IntStream.range(0, random.nextInt(12)).mapToObj(i -> anyVolume(random, i)).toList();
      List<Volume> misses =
          trials.sortByNearness(volumes).stream()
              .filter(v -> trials.countFailedTests(v) > 0)
              .limit(5)
              .toList();
      assertThat(trials.findNearestMisses(volumes, 5)).as("seed " + seed).isEqualTo(misses);
    }
  }
}
