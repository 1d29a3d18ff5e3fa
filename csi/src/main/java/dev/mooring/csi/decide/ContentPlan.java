package dev.mooring.csi.decide;

/**
 * Next step for the content of a snapshot or of a group snapshot.
 *
 * @param <H> handle that identifies it at the driver
 */
public sealed interface ContentPlan<H> {
  record NoAction<H>() implements ContentPlan<H> {}

  record Create<H>() implements ContentPlan<H> {}

  record Query<H>(H handle) implements ContentPlan<H> {}

  record Delete<H>(H handle) implements ContentPlan<H> {}

  record RemoveFinalizer<H>() implements ContentPlan<H> {}

  record ClearCreationMark<H>() implements ContentPlan<H> {}
}
