package dev.mooring.csi.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import java.util.List;

/**
 * Whether what a driver has of a snapshot, or of a group of them, may be destroyed, by what the
 * server says now.
 *
 * @param <C> the content
 */
public sealed interface ContentVerdict<C> {
  /** It may. The content as it is now. */
  record Confirmed<C>(C content) implements ContentVerdict<C> {}

  /** It may not: the content is another one by now, or something else is to be done for it. */
  record Changed<C>() implements ContentVerdict<C> {}

  /** There is no such content any more. */
  record Gone<C>() implements ContentVerdict<C> {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask<C>(List<Question<?>> questions) implements ContentVerdict<C>, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may not, and is asked again. */
  record CannotTell<C>(String why) implements ContentVerdict<C> {}
}
