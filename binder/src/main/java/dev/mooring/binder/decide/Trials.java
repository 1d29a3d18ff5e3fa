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

/** What volumes are put to for one claim. */
public final class Trials {
  private static final Map<VolumeTest, Trial.Outcome> PASSED =
      Stream.of(VolumeTest.values())
          .collect(
              Collectors.toUnmodifiableMap(t -> t, t -> new Trial.Outcome(t.token(), true, "")));

  /** Of ten thousand volumes each is compared a dozen times: what is compared is counted once. */
  private record Ranked(int failed, Volume volume) {
    private static final Comparator<Ranked> NEAREST =
        Comparator.comparingInt(Ranked::failed)
            .thenComparing(ranked -> ranked.volume.storage())
            .thenComparing(ranked -> ranked.volume.meta().name());
  }

  private final Wanted wanted;
  private final String name;

  /** Of that claim, whatever nodes there are. */
  public Trials(ClaimView view, Policy policy) {
    this(view, policy, EligibleNodes.UNKNOWN);
  }

  /**
   * The same, with the test of the nodes that reach a volume, where the scheduler chooses it.
   *
   * @param nodes those that may be chosen for the claim's pod
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

  /** Of any volume, by the claim alone: whether its binding waits for a pod does not matter. */
  static Trials ofAny(Claim claim) {
    MatchSubject subject = new MatchSubject(claim, Policy.DEFAULTS);
    return new Trials(Wanted.by(subject, false, EligibleNodes.UNKNOWN), "");
  }

  /** Whether the volume is put to any: a claim that names one has eyes for no other. */
  public boolean concern(Volume volume) {
    return name.isEmpty() || volume.meta().name().equals(name);
  }

  /**
   * The volumes that this concerns: those that fail fewest tests come first, then the smaller ones.
   */
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
   * The first of those that fail any: to be told with an event, of which there may be as many as
   * there are claims, so that not all are put in order for a few.
   *
   * @param most how many, at least 1
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

  /** How many tests the volume fails. */
  public int failed(Volume volume) {
    int failed = 0;
    for (VolumeTest test : Fit.tests(wanted, volume)) {
      failed += test.passes(wanted, volume) ? 0 : 1;
    }
    return failed;
  }

  /** Every test of a volume. */
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
