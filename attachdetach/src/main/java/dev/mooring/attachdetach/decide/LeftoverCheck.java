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
 * Whether a VolumeAttachment attaches nothing, and never will: its volume is gone, and no attacher
 * has begun with it. A controller that is killed leaves such ones, when its request is carried out
 * after the volume was deleted. Ids in comments are the rows of {@code docs/live-verdicts.md}.
 */
public final class LeftoverCheck {
  /** What attach/detach controllers, Kubernetes' too, call the attachments that they make. */
  private static final Pattern NAME = Pattern.compile("csi-[0-9a-f]{64}");

  /** Whether it is to be deleted. */
  public sealed interface LeftoverVerdict {
    /** What it rests on no cache may answer: ask, and decide again. */
    record Ask(List<Question<?>> questions) implements LeftoverVerdict, NeedsLive {
      public Ask {
        questions = List.copyOf(questions);
      }
    }

    /**
     * It is of no use to anybody.
     *
     * @param now as it is
     */
    record Leftover(Attachment now) implements LeftoverVerdict {}

    /** It stays. */
    record Spared(String why) implements LeftoverVerdict {}
  }

  private LeftoverCheck() {}

  /** Whether it may be one, if its volume is gone: one that is called as ours, and untouched. */
  public static boolean isSuspect(Attachment attachment) {
    return NAME.matcher(attachment.key().name()).matches()
        && !attachment.volumeName().isEmpty()
        && isUntouched(attachment);
  }

  /** An attacher puts its finalizer there before it asks its driver for anything. */
  private static boolean isUntouched(Attachment attachment) {
    return attachment.meta().finalizers().isEmpty()
        && !attachment.meta().isBeingDeleted()
        && !attachment.attached();
  }

  /**
   * Decides.
   *
   * @param known the attachment as the cache has it: a suspect
   */
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
      case Fact.Absent<Attachment> _ -> new LeftoverVerdict.Spared("it is gone"); // W3
      case Fact.Unknown<Attachment>(String why) -> new LeftoverVerdict.Spared(why); // W4
      case Fact.Present<Attachment>(Attachment now) -> {
        if (!now.meta().uid().equals(known.meta().uid())) {
          yield new LeftoverVerdict.Spared("it is another one by now"); // W5
        }
        yield isUntouched(now)
            ? new LeftoverVerdict.Leftover(now) // W7
            : new LeftoverVerdict.Spared("an attacher has begun with it"); // W6
      }
    };
  }
}
