package dev.mooring.storage.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CondemnationDeciderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static VolumeBuilder volume(String name) {
    return TestObjects.volume(name).claimRef(ObjectKey.of("ns", "data"), "u");
  }

  private static Volume condemned(String name, String size, String since, String until) {
    return volume(name)
        .storage(size)
        .annotation(Condemnation.UNTIL, until)
        .annotation(Condemnation.SINCE, since)
        .annotation(Condemnation.CLAIM_UID, "u")
        .build();
  }

  /** Columns: annotations until, its claim's uid, delay of volume and class; flag; verdict. */
  @ParameterizedTest
  @CsvSource({
    "-, -, -, -, 0, Due[]",
    "-, -, -, -, 72h, Condemn[until=2026-01-04T00:00:00Z]",
    "-, -, -, 1h, 0, Condemn[until=2026-01-01T01:00:00Z]",
    "-, -, -, 0, 72h, Due[]",
    "-, -, 10ms, 1h, 72h, Condemn[until=2026-01-01T00:00:01Z]",
    "-, -, 0, 1h, 72h, Due[]",
    "2026-01-01T00:00:01Z, u, -, -, 0, Wait[until=2026-01-01T00:00:01Z]",
    "2026-01-01T00:00:00Z, u, -, -, 72h, Due[]",
    "2025-12-31T00:00:00Z, u, oops, oops, 72h, Due[]",
    "2026-02-01T00:00:00Z, u, 0, 0, 0, Wait[until=2026-02-01T00:00:00Z]",
    "2026-02-01T00:00:00Z, earlier, -, -, 0, Due[]",
    "2025-02-01T00:00:00Z, earlier, -, -, 1h, Condemn[until=2026-01-01T01:00:00Z]",
    "tomorrow, earlier, -, -, 0, Due[]",
  })
  void decide_volume_returnsVerdict(
      String until, String uid, String own, String ofClass, String flag, String verdict) {
    VolumeBuilder volume = volume("v");
    annotate(volume, Condemnation.UNTIL, until);
    annotate(volume, Condemnation.CLAIM_UID, uid);
    annotate(volume, Condemnation.DELAY, own);
    assertThat(decide(volume.build(), ofClass, flag)).hasToString(verdict);
  }

  private static void annotate(VolumeBuilder volume, String annotation, String value) {
    if (!value.equals("-")) {
      volume.annotation(annotation, value);
    }
  }

  private static CondemnationVerdict decide(Volume volume, String ofClass, String flag) {
    Duration delay = flag.equals("0") ? Duration.ZERO : Duration.parse("PT" + flag);
    StorageClass storageClass =
        TestObjects.storageClass("fast")
            .annotation(Condemnation.DELAY, ofClass.equals("-") ? "" : ofClass)
            .build();
    return CondemnationDecider.decide(
        volume, DeletionDelay.terms(volume, Optional.of(storageClass), delay), NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "tomorrow, -, -, mooring.dev/condemned-until \"tomorrow\"",
    "-, soon, 1h, mooring.dev/deletion-delay \"soon\"",
    "-, -, -5s, mooring.dev/deletion-delay \"-5s\"",
    "-, -, 99999999h, mooring.dev/deletion-delay \"99999999h\"",
  })
  void decide_unreadableAnnotation_keepsVolume(
      String until, String own, String ofClass, String part) {
    VolumeBuilder volume = volume("v");
    if (!until.equals("-")) {
      volume.annotation(Condemnation.UNTIL, until).annotation(Condemnation.CLAIM_UID, "u");
    }
    annotate(volume, Condemnation.DELAY, own);
    CondemnationVerdict verdict = decide(volume.build(), ofClass, "0");
    assertThat(verdict)
        .isInstanceOfSatisfying(
            CondemnationVerdict.Keep.class,
            keep -> assertThat(keep.message()).contains(part).contains("kept"));
  }

  @Test
  void decide_volumeWithoutClaim_waitsUntilDeadline() {
    Volume volume =
        TestObjects.volume("v")
            .annotation(Condemnation.UNTIL, "2026-01-02T00:00:00Z")
            .annotation(Condemnation.CLAIM_UID, "")
            .build();
    assertThat(decide(volume, "-", "0")).isInstanceOf(CondemnationVerdict.Wait.class);
  }

  /** Volumes a, b and c are condemned in this order; d's deadline has passed. */
  @ParameterizedTest
  @CsvSource({
    "0, ''",
    "6, ''",
    "5, a",
    "4, a b",
    "3, a b",
    "2, a b c",
    "1, a b c",
  })
  void findExcess_limit_returnsOldestWaitingVolumes(long gibibytes, String names) {
    List<Volume> volumes =
        List.of(
            condemned("c", "3Gi", "2025-12-31T03:00:00Z", "2026-01-02T00:00:00Z"),
            condemned("a", "1Gi", "2025-12-31T01:00:00Z", "2026-01-09T00:00:00Z"),
            condemned("d", "9Gi", "2025-12-31T00:00:00Z", "2026-01-01T00:00:00Z"),
            condemned("b", "2Gi", "2025-12-31T02:00:00Z", "2026-01-02T00:00:00Z"));
    assertThat(CondemnationDecider.findExcess(volumes, gibibytes << 30, NOW))
        .extracting(volume -> volume.meta().name())
        .containsExactlyElementsOf(
            names.isEmpty() ? List.of() : Arrays.asList(names.split(" ", -1)));
  }

  @Test
  void findExcess_totalBeyondLong_returnsAllThatExceedTheLimit() {
    List<Volume> volumes =
        List.of(
            condemned("a", "8Ei", "2025-12-31T01:00:00Z", "2026-01-02T00:00:00Z"),
            condemned("b", "8Ei", "2025-12-31T02:00:00Z", "2026-01-02T00:00:00Z"),
            condemned("c", "1Gi", "2025-12-31T03:00:00Z", "2026-01-02T00:00:00Z"));
    assertThat(CondemnationDecider.findExcess(volumes, 1L << 30, NOW))
        .extracting(volume -> volume.meta().name())
        .containsExactly("a", "b");
  }
}
