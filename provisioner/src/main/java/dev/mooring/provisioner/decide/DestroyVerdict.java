package dev.mooring.provisioner.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Volume;
import java.util.List;

/** Whether what a volume stands for may be destroyed, by what the server says now. */
public sealed interface DestroyVerdict {
  /** It may. The volume as it is now. */
  record Confirmed(Volume volume) implements DestroyVerdict {}

  /** It may not, and need not be looked at before it changes. */
  record Spare() implements DestroyVerdict {}

  /** It may not, because it was never its claim's: it says so from now on. The volume as it is. */
  record Kept(Volume volume) implements DestroyVerdict {}

  /** It may not yet: that volume stands for the same storage. */
  record Twin(Volume other) implements DestroyVerdict {}

  /** It may not as yet; why. It is looked at again. */
  record NotYet(String why) implements DestroyVerdict {}

  /** Whether it may is unknown, because the server did not say; why. */
  record CannotTell(String why) implements DestroyVerdict {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements DestroyVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }
}
