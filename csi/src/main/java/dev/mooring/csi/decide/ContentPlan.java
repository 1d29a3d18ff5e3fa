package dev.mooring.csi.decide;

/**
 * Next step for the content of a snapshot or of a group snapshot.
 *
 * @param <H> handle that identifies it at the driver
 */
public sealed interface ContentPlan<H> {
  record NoAction<H>() implements ContentPlan<H> {}

  /** Call CreateSnapshot: creates the snapshot, or polls until it is ready. */
  record Create<H>() implements ContentPlan<H> {}

  /** Query a snapshot that already exists at the driver. */
  record Query<H>(H handle) implements ContentPlan<H> {}

  /** Delete the snapshot at the driver; for a group, all its snapshots. */
  record Delete<H>(H handle) implements ContentPlan<H> {}

  /** Remove the finalizer: the driver has nothing left, or the policy is Retain. */
  record RemoveFinalizer<H>() implements ContentPlan<H> {}

  /** Remove the being-created annotation: creation has ended. */
  record ClearCreationMark<H>() implements ContentPlan<H> {}
}
