package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.observe.Reservations;
import dev.mooring.binder.observe.WaitingClaims;
import dev.mooring.informer.Change;
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
 * However many claims wait and whatever they ask for, a decision looks at a bounded number of
 * volumes. What is counted is looks at labels, by the labels, and steps, by whoever takes them.
 */
class AnyShapeTest {
  private static final int VOLUMES = 10_000;
  private static final int CLAIMS = 2_000;

  /** Two looks at the labels of each volume that is looked at: their number, and themselves. */
  private static final int MOST_LOOKS = 2 * (1_000 + 1_500);

  private final LongAdder looks = new LongAdder();
  private final List<ObjectKey> woken = new ArrayList<>();

  /** Somebody else's selectors that match nothing: the case that took seconds. */
  @Test
  void aClaimAmongOthersWhoseSelectorsMatchNothing() {
    DryRun binder = new DryRun(Policy.DEFAULTS);
    for (int i = 0; i < VOLUMES; i++) {
      binder.add(ClusterShape.volume(i, looks));
    }
    for (int i = 0; i < CLAIMS; i++) {
      binder.expect(ClusterShape.OWN_LABEL.claim(i));
    }
    looks.reset();
    assertThat(binder.volumeFor(ClusterShape.plain("c"))).map(v -> v.meta().name()).contains("v0");
    assertThat(looks.sum()).isLessThan(MOST_LOOKS);
  }

  private Reservations reservations(Compat compat) {
    Reservations reservations =
        new Reservations(woken::add, volume -> {}, new Policy(compat, true));
    for (int i = 0; i < VOLUMES; i++) {
      reservations.observed(new Change.Added<>(ClusterShape.volume(i, looks)));
    }
    return reservations;
  }

  private static Reservations.Handed decide(Reservations reservations, Claim claim, Policy policy) {
    ClaimView view =
        new ClaimView(
            claim, Optional.empty(), "", List.of(), new ClaimView.Provisioning.ByNobody(""), false);
    return reservations.decide(
        new WaitingClaims.Wish(claim.key(), claim), v -> ClaimDecider.decide(view, v, policy));
  }

  @ParameterizedTest
  @EnumSource
  void noDecisionLooksAtMoreThanItsShare(ClusterShape shape) {
    for (Compat compat : Compat.values()) {
      Policy policy = new Policy(compat, true);
      Reservations reservations = reservations(compat);
      List<Claim> claims = IntStream.range(0, CLAIMS).mapToObj(shape::claim).toList();
      claims.forEach(reservations::observedClaim);
      for (int i = 0; i < 20; i++) {
        looks.reset();
        decide(reservations, claims.get(i), policy);
        assertThat(looks.sum()).as("claim %d", i).isLessThan(MOST_LOOKS);
      }
      looks.reset();
      assertThat(decide(reservations, ClusterShape.plain("c"), policy))
          .isInstanceOfSatisfying(
              Reservations.Handed.Decided.class,
              d -> assertThat(d.decision()).isInstanceOf(ClaimDecision.Bind.class));
      assertThat(looks.sum()).isLessThan(MOST_LOOKS);
    }
  }

  /** What was looked at in vain once is not looked at again: a resync costs next to nothing. */
  @ParameterizedTest
  @EnumSource
  void aClaimThatWaitsIsNotSearchedForAgain(ClusterShape shape) {
    Reservations reservations = reservations(Compat.MOORING);
    Claim claim = shape.claim(1);
    int decisions = 1;
    while (decide(reservations, claim, Policy.DEFAULTS)
        instanceof Reservations.Handed.Decided(ClaimDecision.SearchOn())) {
      decisions++;
    }
    assertThat(decisions).isLessThanOrEqualTo(2 + VOLUMES / 500);
    looks.reset();
    assertThat(decide(reservations, claim, Policy.DEFAULTS))
        .isInstanceOfSatisfying(
            Reservations.Handed.Decided.class,
            d -> assertThat(d.decision()).isInstanceOf(ClaimDecision.Wait.class));
    assertThat(looks.sum()).isLessThan(10);
  }

  /** A volume that comes is offered to a few of those that wait, whatever all of them ask for. */
  @ParameterizedTest
  @EnumSource
  void aVolumeThatComesLooksAtFewOfThoseThatWait(ClusterShape shape) {
    Reservations reservations = new Reservations(woken::add, volume -> {}, Policy.DEFAULTS);
    for (int i = 0; i < CLAIMS * 10; i++) {
      decide(reservations, shape.claim(i), Policy.DEFAULTS);
    }
    decide(reservations, ClusterShape.plain("c"), Policy.DEFAULTS);
    looks.reset();
    reservations.observed(new Change.Added<>(ClusterShape.volume(0, looks)));
    assertThat(looks.sum()).isLessThan(MOST_LOOKS);
    assertThat(woken.size()).isLessThanOrEqualTo(8);
  }

  /** Of those that wait the best are asked, and the next when none of them took the volume. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 9, 100})
  void whoeverCouldTakeAVolumeIsAskedInTheEnd(int waiting) {
    Reservations reservations = new Reservations(woken::add, volume -> {}, Policy.DEFAULTS);
    for (int i = 0; i < waiting; i++) {
      decide(reservations, ClusterShape.plain("c" + i), Policy.DEFAULTS);
    }
    reservations.observed(new Change.Added<>(ClusterShape.volume(0, looks)));
    List<ObjectKey> asked = new ArrayList<>();
    while (!woken.isEmpty()) {
      assertThat(woken.size()).isLessThanOrEqualTo(8);
      ObjectKey next = woken.removeFirst();
      asked.add(next);
      // it asks for more meanwhile
      Claim larger =
          ClusterShape.claim(
              next.namespace(),
              next.name(),
              Quantity.of("500Gi"),
              AccessModes.of("ReadWriteOnce"),
              null);
      decide(reservations, larger, Policy.DEFAULTS);
    }
    assertThat(asked).hasSize(waiting).doesNotHaveDuplicates();
  }
}
