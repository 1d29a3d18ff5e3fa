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
 * Decides whether a driver has detached a volume, by the server's VolumeAttachment. Another node
 * may get the volume then, so a missing attachment in the cache is not enough. Ids in comments are
 * the rows of {@code docs/dev/live-verdicts.md}.
 */
public final class AttachmentCheck {
  public sealed interface GoneVerdict {
    record Ask(List<Question<?>> questions) implements GoneVerdict, NeedsLive {
      public Ask {
        questions = List.copyOf(questions);
      }
    }

    record Gone() implements GoneVerdict {}

    record StillThere(Attachment now) implements GoneVerdict {}

    record CannotTell(String why) implements GoneVerdict {}
  }

  private AttachmentCheck() {}

  public static GoneVerdict decide(ObjectKey key, LiveFacts live) {
    Question.One<Attachment> question = new Question.One<>(Kind.ATTACHMENT, key);
    return switch (live.of(question)) {
      case Fact.NotAsked<Attachment> _ -> new GoneVerdict.Ask(List.of(question));
      case Fact.Absent<Attachment> _ -> new GoneVerdict.Gone(); // G1
      case Fact.Unknown<Attachment>(String why) -> new GoneVerdict.CannotTell(why); // G2
      // also another attachment of that name: a late request may have created it (G3)
      case Fact.Present<Attachment>(Attachment now) -> new GoneVerdict.StillThere(now); // G4
    };
  }
}
