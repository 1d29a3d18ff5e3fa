package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.binder.state.VolumeReservations.ReservationResult;
import dev.mooring.informer.Change;
import dev.mooring.live.Step;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.reconcile.Compat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a decision reads a bounded number of volumes, however many claims are pending and
 * whatever they request. Counts reads of labels, by the labels themselves, and steps.
 */
class AnyShapeTest {
  private static final int VOLUMES = 4_000;
  private static final int CLAIMS = 1_000;

  /** Each tested volume has its labels read twice: their number and their values. */
  private static final int MAX_LABEL_READS = 2 * (1_000 + 1_500);

  private final LongAdder labelReads = new LongAdder();
  private final RequeuedKeys requeued = new RequeuedKeys();
  private final List<ObjectKey> woken = requeued.claims();

  /** Pending claims whose selectors match nothing once made a decision take seconds. */
  @Test
  void decide_othersHaveSelectorsThatMatchNothing_readsFewVolumes() {
    DryRun binder = new DryRun(BinderPolicy.DEFAULTS);
    for (int i = 0; i < VOLUMES; i++) {
      binder.add(ClusterShape.volume(i, labelReads));
    }
    for (int i = 0; i < CLAIMS; i++) {
      binder.addPendingClaim(ClusterShape.OWN_LABEL.claim(i));
    }
    labelReads.reset();
    assertThat(binder.volumeFor(ClusterShape.plain("c"))).map(v -> v.meta().name()).contains("v0");
    assertThat(labelReads.sum()).isLessThan(MAX_LABEL_READS);
  }

  private VolumeReservations reservations(Compat compat) {
    VolumeReservations reservations =
        new VolumeReservations(requeued, new BinderPolicy(compat, true));
    for (int i = 0; i < VOLUMES; i++) {
      reservations.volumeChanged(new Change.Added<>(ClusterShape.volume(i, labelReads)));
    }
    return reservations;
  }

  private static Step<ReservationResult> decide(
      VolumeReservations reservations, Claim claim, BinderPolicy policy) {
    ClaimView view =
        new ClaimView(
            claim, Optional.empty(), "", List.of(), new ClaimView.Provisioning.Unserved(""), false);
    return reservations.decide(claim, v -> ClaimDecider.decide(view, v, policy));
  }

  @ParameterizedTest
  @EnumSource
  void decide_anyShape_readsBoundedNumberOfVolumes(ClusterShape shape) {
    for (Compat compat : Compat.values()) {
      BinderPolicy policy = new BinderPolicy(compat, true);
      VolumeReservations reservations = reservations(compat);
      List<Claim> claims = IntStream.range(0, CLAIMS).mapToObj(shape::claim).toList();
      claims.forEach(reservations::updateClaim);
      for (int i = 0; i < 20; i++) {
        labelReads.reset();
        decide(reservations, claims.get(i), policy);
        assertThat(labelReads.sum()).as("claim %d", i).isLessThan(MAX_LABEL_READS);
      }
      labelReads.reset();
      assertThat(decide(reservations, ClusterShape.plain("c"), policy))
          .matches(step ->
              step
                  instanceof
                  Step.Decided<ReservationResult>(ReservationResult.Decided(ClaimDecision.Bind _)));
      assertThat(labelReads.sum()).isLessThan(MAX_LABEL_READS);
    }
  }

  /** A rejected volume is not tested again: a resync costs next to nothing. */
  @ParameterizedTest
  @EnumSource
  void decide_pendingClaimAgain_readsNoVolume(ClusterShape shape) {
    VolumeReservations reservations = reservations(Compat.MOORING);
    Claim claim = shape.claim(1);
    int decisions = 1;
    while (decide(reservations, claim, BinderPolicy.DEFAULTS)
        instanceof
        Step.Decided<ReservationResult>(
            ReservationResult.Decided(ClaimDecision.ContinueSearch()))) {
      decisions++;
    }
    assertThat(decisions).isLessThanOrEqualTo(2 + VOLUMES / 500);
    labelReads.reset();
    assertThat(decide(reservations, claim, BinderPolicy.DEFAULTS))
        .matches(step ->
            step
                instanceof
                Step.Decided<ReservationResult>(ReservationResult.Decided(ClaimDecision.Wait _)));
    assertThat(labelReads.sum()).isLessThan(10);
  }

  @ParameterizedTest
  @EnumSource
  void volumeChanged_newVolume_testsFewPendingClaims(ClusterShape shape) {
    VolumeReservations reservations = new VolumeReservations(requeued, BinderPolicy.DEFAULTS);
    for (int i = 0; i < CLAIMS * 10; i++) {
      decide(reservations, shape.claim(i), BinderPolicy.DEFAULTS);
    }
    decide(reservations, ClusterShape.plain("c"), BinderPolicy.DEFAULTS);
    labelReads.reset();
    reservations.volumeChanged(new Change.Added<>(ClusterShape.volume(0, labelReads)));
    assertThat(labelReads.sum()).isLessThan(MAX_LABEL_READS);
    assertThat(woken.size()).isLessThanOrEqualTo(8);
  }

  /** The largest claims get the offer first, and the next claims after these declined. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 9, 100})
  void offer_claimsDecline_reachesEverySuitableClaim(int waiting) {
    VolumeReservations reservations = new VolumeReservations(requeued, BinderPolicy.DEFAULTS);
    for (int i = 0; i < waiting; i++) {
      decide(reservations, ClusterShape.plain("c" + i), BinderPolicy.DEFAULTS);
    }
    reservations.volumeChanged(new Change.Added<>(ClusterShape.volume(0, labelReads)));
    List<ObjectKey> offeredClaims = new ArrayList<>();
    while (!woken.isEmpty()) {
      assertThat(woken.size()).isLessThanOrEqualTo(8);
      ObjectKey next = woken.removeFirst();
      offeredClaims.add(next);
      // the claim requests more now
      Claim larger =
          ClusterShape.claim(
              next.namespace(),
              next.name(),
              Quantity.of("500Gi"),
              AccessModes.of("ReadWriteOnce"),
              null);
      decide(reservations, larger, BinderPolicy.DEFAULTS);
    }
    assertThat(offeredClaims).hasSize(waiting).doesNotHaveDuplicates();
  }
}
