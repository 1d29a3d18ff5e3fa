package dev.mooring.binder.decide;

import dev.mooring.model.Volume;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * A volume, and every test that it is put to for a claim.
 *
 * @param volume the volume
 * @param outcomes every test and how it ended, in a fixed order
 */
public record Trial(Volume volume, List<Outcome> outcomes) {
  private static final Comparator<Trial> NEAREST =
      Comparator.comparingLong(Trial::failed)
          .thenComparing(trial -> trial.volume.storage())
          .thenComparing(trial -> trial.volume.meta().name());

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
    return outcomes.stream().filter(outcome -> !outcome.passed()).count();
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
    return StreamSupport.stream(volumes.spliterator(), false)
        .filter(volume -> name.isEmpty() || volume.meta().name().equals(name))
        .map(volume -> of(wanted, volume))
        .sorted(NEAREST)
        .toList();
  }

  private static Trial of(Wanted wanted, Volume volume) {
    return new Trial(
        volume,
        Fit.tests(wanted, volume).stream()
            .map(test -> {
              boolean passed = test.passes(wanted, volume);
              return new Outcome(test.token(), passed, passed ? "" : test.note(wanted, volume));
            })
            .toList());
  }
}
