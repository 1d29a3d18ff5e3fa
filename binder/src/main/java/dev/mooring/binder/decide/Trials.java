package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tests volumes for one claim. */
public final class Trials {
  private static final Map<VolumeTest, Trial.Outcome> PASSED =
      Stream.of(VolumeTest.values())
          .collect(
              Collectors.toUnmodifiableMap(t -> t, t -> new Trial.Outcome(t.token(), true, "")));

  /**
   * Volume with its number of failed tests, counted once: sorting 10,000 volumes compares each
   * about a dozen times.
   */
  private record Ranked(int failed, Volume volume) {
    private static final Comparator<Ranked> NEAREST =
        Comparator.comparingInt(Ranked::failed)
            .thenComparing(ranked -> ranked.volume.storage())
            .thenComparing(ranked -> ranked.volume.meta().name());
  }

  private final Wanted wanted;
  private final String name;

  /** Creates tests that ignore nodes. */
  public Trials(ClaimView view, Policy policy) {
    this(view, policy, EligibleNodes.UNKNOWN);
  }

  /**
   * Creates tests that include node affinity if the scheduler selects the volume.
   *
   * @param nodes nodes that may be selected for the claim's pod
   */
  public Trials(ClaimView view, Policy policy, EligibleNodes nodes) {
    this(
        Wanted.by(new MatchSubject(view.claim(), policy), view.isDelayed(), nodes),
        view.claim().volumeName());
  }

  private Trials(Wanted wanted, String name) {
    this.wanted = wanted;
    this.name = name;
  }

  /** Returns tests that depend on the claim alone, not on the binding mode of its class. */
  static Trials ofAny(Claim claim) {
    MatchSubject subject = new MatchSubject(claim, Policy.DEFAULTS);
    return new Trials(Wanted.by(subject, false, EligibleNodes.UNKNOWN), "");
  }

  /** Returns whether the volume is tested: a claim that names a volume is tested with no other. */
  public boolean concern(Volume volume) {
    return name.isEmpty() || volume.meta().name().equals(name);
  }

  /** Returns the tested volumes, sorted by the number of failed tests, then by size. */
  public List<Volume> nearest(Iterable<Volume> volumes) {
    List<Ranked> ranked = new ArrayList<>();
    for (Volume volume : volumes) {
      if (concern(volume)) {
        ranked.add(new Ranked(failed(volume), volume));
      }
    }
    ranked.sort(Ranked.NEAREST);
    return ranked.stream().map(Ranked::volume).toList();
  }

  /**
   * Returns the first volumes that fail a test. Does not sort all volumes, because every claim may
   * need this for an event.
   *
   * @param most maximum number, at least 1
   */
  List<Volume> nearestMisses(Iterable<Volume> volumes, int most) {
    PriorityQueue<Ranked> nearest = new PriorityQueue<>(most + 1, Ranked.NEAREST.reversed());
    for (Volume volume : volumes) {
      int failed = concern(volume) ? failed(volume) : 0;
      if (failed > 0 && (nearest.size() < most || failed <= nearest.element().failed())) {
        nearest.add(new Ranked(failed, volume));
        if (nearest.size() > most) {
          nearest.remove();
        }
      }
    }
    return nearest.stream().sorted(Ranked.NEAREST).map(Ranked::volume).toList();
  }

  public int failed(Volume volume) {
    int failed = 0;
    for (VolumeTest test : Fit.tests(wanted, volume)) {
      failed += test.passes(wanted, volume) ? 0 : 1;
    }
    return failed;
  }

  public Trial of(Volume volume) {
    List<VolumeTest> tests = Fit.tests(wanted, volume);
    List<Trial.Outcome> outcomes = new ArrayList<>(tests.size());
    for (VolumeTest test : tests) {
      outcomes.add(
          test.passes(wanted, volume)
              ? PASSED.get(test)
              : new Trial.Outcome(test.token(), false, test.note(wanted, volume)));
    }
    return new Trial(volume, outcomes);
  }
}
