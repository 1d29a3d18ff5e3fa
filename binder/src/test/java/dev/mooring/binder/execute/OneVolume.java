package dev.mooring.binder.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server that has one volume, which alone is asked for, or nothing. */
class OneVolume implements LiveReader {
  private final @Nullable Volume volume;
  private final AtomicInteger reads = new AtomicInteger();

  OneVolume(@Nullable Volume volume) {
    this.volume = volume;
  }

  int reads() {
    return reads.get();
  }

  @Override
  @SuppressWarnings("unchecked") // it is a volume that is asked for
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    reads.incrementAndGet();
    return volume == null ? new ReadResult.Absent<>() : new ReadResult.Found<>((T) volume);
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    return new ReadResult.Absent<>();
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    return new ReadResult.Found<>(List.of());
  }
}
