package dev.mooring.snapshots.decide;

import dev.mooring.model.Quantity;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Optional;

final class SnapshotStatuses {
  private static final long SECOND = 1_000_000_000L;

  private SnapshotStatuses() {}

  static SnapshotStep statusStep(
      VolumeSnapshot.Status before, SnapshotContent content, String group) {
    SnapshotContent.Status observed = content.status();
    boolean bound = !before.content().isEmpty();
    VolumeSnapshot.Status now =
        new VolumeSnapshot.Status(
            bound ? before.content() : content.meta().name(),
            observed.ready(),
            before.created() == 0 ? Math.floorDiv(observed.created(), SECOND) : before.created(),
            size(before, observed),
            observed.ready() ? Problem.NONE : observed.problem(),
            before.group().isEmpty() ? group : before.group());
    return now.equals(before)
        ? CommonStep.NO_ACTION
        : new SnapshotStep.WriteStatus(
            now, before.created() == 0 && now.created() != 0, !before.ready() && now.ready());
  }

  private static Optional<Quantity> size(
      VolumeSnapshot.Status before, SnapshotContent.Status observed) {
    boolean known = before.restoreSize().filter(size -> !size.equals(Quantity.ZERO)).isPresent();
    return known || observed.restoreSize() == 0
        ? before.restoreSize()
        : Optional.of(Quantity.ofBytes(observed.restoreSize()));
  }
}
