package dev.mooring.storage.decide;

import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.CondemnationVerdict.Condemn;
import dev.mooring.storage.decide.CondemnationVerdict.Due;
import dev.mooring.storage.decide.CondemnationVerdict.Keep;
import dev.mooring.storage.decide.CondemnationVerdict.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides how long the storage of a volume outlives its claim. All controllers that destroy storage
 * use this table. A deadline on the volume is binding, whatever delay is configured now. Ids in
 * comments are the rows of {@code docs/dev/live-verdicts.md}.
 */
public final class CondemnationDecider {
  /**
   * Delay in an annotation.
   *
   * @param text value of the annotation; "" if absent
   * @param duration the delay; empty if the text is none
   */
  public record Delay(String text, Optional<Duration> duration) {}

  /**
   * Configured delays.
   *
   * @param flag delay of volumes without an annotation; zero for none
   */
  public record Terms(Delay ofVolume, Delay ofClass, Duration flag) {
    /** No delay for a volume that is not condemned yet. */
    public static final Terms NONE =
        new Terms(new Delay("", Optional.empty()), new Delay("", Optional.empty()), Duration.ZERO);
  }

  private CondemnationDecider() {}

  public static CondemnationVerdict decide(Volume volume, Terms terms, Instant now) {
    return decide(volume, Condemnation.isCondemned(volume), terms, now);
  }

  /** Decides about the data of a snapshot. {@code ofVolume} is the content's annotation. */
  public static CondemnationVerdict decide(SnapshotContent content, Terms terms, Instant now) {
    return decide(content, Condemnation.isCondemned(content), terms, now);
  }

  private static CondemnationVerdict decide(
      Resource object, boolean isCondemned, Terms terms, Instant now) {
    if (isCondemned) {
      return Condemnation.deadline(object)
          .<CondemnationVerdict>map(
              until -> until.isAfter(now) ? new Wait(until) : new Due()) // U1, U2
          .orElseGet(
              () -> keep(Condemnation.UNTIL, object.meta().annotation(Condemnation.UNTIL))); // U3
    }
    Delay annotated = terms.ofVolume().text().isEmpty() ? terms.ofClass() : terms.ofVolume();
    Optional<Duration> delay =
        annotated.text().isEmpty() ? Optional.of(terms.flag()) : annotated.duration();
    return delay
        .<CondemnationVerdict>map(duration ->
            duration.isZero() ? new Due() : new Condemn(deadline(now, duration))) // U4, U5
        .orElseGet(() -> keep(Condemnation.DELAY, annotated.text())); // U6
  }

  // whole seconds, and never early
  private static Instant deadline(Instant now, Duration delay) {
    return Instant.ofEpochSecond(now.plus(delay).plusNanos(999_999_999).getEpochSecond());
  }

  private static CondemnationVerdict keep(String annotation, String value) {
    return new Keep(
        "annotation %s \"%s\" cannot be read: the storage is kept until the annotation is corrected or removed"
            .formatted(annotation, value));
  }

  /**
   * Returns the volumes that exceed the limit, oldest first. The remaining condemned volumes fit
   * into it.
   *
   * @param condemned volumes with the annotations of {@link Condemnation}
   * @param maxBytes maximum total capacity of volumes whose deadline has not passed; 0 = no limit
   */
  public static List<Volume> findExcess(List<Volume> condemned, long maxBytes, Instant now) {
    if (maxBytes == 0 || totalBytes(condemned) <= maxBytes) {
      return List.of();
    }
    List<Volume> waiting =
        new ArrayList<>(condemned.stream().filter(volume -> isWaiting(volume, now)).toList());
    waiting.sort(
        Comparator.comparing((Volume volume) -> Condemnation.beginning(volume).orElse(Instant.MAX))
            .thenComparing(volume -> volume.meta().name()));
    int excess = waiting.size();
    long remainingBytes = maxBytes;
    while (excess > 0) { // from the youngest, because the total may exceed a long
      long bytes = waiting.get(excess - 1).storage().toBytesCeiling();
      if (bytes > remainingBytes) {
        break;
      }
      remainingBytes -= bytes;
      excess--;
    }
    return List.copyOf(waiting.subList(0, excess));
  }

  private static boolean isWaiting(Volume volume, Instant now) {
    return Condemnation.isCondemned(volume)
        && Condemnation.deadline(volume).filter(until -> until.isAfter(now)).isPresent();
  }

  /** Returns the total capacity; {@link Long#MAX_VALUE} if it is larger. */
  public static long totalBytes(List<Volume> volumes) {
    long total = 0;
    for (Volume volume : volumes) {
      total = Quantity.addBytes(total, volume.storage().toBytesCeiling());
    }
    return total;
  }
}
