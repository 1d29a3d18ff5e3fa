package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VolumeCondemnerTest {
  private static final Duration DELAY = Duration.ofHours(1);

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final List<String> reports = new ArrayList<>();
  private final VolumeCondemner condemner = condemner(DELAY, 0);

  private VolumeCondemner condemner(Duration delay, long maxBytes) {
    return new VolumeCondemner(
        new DeletionDelay(
            new DeletionDelay.Config(delay, maxBytes),
            server.cluster().informers(),
            TestPorts.of(server, event -> {}, time)),
        new DelayReporter() {
          @Override
          public void reportCondemned(Volume volume, String message) {
            reports.add(volume.meta().name() + ": " + message);
          }

          @Override
          public void reportUnreadableDelay(Volume volume, String message) {
            reports.add(volume.meta().name() + ": " + message);
          }
        });
  }

  private Volume put(String name) {
    return server
        .cluster()
        .put(
            Kind.VOLUME,
            TestObjects.volume(name)
                .claimRef(ObjectKey.of("shop", name), "u")
                .reclaimPolicy(ReclaimPolicy.DELETE)
                .phase(VolumePhase.RELEASED)
                .storageClass("fast")
                .build());
  }

  private Volume now(String name) {
    return server.cluster().get(Kind.VOLUME, ObjectKey.cluster(name));
  }

  @Test
  void postpone_newVolume_writesDeadlineAndReports() throws InterruptedException {
    Volume volume = put("v");
    assertThat(condemner.checkWait(volume)).isEmpty();
    assertThat(condemner.postpone(volume)).get().isInstanceOf(WriteResult.Written.class);
    String deadline = time.now().plus(DELAY).truncatedTo(ChronoUnit.SECONDS).toString();
    assertThat(now("v").meta().annotations())
        .containsEntry(Condemnation.UNTIL, deadline)
        .containsEntry(Condemnation.CLAIM_UID, "u");
    assertThat(reports)
        .containsExactly(
            "v: claim shop/v is gone; its storage is destroyed after "
                + deadline
                + ". To restore the claim with its data, run 'mooring undo pv/v'");
    assertThat(condemner.checkWait(now("v"))).contains(new Outcome.CheckAgain(DELAY));
    assertThat(condemner.postpone(now("v"))).get().isInstanceOf(WriteResult.Conflict.class);
    time.advance(DELAY);
    assertThat(condemner.checkWait(now("v"))).isEmpty();
    assertThat(condemner.postpone(now("v"))).as("due").isEmpty();
    assertThat(server.writes()).hasSize(1);
  }

  @Test
  void checkWait_clockOfMachineJumped_waitsForClockOfServer() throws InterruptedException {
    condemner.postpone(put("v"));
    Duration jump = Duration.ofHours(72);
    time.suspend(jump);
    server.setClockAhead(jump.negated());
    assertThat(condemner.checkWait(now("v"))).contains(new Outcome.CheckAgain(DELAY));
    time.advance(DELAY);
    assertThat(condemner.checkWait(now("v"))).isEmpty();
  }

  @Test
  void checkWait_clockOfServerJumped_waitsForClockOfMachine() throws InterruptedException {
    condemner.postpone(put("v"));
    server.setClockAhead(Duration.ofHours(72));
    assertThat(condemner.checkWait(now("v"))).contains(new Outcome.CheckAgain(DELAY));
  }

  @Test
  void postpone_serverShowsWrongClockAfterCheck_isConflict() throws InterruptedException {
    condemner.postpone(put("v"));
    Duration jump = Duration.ofHours(72);
    time.suspend(jump);
    assertThat(condemner.checkWait(now("v"))).as("before a response").isEmpty();
    server.setClockAhead(jump.negated());
    assertThat(condemner.postpone(now("v"))).get().isInstanceOf(WriteResult.Conflict.class);
  }

  @Test
  void postpone_clocksDiffer_computesDeadlineByLaterOne() throws InterruptedException {
    Duration ahead = Duration.ofHours(3);
    server.setClockAhead(ahead);
    condemner.postpone(put("v"));
    server.setClockAhead(ahead.negated());
    condemner.postpone(put("w"));
    assertThat(Condemnation.deadline(now("v"))).contains(time.now().plus(ahead).plus(DELAY));
    assertThat(Condemnation.deadline(now("w"))).contains(time.now().plus(DELAY));
  }

  @Test
  void postpone_changedVolume_returnsConflictWithoutReport() throws InterruptedException {
    Volume volume = put("v");
    put("v");
    assertThat(condemner.postpone(volume)).get().isInstanceOf(WriteResult.Conflict.class);
    assertThat(reports).isEmpty();
  }

  @Test
  void postpone_classAnnotation_overridesFlag() throws InterruptedException {
    server
        .cluster()
        .put(
            Kind.STORAGE_CLASS,
            TestObjects.storageClass("fast").annotation(Condemnation.DELAY, "0").build());
    assertThat(condemner.postpone(put("v"))).isEmpty();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void checkWait_withoutDelay_condemnedVolumeWaits() throws InterruptedException {
    condemner.postpone(put("v"));
    VolumeCondemner withoutDelay = condemner(Duration.ZERO, 0);
    assertThat(withoutDelay.checkWait(now("v"))).contains(new Outcome.CheckAgain(DELAY));
    assertThat(withoutDelay.postpone(put("w"))).isEmpty();
  }

  @Test
  void checkWait_unreadableDeadline_waitsAndReports() throws InterruptedException {
    condemner.postpone(put("v"));
    Volume volume =
        server
            .cluster()
            .put(
                Kind.VOLUME,
                TestObjects.like(now("v")).annotation(Condemnation.UNTIL, "soon").build());
    reports.clear();
    assertThat(condemner.checkWait(volume)).contains(new Outcome.CheckAgain(Duration.ofMinutes(1)));
    assertThat(reports).singleElement().asString().contains("\"soon\" cannot be read");
  }

  @Test
  void postpone_exceededLimit_endsDelayOfOldest() throws InterruptedException {
    VolumeCondemner limited = condemner(DELAY, 2L << 30);
    for (String name : List.of("a", "b", "c", "d")) {
      limited.postpone(put(name));
      time.advance(Duration.ofSeconds(10));
    }
    assertThat(reports).filteredOn(report -> report.contains("max-bytes")).hasSize(2);
    assertThat(limited.checkWait(now("a"))).isEmpty();
    assertThat(limited.checkWait(now("b"))).isEmpty();
    assertThat(limited.checkWait(now("c"))).isPresent();
    assertThat(limited.delay().backlog().count()).isEqualTo(4);
    assertThat(limited.delay().backlog().bytes()).isEqualTo(4L << 30);
  }

  @Test
  void checkWait_limitLoweredByRestart_endsDelayOfOldest() throws InterruptedException {
    for (String name : List.of("a", "b")) {
      condemner.postpone(put(name));
      time.advance(Duration.ofSeconds(10));
    }
    assertThat(condemner(DELAY, 1L << 30).checkWait(now("b"))).isPresent();
    assertThat(condemner.checkWait(now("a"))).as("due").isEmpty();
  }

  @Test
  void postpone_deletedClass_delayOfProvisionedVolumeStays() throws Exception {
    Volume volume =
        server
            .cluster()
            .put(
                Kind.VOLUME,
                TestObjects.volume("v")
                    .claimRef(ObjectKey.of("shop", "v"), "u")
                    .reclaimPolicy(ReclaimPolicy.DELETE)
                    .storageClass("deleted")
                    .annotation(Condemnation.CLASS_DELAY, "1h")
                    .build());

    assertThat(condemner(Duration.ZERO, 0).postpone(volume)).isPresent();
    assertThat(condemner(Duration.ZERO, 0).postpone(put("other"))).isEmpty();
  }
}
