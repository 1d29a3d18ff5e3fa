package dev.mooring.storage;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.CondemnationDecider;
import dev.mooring.storage.decide.CondemnationDecider.Delay;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import dev.mooring.storage.decide.CondemnationVerdict;
import dev.mooring.time.DurationText;
import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Delays the destruction of storage whose claim is gone, and remembers nothing: the annotations of
 * the volumes hold the state. Thread-safe.
 */
public final class DeletionDelay {
  /**
   * Configuration.
   *
   * @param delay delay of volumes without an own or a class's annotation; zero for none
   * @param maxBytes maximum total capacity of condemned volumes; 0 = no limit
   */
  public record Config(Duration delay, long maxBytes) {
    public static final Config NONE = new Config(Duration.ZERO, 0);

    public Config {
      if (maxBytes < 0) {
        throw new IllegalArgumentException(
            "--deletion-delay-max-bytes must not be negative, was "
                + maxBytes
                + ": 0 disables the limit");
      }
    }
  }

  /**
   * Condemned volumes of the cluster.
   *
   * @param count number of volumes
   * @param bytes total capacity
   * @param nextDeadline earliest deadline, possibly in the past; empty without volumes
   */
  public record Backlog(int count, long bytes, Optional<Instant> nextDeadline) {}

  private static final Index<Volume, String> CONDEMNED =
      new Index<>(
          "condemned volumes",
          volume -> Condemnation.isCondemned(volume) ? List.of("") : List.of());

  private static final Duration CHECK_PERIOD = Duration.ofSeconds(15);

  private final Config config;
  private final Informer<Volume> volumes;
  private final Informer<StorageClass> classes;
  private final ClusterWriter writer;
  private final Time time;
  private final DeletionClock clock;
  private final AtomicLong lastCheckNanos;

  public DeletionDelay(Config config, SharedInformers informers, ClusterPorts ports) {
    this.config = config;
    this.volumes = informers.of(Kind.VOLUME, CONDEMNED);
    this.classes = informers.of(Kind.STORAGE_CLASS);
    this.writer = ports.writer();
    this.time = ports.time();
    this.clock = new DeletionClock(ports);
    this.lastCheckNanos = new AtomicLong(time.nanos() - CHECK_PERIOD.toNanos());
  }

  public CondemnationVerdict check(Volume volume) {
    return CondemnationDecider.decide(
        volume, terms(volume), clock.decisionTime(Condemnation.isCondemned(volume)));
  }

  private Terms terms(Volume volume) {
    Optional<StorageClass> storageClass =
        volume.storageClass().isEmpty()
            ? Optional.empty()
            : classes.get(ObjectKey.cluster(volume.storageClass()));
    return terms(volume, storageClass, config.delay());
  }

  /**
   * Reads the delays in the annotations of the volume and its class. A volume remembers the delay
   * of a deleted class.
   */
  public static Terms terms(Volume volume, Optional<StorageClass> storageClass, Duration flag) {
    return new Terms(
        delay(volume.meta().annotation(Condemnation.DELAY)),
        delay(
            storageClass
                .map(Condemnation::delayOf)
                .orElseGet(() -> volume.meta().annotation(Condemnation.CLASS_DELAY))),
        flag);
  }

  /** Reads the delays in the annotations of the content of a snapshot and its class. */
  public static Terms terms(
      SnapshotContent content, Optional<SnapshotClass> snapshotClass, Duration flag) {
    return new Terms(
        delay(content.meta().annotation(Condemnation.DELAY)),
        delay(snapshotClass.map(type -> type.meta().annotation(Condemnation.DELAY)).orElse("")),
        flag);
  }

  private static Delay delay(String text) {
    try {
      return new Delay(
          text, text.isEmpty() ? Optional.empty() : Optional.of(DurationText.parse(text)));
    } catch (IllegalArgumentException notADuration) {
      return new Delay(text, Optional.empty());
    }
  }

  /** Returns whether the volume will be condemned when its claim is gone. */
  public boolean isDelayed(Volume volume) {
    return !(check(volume) instanceof CondemnationVerdict.Due);
  }

  public Duration remaining(Instant until) {
    Duration remaining = Duration.between(clock.earliest(), until);
    return remaining.isNegative() ? Duration.ZERO : remaining;
  }

  /** Writes the deadline to the volume in the judged version. */
  public WriteResult<Volume> condemn(Volume volume, Instant until) throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta())
            .set(until.toString(), "metadata", "annotations", Condemnation.UNTIL)
            .set(
                time.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                "metadata",
                "annotations",
                Condemnation.SINCE)
            .set(
                Condemnation.claimUid(volume).toString(),
                "metadata",
                "annotations",
                Condemnation.CLAIM_UID));
  }

  /** Does {@link #endExcessDelays} at most once in 15 s: a check reads all condemned volumes. */
  public List<Volume> endExcessDelaysSometimes() throws InterruptedException {
    long last = lastCheckNanos.get();
    return config.maxBytes() != 0
            && time.nanos() - last >= CHECK_PERIOD.toNanos()
            && lastCheckNanos.compareAndSet(last, time.nanos())
        ? endExcessDelays()
        : List.of();
  }

  /**
   * Ends the delay of the oldest volumes that exceed the limit. The change of the annotation
   * requeues each of them. A later check repeats a rejected write.
   *
   * @return the volumes whose delay has ended
   */
  public List<Volume> endExcessDelays() throws InterruptedException {
    if (config.maxBytes() == 0) {
      return List.of();
    }
    List<Volume> ended = new ArrayList<>();
    Instant now = clock.earliest();
    for (Volume volume : CondemnationDecider.findExcess(list(), config.maxBytes(), now)) {
      if (writer.patch(
              Kind.VOLUME,
              volume.key(),
              Document.patchOf(volume.meta())
                  .set(
                      now.truncatedTo(ChronoUnit.SECONDS).toString(),
                      "metadata",
                      "annotations",
                      Condemnation.UNTIL))
          instanceof WriteResult.Written<Volume>(Volume written)) {
        ended.add(written);
      }
    }
    return ended;
  }

  private List<Volume> list() {
    List<Volume> condemned = new ArrayList<>();
    volumes.findByIndex(CONDEMNED, "").forEach(condemned::add);
    return condemned;
  }

  public Backlog backlog() {
    List<Volume> condemned = list();
    return new Backlog(
        condemned.size(),
        CondemnationDecider.totalBytes(condemned),
        condemned.stream()
            .flatMap(volume -> Condemnation.deadline(volume).stream())
            .min(Comparator.naturalOrder()));
  }
}
