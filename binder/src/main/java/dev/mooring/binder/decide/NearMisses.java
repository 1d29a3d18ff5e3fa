package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists the volumes that failed the fewest tests, with the failed tests. */
public final class NearMisses {
  private static final int MAX_NAMED = 5;

  private NearMisses() {}

  /**
   * Returns the nearest five volumes for the note of an event; "" if there are no volumes. The
   * readers of the note are users of the claim's namespace: it counts the volumes of other
   * namespaces' claims and does not name them.
   *
   * @param volumes volumes to test
   */
  public static String of(Claim claim, List<Volume> volumes) {
    String namespace = claim.meta().key().namespace();
    List<Volume> nameable = new ArrayList<>(volumes.size());
    for (Volume volume : volumes) {
      if (isNameable(volume, namespace)) {
        nameable.add(volume);
      }
    }
    VolumeTester tester = VolumeTester.ofAny(claim);
    return Stream.concat(
            tester.findNearestMisses(nameable, MAX_NAMED).stream()
                .map(
                    volume -> volume.meta().name() + " " + describeFailures(tester.report(volume))),
            describeOthers(volumes.size() - nameable.size()))
        .collect(Collectors.joining("; "));
  }

  private static boolean isNameable(Volume volume, String namespace) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.claim().namespace().isEmpty() || ref.isIn(namespace);
  }

  private static Stream<String> describeOthers(int count) {
    return switch (count) {
      case 0 -> Stream.empty();
      case 1 -> Stream.of("1 volume belongs to a claim of another namespace");
      default -> Stream.of(count + " volumes belong to claims of other namespaces");
    };
  }

  private static String describeFailures(MatchReport report) {
    return report.results().stream()
        .filter(outcome -> !outcome.passed())
        .map(MatchReport.TestResult::message)
        .collect(Collectors.joining(" and "));
  }
}
