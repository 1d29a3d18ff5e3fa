package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.observe.VolumeLedger;
import dev.mooring.binder.observe.WaitingClaims;
import dev.mooring.informer.Change;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However many claims wait and whatever they ask for, a decision looks at a bounded number of
 * volumes. What is counted is looks at labels.
 */
class AnyShapeTest {
  private static final int VOLUMES = 10_000;
  private static final int CLAIMS = 2_000;

  /** Two looks at the labels of each volume that is looked at: their number, and themselves. */
  private static final int MOST_LOOKS = 2 * (1_000 + 1_500);

  /** What claims ask for that hope in vain, each a little different from the others. */
  enum Shape {
    OWN_LABEL {
      @Override
      LabelSelector selector(int i) {
        return new LabelSelector(Map.of("id", "none-" + i), List.of());
      }
    },
    LABELS_THAT_NEVER_MEET {
      @Override
      LabelSelector selector(int i) {
        return new LabelSelector(
            Map.of("half", "a", "other", "a"),
            List.of(new Requirement("x" + i, "DoesNotExist", List.of())));
      }
    },
    NOT_WHAT_ALL_ARE {
      @Override
      LabelSelector selector(int i) {
        return new LabelSelector(
            Map.of(), List.of(new Requirement("all", "NotIn", List.of("same", "x" + i))));
      }
    },
    WITHOUT_WHAT_ALL_HAVE {
      @Override
      LabelSelector selector(int i) {
        return new LabelSelector(
            Map.of(),
            List.of(
                new Requirement("all", "DoesNotExist", List.of()),
                new Requirement("x" + i, "DoesNotExist", List.of())));
      }
    },
    ONE_OF_MANY_VALUES {
      @Override
      LabelSelector selector(int i) {
        return new LabelSelector(
            Map.of(),
            List.of(
                new Requirement(
                    "id", "In", IntStream.range(0, 100).mapToObj(n -> "n" + i + "-" + n).toList()),
                new Requirement("half", "Exists", List.of())));
      }
    },
    MANY_TERMS {
      @Override
      LabelSelector selector(int i) {
        return new LabelSelector(
            Map.of(),
            IntStream.range(0, 100)
                .mapToObj(n -> new Requirement("all", "NotIn", List.of("n" + i + n, "same")))
                .toList());
      }
    },
    TOO_LARGE {
      @Override
      Quantity request(int i) {
        return Quantity.of(1000 + i + "Ti");
      }
    },
    OTHER_MODES {
      @Override
      AccessModes modes() {
        return AccessModes.of("ReadWriteMany", "ReadWriteOncePod");
      }
    };

    LabelSelector selector(int i) {
      return null;
    }

    Quantity request(int i) {
      return Quantity.of("1Gi");
    }

    AccessModes modes() {
      return AccessModes.of("ReadWriteOnce");
    }

    Claim claim(int i) {
      return AnyShapeTest.claim("evil", "c" + i, request(i), modes(), selector(i));
    }
  }

  private final LongAdder looks = new LongAdder();
  private final List<ObjectKey> woken = new ArrayList<>();

