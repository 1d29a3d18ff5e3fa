package dev.mooring.csi.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.GroupSnapshotContent;
import java.util.List;

/** Whether what a driver has of a group may be destroyed, by what the server says now. */
public sealed interface GroupVerdict {
  /** It may. The content as it is now. */
  record Confirmed(GroupSnapshotContent content) implements GroupVerdict {}

  /** It may not: the content is another one by now, or something else is to be done for it. */
  record Changed() implements GroupVerdict {}

  /** There is no such content any more. */
  record Gone() implements GroupVerdict {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements GroupVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may not, and is asked again. */
  record CannotTell(String why) implements GroupVerdict {}
}
