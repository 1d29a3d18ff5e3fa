package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/**
 * Decides whether a driver has detached a volume, by the server's VolumeAttachment. Another node
 * may get the volume then, so a missing attachment in the cache is not enough. Ids in comments are
 * the rows of {@code docs/dev/live-verdicts.md}.
 */
public final class AttachmentCheck {
  public sealed interface GoneVerdict {
    record Gone() implements GoneVerdict {}

    record StillExists(Attachment current) implements GoneVerdict {}

    record Unknown(String message) implements GoneVerdict {}
  }

  private AttachmentCheck() {}

  public static Step<GoneVerdict> decide(ObjectKey key, LiveFacts live) {
    return switch (live.of(Kind.ATTACHMENT, key)) {
      case Fact.NotAsked<Attachment> _ -> Step.ask(Kind.ATTACHMENT, key); // G0
      case Fact.Absent<Attachment> _ -> Step.decided(new GoneVerdict.Gone()); // G1
      case Fact.Unknown<Attachment>(String message) ->
          Step.decided(new GoneVerdict.Unknown(message)); // G2
      // includes another attachment of that name, which a late request may have created (G3)
      case Fact.Present<Attachment>(Attachment current) ->
          Step.decided(new GoneVerdict.StillExists(current)); // G4
    };
  }
}
