package dev.mooring.binder.decide;

import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A volume, and every test that it is put to for a claim.
 *
 * @param volume the volume
 * @param outcomes every test and how it ended, in a fixed order
 */
public record Trial(Volume volume, List<Outcome> outcomes) {
  private static final Map<VolumeTest, Outcome> PASSED =
      Stream.of(VolumeTest.values())
          .collect(Collectors.toUnmodifiableMap(t -> t, t -> new Outcome(t.token(), true, "")));

  /** Of ten thousand volumes each is compared a dozen times: what is compared is counted once. */
  private record Ranked(long failed, Trial trial) {
    private static final Comparator<Ranked> NEAREST =
        Comparator.comparingLong(Ranked::failed)
            .thenComparing(ranked -> ranked.trial.volume.storage())
            .thenComparing(ranked -> ranked.trial.volume.meta().name());
  }

  public Trial {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * How a test ended.
   *
   * @param test its name
   * @param passed whether the volume passed
   * @param note why not, as the end of a sentence about the volume; "" if it passed
   */
  public record Outcome(String test, boolean passed, String note) {}

  /** How many tests the volume failed. */
  public long failed() {
    long failed = 0;
    for (Outcome outcome : outcomes) {
      failed += outcome.passed() ? 0 : 1;
    }
    return failed;
  }

  /**
   * The trials of all volumes for a claim; of the one that it names, if it names one. Those that
   * fail fewest tests come first, then the smaller ones.
   */
  public static List<Trial> of(ClaimView view, Iterable<Volume> volumes, Policy policy) {
    return of(view, volumes, policy, EligibleNodes.UNKNOWN);
  }

  /**
   * The same, with the test of the nodes that reach a volume, where the scheduler chooses it.
   *
   * @param nodes those that may be chosen for the claim's pod
   */
  public static List<Trial> of(
      ClaimView view, Iterable<Volume> volumes, Policy policy, EligibleNodes nodes) {
    Wanted wanted = Wanted.by(view.claim(), view.isDelayed(), policy, nodes);
    String name = view.claim().volumeName();
    List<Ranked> ranked = new ArrayList<>();
    for (Volume volume : volumes) {
      if (name.isEmpty() || volume.meta().name().equals(name)) {
        Trial trial = of(wanted, volume);
        ranked.add(new Ranked(trial.failed(), trial));
      }
    }
    ranked.sort(Ranked.NEAREST);
    return ranked.stream().map(Ranked::trial).toList();
  }

  private static Trial of(Wanted wanted, Volume volume) {
    List<VolumeTest> tests = Fit.tests(wanted, volume);
    List<Outcome> outcomes = new ArrayList<>(tests.size());
    for (VolumeTest test : tests) {
      outcomes.add(
          test.passes(wanted, volume)
              ? PASSED.get(test)
              : new Outcome(test.token(), false, test.note(wanted, volume)));
    }
    return new Trial(volume, outcomes);
  }
}
