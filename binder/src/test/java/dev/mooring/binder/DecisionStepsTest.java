package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.MatchSubject;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.binder.state.VolumeReservations.ReservationResult;
import dev.mooring.informer.Change;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Compat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the maximum number of steps of a decision: independent of the number of volumes and claims
 * and of their requests.
 */
class DecisionStepsTest {
  private static final int VOLUMES = 4_000;
  private static final int CLAIMS = 1_000;
  private static final int MAX_LABEL_READS = 3 * (500 + 1_500 + 250);

  /** Search, plan for other claims, and offer of the volume that the claim did not take. */
  private static final long MOST_STEPS = 500 + 1_500 + 250;

  /** Steps after the budget is used up: the last test, and the index reads before the first. */
  private static final long STEPS_AFTER_LIMIT = 100;

  private final LongAdder labelReads = new LongAdder();
  private final RequeuedKeys requeued = new RequeuedKeys();
  private final List<ObjectKey> woken = requeued.claims();

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

  /** Many volumes that become free at once: a decision continues with one of them. */
  @Test
  void decide_claimWithManyOffers_declinesOnce() {
    VolumeReservations reservations = new VolumeReservations(requeued, BinderPolicy.DEFAULTS);
    LabelSelector half = new LabelSelector(Map.of("half", "a"), List.of());
    for (int i = 0; i < 1000; i++) {
      decide(reservations, ClusterShape.plain("c" + i, half), BinderPolicy.DEFAULTS);
    }
    for (int i = 0; i < 2000; i++) {
      reservations.volumeChanged(new Change.Added<>(ClusterShape.volume(i, labelReads)));
    }
    Set<ObjectKey> bound = new HashSet<>();
    while (!woken.isEmpty()) {
      labelReads.reset();
      ObjectKey next = woken.removeFirst();
      if (!bound.contains(next)) {
        switch (decide(
            reservations, ClusterShape.plain(next.name(), half), BinderPolicy.DEFAULTS)) {
          case Step.Decided<ReservationResult>(ReservationResult.Decided(ClaimDecision.Bind _)) ->
              bound.add(next);
          case Step.Decided<ReservationResult>(
                  ReservationResult.Decided(ClaimDecision.ContinueSearch _)) ->
              woken.add(next);
          default -> {}
        }
      }
      assertThat(labelReads.sum()).as("after %d", bound.size()).isLessThan(MAX_LABEL_READS);
    }
    assertThat(bound).hasSize(1000);
  }

  @ParameterizedTest
  @EnumSource
  void decide_anyShape_staysWithinMaximumSteps(ClusterShape shape) {
    for (Compat compat : Compat.values()) {
      BinderPolicy policy = new BinderPolicy(compat, true);
      VolumeReservations reservations = reservations(compat);
      List<Claim> claims = IntStream.range(0, CLAIMS).mapToObj(shape::claim).toList();
      claims.forEach(reservations::updateClaim);
      List<Claim> offeredClaims = new ArrayList<>(claims.subList(0, 200));
      offeredClaims.add(ClusterShape.plain("c"));
      for (int round = 0; round < 3; round++) {
        for (Claim claim : offeredClaims) {
          long stepsBefore = reservations.totalSteps();
          decide(reservations, claim, policy);
          assertThat(reservations.totalSteps() - stepsBefore)
              .isLessThanOrEqualTo(MOST_STEPS + STEPS_AFTER_LIMIT);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void volumeChanged_newVolume_staysWithinMaximumSteps(ClusterShape shape) {
    VolumeReservations reservations = new VolumeReservations(requeued, BinderPolicy.DEFAULTS);
    for (int i = 0; i < CLAIMS * 5; i++) {
      decide(reservations, shape.claim(i), BinderPolicy.DEFAULTS);
    }
    for (int i = 0; i < 50; i++) {
      long stepsBefore = reservations.totalSteps();
      reservations.volumeChanged(new Change.Added<>(ClusterShape.volume(i, labelReads)));
      reservations.continueOffer("v" + i);
      assertThat(reservations.totalSteps() - stepsBefore)
          .isLessThanOrEqualTo(2 * (250 + STEPS_AFTER_LIMIT));
    }
  }

  /** Testing many labels takes as many steps as there are labels to compare. */
  @Test
  void steps_hundredTerms_countAsHundred() {
    VolumeReservations reservations = new VolumeReservations(requeued, BinderPolicy.DEFAULTS);
    Map<String, String> labels = new HashMap<>();
    IntStream.range(0, 100).forEach(n -> labels.put("l" + n, "v" + n));
    for (int i = 0; i < 1000; i++) {
      reservations.volumeChanged(new Change.Added<>(ClusterShape.volume(i, labels, labelReads)));
    }
    labelReads.reset();
    decide(reservations, ClusterShape.MANY_LABELS.claim(1), BinderPolicy.DEFAULTS);
    assertThat(labelReads.sum()).isLessThan(2 * 3 * 500 / 25);
  }

  /** Colliding hashes do not slow down other claims, because requests are ordered. */
  @Test
  void decide_queriesWithEqualHashes_staysFast() {
    List<MatchKey> keys =
        IntStream.range(0, 1000)
            .mapToObj(ClusterShape.VALUES_OF_ONE_HASH::claim)
            .map(claim -> MatchKey.of(new MatchSubject(claim, BinderPolicy.DEFAULTS)))
            .toList();
    assertThat(keys).extracting(MatchKey::hashCode).containsOnly(keys.getFirst().hashCode());
    assertThat(new TreeSet<>(keys)).hasSize(1000);
    assertThat(keys.getFirst().labels()).isInstanceOf(Comparable.class);
  }
}
