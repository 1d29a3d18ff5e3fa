package dev.mooring.csi.decide;

/**
 * The one thing that is to be done next for a content of a snapshot or of a group of them.
 *
 * @param <H> how the driver is told which one
 */
public sealed interface ContentPlan<H> {
  /** Nothing, until something changes. */
  record Rest<H>() implements ContentPlan<H> {}

  /** The driver is asked to make it, or whether it is ready now. */
  record Create<H>() implements ContentPlan<H> {}

  /** The driver is asked for one that is there already. */
  record Look<H>(H handle) implements ContentPlan<H> {}

  /** What the driver has of it is destroyed, of a group all of its snapshots. */
  record Destroy<H>(H handle) implements ContentPlan<H> {}

  /** Nothing is left of it at the driver, or it is to stay there: the object may go. */
  record LetGo<H>() implements ContentPlan<H> {}

  /** It is made: the note that the driver may have begun is taken away. */
  record Forget<H>() implements ContentPlan<H> {}
}
