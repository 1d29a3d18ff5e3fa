package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;

/**
 * Whether a volume has been detached by its driver, by what the server says of its
 * VolumeAttachment: another node may have it then. That the cache lacks the attachment is not
 * enough. Ids in comments are the rows of {@code docs/live-verdicts.md}.
 */
public final class AttachmentCheck {
  /** Whether it has. */
  public sealed interface GoneVerdict {
    /** What it rests on no cache may answer: ask, and decide again. */
    record Ask(List<Question<?>> questions) implements GoneVerdict, NeedsLive {
      public Ask {
        questions = List.copyOf(questions);
      }
    }

    /** It has. */
    record Gone() implements GoneVerdict {}

    /**
     * It has not.
     *
     * @param now the attachment
     */
    record StillThere(Attachment now) implements GoneVerdict {}

    /** Nobody could say. */
    record CannotTell(String why) implements GoneVerdict {}
  }

  private AttachmentCheck() {}

  /**
   * Decides.
   *
   * @param key what the attachment is called
   */
  public static GoneVerdict decide(ObjectKey key, LiveFacts live) {
    Question.One<Attachment> question = new Question.One<>(Kind.ATTACHMENT, key);
    return switch (live.of(question)) {
      case Fact.NotAsked<Attachment> _ -> new GoneVerdict.Ask(List.of(question));
      case Fact.Absent<Attachment> _ -> new GoneVerdict.Gone(); // G1
      case Fact.Unknown<Attachment>(String why) -> new GoneVerdict.CannotTell(why); // G2
      // another one of its name, too: it may have been asked for by a request that came late (G3)
      case Fact.Present<Attachment>(Attachment now) -> new GoneVerdict.StillThere(now); // G4
    };
  }
}