  private Volume volume(int i) {
    Map<String, String> labels =
        Map.of("all", "same", "id", "v" + i, i % 2 == 0 ? "half" : "other", "a");
    return new Volume(
        new Meta(
            ObjectKey.cluster("v" + i),
            Uid.of("v" + i),
            1,
            i,
            0,
            new Looks(labels, looks),
            Map.of(),
            List.of()),
        Map.of("storage", Quantity.of(10 + i % 100 + "Gi")),
        VolumeSource.NONE,
        AccessModes.of("ReadWriteOnce"),
        null,
        ReclaimPolicy.RETAIN,
        "",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.AVAILABLE, "", ""));
  }

  private static Claim claim(
      String namespace, String name, Quantity request, AccessModes modes, LabelSelector selector) {
    return new Claim(
        new Meta(
            ObjectKey.of(namespace, name),
            Uid.of(namespace + name),
            1,
            1,
            0,
            Map.of(),
            Map.of(),
            List.of()),
        modes,
        request,
        "",
        "",
        VolumeMode.FILESYSTEM,
        selector,
        "",
        false,
        new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""));
  }

  private static Claim plain(String name) {
    return claim("good", name, Quantity.of("1Gi"), AccessModes.of("ReadWriteOnce"), null);
  }

  /** Somebody else's selectors that match nothing: the case that took seconds. */
  @Test
  void aClaimAmongOthersWhoseSelectorsMatchNothing() {
    DryRun binder = new DryRun(false);
    for (int i = 0; i < VOLUMES; i++) {
      binder.add(volume(i));
    }
    for (int i = 0; i < CLAIMS; i++) {
      binder.expect(Shape.OWN_LABEL.claim(i));
    }
    looks.reset();
    assertThat(binder.volumeFor(plain("c"))).map(v -> v.meta().name()).contains("v0");
    assertThat(looks.sum()).isLessThan(MOST_LOOKS);
  }

  private VolumeLedger ledger(boolean likeKubernetes) {
    VolumeLedger ledger = new VolumeLedger(woken::add, volume -> {}, likeKubernetes);
    for (int i = 0; i < VOLUMES; i++) {
      ledger.observed(new Change.Added<>(volume(i)));
    }
    return ledger;
  }

  private static VolumeLedger.Handed decide(VolumeLedger ledger, Claim claim, Policy policy) {
    ClaimView view =
        new ClaimView(
            claim, Optional.empty(), "", List.of(), new ClaimView.Provisioning.ByNobody(""), false);
    return ledger.decide(
        new WaitingClaims.Wish(claim.key(), claim), v -> ClaimDecider.decide(view, v, policy));
  }

  @ParameterizedTest
  @EnumSource
  void noDecisionLooksAtMoreThanItsShare(Shape shape) {
    for (boolean likeKubernetes : new boolean[] {false, true}) {
      Policy policy = new Policy(likeKubernetes, true);
      VolumeLedger ledger = ledger(likeKubernetes);
      List<Claim> claims = IntStream.range(0, CLAIMS).mapToObj(shape::claim).toList();
      claims.forEach(ledger::observedClaim);
      for (int i = 0; i < 20; i++) {
        looks.reset();
        decide(ledger, claims.get(i), policy);
        assertThat(looks.sum()).as("claim %d", i).isLessThan(MOST_LOOKS);
      }
      looks.reset();
      assertThat(decide(ledger, plain("c"), policy))
          .isInstanceOfSatisfying(
              VolumeLedger.Handed.Decided.class,
              d -> assertThat(d.decision()).isInstanceOf(ClaimDecision.Bind.class));
      assertThat(looks.sum()).isLessThan(MOST_LOOKS);
    }
  }

  /** What was looked at in vain once is not looked at again: a resync costs next to nothing. */
  @ParameterizedTest
  @EnumSource
  void aClaimThatWaitsIsNotSearchedForAgain(Shape shape) {
    VolumeLedger ledger = ledger(false);
    Claim claim = shape.claim(1);
    int decisions = 1;
    while (decide(ledger, claim, Policy.DEFAULTS)
        instanceof VolumeLedger.Handed.Decided(ClaimDecision.SearchOn())) {
      decisions++;
    }
    assertThat(decisions).isLessThanOrEqualTo(2 + VOLUMES / 500);
    looks.reset();
    assertThat(decide(ledger, claim, Policy.DEFAULTS))
        .isInstanceOfSatisfying(
            VolumeLedger.Handed.Decided.class,
            d -> assertThat(d.decision()).isInstanceOf(ClaimDecision.Wait.class));
    assertThat(looks.sum()).isLessThan(10);
  }

  /** A volume that comes is offered to a few of those that wait, whatever all of them ask for. */
  @ParameterizedTest
  @EnumSource
  void aVolumeThatComesLooksAtFewOfThoseThatWait(Shape shape) {
    VolumeLedger ledger = new VolumeLedger(woken::add, volume -> {}, false);
    for (int i = 0; i < CLAIMS * 10; i++) {
      decide(ledger, shape.claim(i), Policy.DEFAULTS);
    }
    decide(ledger, plain("c"), Policy.DEFAULTS);
    looks.reset();
    ledger.observed(new Change.Added<>(volume(0)));
    assertThat(looks.sum()).isLessThan(MOST_LOOKS);
    assertThat(woken.size()).isLessThanOrEqualTo(8);
  }

  /** Of those that wait the best are asked, and the next when none of them took the volume. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 9, 100})
  void whoeverCouldTakeAVolumeIsAskedInTheEnd(int waiting) {
    VolumeLedger ledger = new VolumeLedger(woken::add, volume -> {}, false);
    for (int i = 0; i < waiting; i++) {
      decide(ledger, plain("c" + i), Policy.DEFAULTS);
    }
    ledger.observed(new Change.Added<>(volume(0)));
    List<ObjectKey> asked = new ArrayList<>();
    while (!woken.isEmpty()) {
      assertThat(woken.size()).isLessThanOrEqualTo(8);
      ObjectKey next = woken.removeFirst();
      asked.add(next);
      // it asks for more meanwhile
      Claim larger =
          claim(
              next.namespace(),
              next.name(),
              Quantity.of("500Gi"),
              AccessModes.of("ReadWriteOnce"),
              null);
      decide(ledger, larger, Policy.DEFAULTS);
    }
    assertThat(asked).hasSize(waiting).doesNotHaveDuplicates();
  }
}
