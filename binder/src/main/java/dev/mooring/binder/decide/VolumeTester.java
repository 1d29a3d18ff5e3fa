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
  private static final Map<VolumeTest, MatchReport.TestResult> PASSED =
      Stream.of(VolumeTest.values())
          .collect(
              Collectors.toUnmodifiableMap(
                  t -> t, t -> new MatchReport.TestResult(t.token(), true, "")));

  /**
   * Volume with its number of failed tests, counted once: sorting 10,000 volumes compares each
   * about a dozen times.
   */
  private record RankedVolume(int failed, Volume volume) {
    private static final Comparator<RankedVolume> NEAREST =
        Comparator.comparingInt(RankedVolume::failed)
            .thenComparing(ranked -> ranked.volume.storage())
            .thenComparing(ranked -> ranked.volume.meta().name());
  }

  private final ClaimRequirements wanted;
  private final String name;

  public VolumeTester(ClaimView view, BinderPolicy policy) {
    this(view, policy, EligibleNodes.UNKNOWN);
  }

  public VolumeTester(ClaimView view, BinderPolicy policy, EligibleNodes nodes) {
    this(
        ClaimRequirements.by(new MatchSubject(view.claim(), policy), view.isDelayed(), nodes),
        view.claim().volumeName());
  }

  private VolumeTester(ClaimRequirements wanted, String name) {
    this.wanted = wanted;
    this.name = name;
  }

  /** Returns tests that depend on the claim alone, not on the binding mode of its class. */
  static VolumeTester ofAny(Claim claim) {
    MatchSubject subject = new MatchSubject(claim, BinderPolicy.DEFAULTS);
    return new VolumeTester(ClaimRequirements.by(subject, false, EligibleNodes.UNKNOWN), "");
  }

  /** Returns whether the volume is tested: a claim that names a volume is tested with no other. */
  public boolean concerns(Volume volume) {
    return name.isEmpty() || volume.meta().name().equals(name);
  }

  public List<Volume> nearest(Iterable<Volume> volumes) {
    List<RankedVolume> ranked = new ArrayList<>();
    for (Volume volume : volumes) {
      if (concerns(volume)) {
        ranked.add(new RankedVolume(countFailed(volume), volume));
      }
    }
    ranked.sort(RankedVolume.NEAREST);
    return ranked.stream().map(RankedVolume::volume).toList();
  }

  /**
   * Returns the first volumes that fail a test. Does not sort all volumes, because every claim may
   * need this for an event.
   *
   * @param most maximum number, at least 1
   */
  List<Volume> nearestMisses(Iterable<Volume> volumes, int most) {
    PriorityQueue<RankedVolume> nearest =
        new PriorityQueue<>(most + 1, RankedVolume.NEAREST.reversed());
    for (Volume volume : volumes) {
      int failed = concerns(volume) ? countFailed(volume) : 0;
      if (failed > 0 && (nearest.size() < most || failed <= nearest.element().failed())) {
        nearest.add(new RankedVolume(failed, volume));
        if (nearest.size() > most) {
          nearest.remove();
        }
      }
    }
    return nearest.stream().sorted(RankedVolume.NEAREST).map(RankedVolume::volume).toList();
  }

  public int countFailed(Volume volume) {
    int failed = 0;
    for (VolumeTest test : FitCheck.tests(wanted, volume)) {
      failed += test.passes(wanted, volume) ? 0 : 1;
    }
    return failed;
  }

  public MatchReport report(Volume volume) {
    List<VolumeTest> tests = FitCheck.tests(wanted, volume);
    List<MatchReport.TestResult> outcomes = new ArrayList<>(tests.size());
    for (VolumeTest test : tests) {
      outcomes.add(
          test.passes(wanted, volume)
              ? PASSED.get(test)
              : new MatchReport.TestResult(test.token(), false, test.note(wanted, volume)));
    }
    return new MatchReport(volume, outcomes);
  }
}
