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

public final class VolumeTester {
  private static final Map<VolumeCriterion, MatchReport.TestResult> PASSED =
      Stream.of(VolumeCriterion.values())
          .collect(
              Collectors.toUnmodifiableMap(
                  t -> t, t -> new MatchReport.TestResult(t.token(), true, "")));

  /**
   * Volume with its number of failed tests, counted once: sorting 10,000 volumes compares each
   * about a dozen times.
   */
  private record RankedVolume(int failedTests, Volume volume) {
    private static final Comparator<RankedVolume> NEAREST =
        Comparator.comparingInt(RankedVolume::failedTests)
            .thenComparing(ranked -> ranked.volume.storage())
            .thenComparing(ranked -> ranked.volume.meta().name());
  }

  private final ClaimRequirements requirements;
  private final String volumeName;

  public VolumeTester(ClaimView view, BinderPolicy policy) {
    this(view, policy, EligibleNodes.UNKNOWN);
  }

  public VolumeTester(ClaimView view, BinderPolicy policy, EligibleNodes nodes) {
    this(
        ClaimRequirements.of(new MatchSubject(view.claim(), policy), view.isDelayed(), nodes),
        view.claim().volumeName());
  }

  private VolumeTester(ClaimRequirements requirements, String volumeName) {
    this.requirements = requirements;
    this.volumeName = volumeName;
  }

  /** Returns tests that depend on the claim alone, not on the binding mode of its class. */
  static VolumeTester ofAny(Claim claim) {
    MatchSubject subject = new MatchSubject(claim, BinderPolicy.DEFAULTS);
    return new VolumeTester(ClaimRequirements.of(subject, false, EligibleNodes.UNKNOWN), "");
  }

  /** Returns whether the volume is tested: a claim that names a volume is tested with no other. */
  public boolean isTested(Volume volume) {
    return volumeName.isEmpty() || volume.meta().name().equals(volumeName);
  }

  public List<Volume> sortByNearness(Iterable<Volume> volumes) {
    List<RankedVolume> ranked = new ArrayList<>();
    for (Volume volume : volumes) {
      if (isTested(volume)) {
        ranked.add(new RankedVolume(countFailedTests(volume), volume));
      }
    }
    ranked.sort(RankedVolume.NEAREST);
    return ranked.stream().map(RankedVolume::volume).toList();
  }

  /**
   * Returns the first volumes that fail a test. Does not sort all volumes, because every claim may
   * need this for an event.
   *
   * @param maximum maximum number, at least 1
   */
  List<Volume> findNearestMisses(Iterable<Volume> volumes, int maximum) {
    PriorityQueue<RankedVolume> nearest =
        new PriorityQueue<>(maximum + 1, RankedVolume.NEAREST.reversed());
    for (Volume volume : volumes) {
      int failedTests = isTested(volume) ? countFailedTests(volume) : 0;
      if (failedTests > 0
          && (nearest.size() < maximum || failedTests <= nearest.element().failedTests())) {
        nearest.add(new RankedVolume(failedTests, volume));
        if (nearest.size() > maximum) {
          nearest.remove();
        }
      }
    }
    return nearest.stream().sorted(RankedVolume.NEAREST).map(RankedVolume::volume).toList();
  }

  public int countFailedTests(Volume volume) {
    int failedTests = 0;
    for (VolumeCriterion test : FitCheck.selectTests(requirements, volume)) {
      failedTests += test.passes(requirements, volume) ? 0 : 1;
    }
    return failedTests;
  }

  public MatchReport report(Volume volume) {
    List<VolumeCriterion> tests = FitCheck.selectTests(requirements, volume);
    List<MatchReport.TestResult> results = new ArrayList<>(tests.size());
    for (VolumeCriterion test : tests) {
      results.add(
          test.passes(requirements, volume)
              ? PASSED.get(test)
              : new MatchReport.TestResult(
                  test.token(), false, test.describeMismatch(requirements, volume)));
    }
    return new MatchReport(volume, results);
  }
}
