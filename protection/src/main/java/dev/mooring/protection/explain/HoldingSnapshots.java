package dev.mooring.protection.explain;

import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

record HoldingSnapshots(List<VolumeSnapshot> snapshots, String readError) {
  /**
   * Lists the snapshots live: few clusters have claims that wait for snapshots, so no cache is
   * kept.
   */
  static HoldingSnapshots read(ClusterView clusterView, ObjectKey claim)
      throws InterruptedException {
    return switch (clusterView.reader().list(Kind.SNAPSHOT, claim.namespace())) {
      case ReadResult.Found<List<VolumeSnapshot>>(List<VolumeSnapshot> snapshots) ->
          new HoldingSnapshots(
              snapshots.stream()
                  .filter(snapshot -> snapshot.sourceClaim().equals(claim.name()))
                  .filter(VolumeSnapshot::isProtectingClaim)
                  .sorted(Comparator.comparing(snapshot -> snapshot.meta().name()))
                  .toList(),
              "");
      case ReadResult.Absent<List<VolumeSnapshot>> _ -> new HoldingSnapshots(List.of(), "");
      case ReadResult.Failed<List<VolumeSnapshot>>(String message) ->
          new HoldingSnapshots(List.of(), message);
    };
  }

  Explanation addTo(Explanation explanation, List<ObjectHolder> otherHolders) {
    if (!readError.isEmpty()) {
      return explanation.withUnreadable(
          new UnreadableKind(Kind.SNAPSHOT, readError, "which snapshots keep the claim"));
    }
    if (snapshots.isEmpty()) {
      return explanation;
    }
    List<String> names = snapshots.stream().map(snapshot -> snapshot.meta().name()).toList();
    List<ObjectHolder> holders = new ArrayList<>();
    snapshots.forEach(snapshot ->
        holders.add(new ObjectHolder("snapshot", snapshot.key().toString(), state(snapshot))));
    holders.addAll(otherHolders);
    String noun = names.size() == 1 ? "snapshot " : "snapshots ";
    boolean hasProblem = snapshots.stream().anyMatch(snapshot -> !problem(snapshot).isEmpty());
    return new Explanation(
        explanation.subject(),
        explanation.state(),
        explanation.stateSince(),
        explanation.cause(),
        "kept for "
            + noun
            + Evidence.abbreviate(names)
            + (names.size() == 1 ? ", which is not ready" : ", which are not ready"),
        hasProblem
            ? NextStep.person(
                "delete "
                    + noun
                    + Evidence.abbreviate(names)
                    + ", or correct what their status reports")
            : explanation.nextStep(),
        Evidence.ofHolders(holders).withErrors(problems()),
        explanation.unreadableKinds());
  }

  private List<String> problems() {
    return snapshots.stream()
        .filter(snapshot -> !problem(snapshot).isEmpty())
        .map(snapshot -> snapshot.meta().name() + ": " + problem(snapshot))
        .distinct()
        .toList();
  }

  private static String problem(VolumeSnapshot snapshot) {
    return snapshot.status().problem().message();
  }

  private static String state(VolumeSnapshot snapshot) {
    String problem = problem(snapshot);
    return problem.isEmpty() ? "not ready yet" : "not ready: " + problem;
  }
}
