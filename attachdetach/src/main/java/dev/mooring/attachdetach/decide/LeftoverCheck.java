package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Decides whether a VolumeAttachment is useless: its volume is gone, and no attacher has started
 * with it. A killed controller leaves one if its request arrives after the volume was deleted. Ids
 * in comments are the rows of {@code docs/dev/live-verdicts.md}.
 */
public final class LeftoverCheck {
  // names that attach/detach controllers, including Kubernetes', give their attachments
  private static final Pattern NAME = Pattern.compile("csi-[0-9a-f]{64}");

  public sealed interface LeftoverVerdict {
    record Ask(List<Question<?>> questions) implements LeftoverVerdict, NeedsLive {
      public Ask {
        questions = List.copyOf(questions);
      }
    }

    record Leftover(Attachment now) implements LeftoverVerdict {}

    record Spared(String why) implements LeftoverVerdict {}
  }

  private LeftoverCheck() {}

  /**
   * Returns whether the attachment is useless if its volume is gone: its name is one of ours, and
   * no attacher has touched it.
   */
  public static boolean isSuspect(Attachment attachment) {
    return NAME.matcher(attachment.key().name()).matches()
        && !attachment.volumeName().isEmpty()
        && isUntouched(attachment);
  }

  // an attacher adds its finalizer before it calls its driver
  private static boolean isUntouched(Attachment attachment) {
    return attachment.meta().finalizers().isEmpty()
        && !attachment.meta().isBeingDeleted()
        && !attachment.attached();
  }

  public static LeftoverVerdict decide(Attachment known, LiveFacts live) {
    Question.One<Volume> volume =
        new Question.One<>(Kind.VOLUME, ObjectKey.cluster(known.volumeName()));
    return switch (live.of(volume)) {
      case Fact.NotAsked<Volume> _ -> new LeftoverVerdict.Ask(List.of(volume));
      case Fact.Present<Volume> _ -> new LeftoverVerdict.Spared("its volume is there"); // W1
      case Fact.Unknown<Volume>(String why) -> new LeftoverVerdict.Spared(why); // W2
      case Fact.Absent<Volume> _ -> ofNoVolume(known, live);
    };
  }

  private static LeftoverVerdict ofNoVolume(Attachment known, LiveFacts live) {
    Question.One<Attachment> attachment = new Question.One<>(Kind.ATTACHMENT, known.key());
    return switch (live.of(attachment)) {
      case Fact.NotAsked<Attachment> _ -> new LeftoverVerdict.Ask(List.of(attachment));
      case Fact.Absent<Attachment> _ -> new LeftoverVerdict.Spared("it is deleted"); // W3
      case Fact.Unknown<Attachment>(String why) -> new LeftoverVerdict.Spared(why); // W4
      case Fact.Present<Attachment>(Attachment now) -> {
        if (!now.meta().uid().equals(known.meta().uid())) {
          yield new LeftoverVerdict.Spared("it is another one now"); // W5
        }
        yield isUntouched(now)
            ? new LeftoverVerdict.Leftover(now) // W7
            : new LeftoverVerdict.Spared("an attacher has started with it"); // W6
      }
    };
  }
}
