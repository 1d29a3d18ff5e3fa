package dev.mooring.populator.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.VolumePopulator;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists VolumePopulators on demand: most clusters have no claim that needs them, and many do not
 * serve the kind. Claims that change at the same time share an answer. Thread-safe.
 */
public final class RegisteredKinds {
  private static final Duration LIFETIME = Duration.ofSeconds(1);

  private record Answer(ReadResult<List<VolumePopulator>> result, long nanos) {}

  private final LiveReader reader;
  private final Time time;
  private volatile @Nullable Answer lastAnswer;

  public RegisteredKinds(LiveReader reader, Time time) {
    this.reader = reader;
    this.time = time;
  }

  public ReadResult<List<VolumePopulator>> read() throws InterruptedException {
    Answer cached = lastAnswer;
    if (cached != null && time.nanos() - cached.nanos() < LIFETIME.toNanos()) {
      return cached.result();
    }
    ReadResult<List<VolumePopulator>> result = reader.list(VolumePopulator.KIND, "");
    lastAnswer = new Answer(result, time.nanos());
    return result;
  }
}
