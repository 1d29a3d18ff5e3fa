package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
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
    record Leftover(Attachment current) implements LeftoverVerdict {}

    record Keep(String reason) implements LeftoverVerdict {}
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

  public static Step<LeftoverVerdict> decide(Attachment cached, LiveFacts live) {
    ObjectKey volume = ObjectKey.cluster(cached.volumeName());
    return switch (live.of(Kind.VOLUME, volume)) {
      case Fact.NotAsked<Volume> _ -> Step.ask(Kind.VOLUME, volume); // W0
      case Fact.Present<Volume> _ -> keep("its volume exists"); // W1
      case Fact.Unknown<Volume>(String message) -> keep(message); // W2
      case Fact.Absent<Volume> _ -> decideWithoutVolume(cached, live);
    };
  }

  private static Step<LeftoverVerdict> decideWithoutVolume(Attachment cached, LiveFacts live) {
    return switch (live.of(Kind.ATTACHMENT, cached.key())) {
      case Fact.NotAsked<Attachment> _ -> Step.ask(Kind.ATTACHMENT, cached.key());
      case Fact.Absent<Attachment> _ -> keep("it is deleted"); // W3
      case Fact.Unknown<Attachment>(String message) -> keep(message); // W4
      case Fact.Present<Attachment>(Attachment current)
          when !current.meta().uid().equals(cached.meta().uid()) ->
          keep("another VolumeAttachment has its name now"); // W5
      case Fact.Present<Attachment>(Attachment current) when !isUntouched(current) ->
          keep("an attacher has begun to process it"); // W6
      case Fact.Present<Attachment>(Attachment current) ->
          Step.decided(new LeftoverVerdict.Leftover(current)); // W7
    };
  }

  private static Step<LeftoverVerdict> keep(String reason) {
    return Step.decided(new LeftoverVerdict.Keep(reason));
  }
}
