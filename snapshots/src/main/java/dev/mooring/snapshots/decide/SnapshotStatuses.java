package dev.mooring.snapshots.decide;

import dev.mooring.model.Quantity;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Optional;

/** A snapshot's status, as its content has it. */
final class SnapshotStatuses {
  private static final long SECOND = 1_000_000_000L;

  private SnapshotStatuses() {}

  /**
   * The status that follows; nothing if it is that already.
   *
   * @param group the name of the group that it was cut with, "" for none
   */
  static SnapshotStep show(VolumeSnapshot.Status before, SnapshotContent content, String group) {
    SnapshotContent.Status said = content.status();
    boolean bound = !before.content().isEmpty();
    VolumeSnapshot.Status now =
        new VolumeSnapshot.Status(
            bound ? before.content() : content.meta().name(),
            said.ready(),
            before.created() == 0 ? Math.floorDiv(said.created(), SECOND) : before.created(),
            size(before, said),
            said.ready() ? Problem.NONE : said.problem(),
            before.group().isEmpty() ? group : before.group());
    return now.equals(before)
        ? CommonStep.REST
        : new SnapshotStep.Show(
            now, before.created() == 0 && now.created() != 0, !before.ready() && now.ready());
  }

  private static Optional<Quantity> size(
      VolumeSnapshot.Status before, SnapshotContent.Status said) {
    boolean known = before.restoreSize().filter(size -> !size.equals(Quantity.ZERO)).isPresent();
    return known || said.restoreSize() == 0
        ? before.restoreSize()
        : Optional.of(Quantity.ofBytes(said.restoreSize()));
  }
}
