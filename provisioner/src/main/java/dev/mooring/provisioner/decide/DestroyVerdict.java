package dev.mooring.provisioner.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Volume;
import java.util.List;

/** Decision whether to delete a volume's storage, based on live objects. */
public sealed interface DestroyVerdict {
  /** Delete it; the volume is the live object. */
  record Confirmed(Volume volume) implements DestroyVerdict {}

  /** Keep it until the volume changes. */
  record Spare() implements DestroyVerdict {}

  /** Keep it and annotate the volume, because its claim never used it. */
  record Kept(Volume volume) implements DestroyVerdict {}

  /** Wait: another volume represents the same storage. */
  record Twin(Volume other) implements DestroyVerdict {}

  /** Wait and check again, for the given reason. */
  record NotYet(String why) implements DestroyVerdict {}

  /** Unknown, because the API server did not answer. */
  record CannotTell(String why) implements DestroyVerdict {}

  /** Needs live objects: read them and decide again. */
  record Ask(List<Question<?>> questions) implements DestroyVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }
}
