package dev.mooring.benchmarks;

import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Synced informers of a cluster in which nothing changes. */
final class KnownObjects {
  private final SharedInformers informers;
  private final Time time;
  private final List<Reflector<?>> reflectors = new ArrayList<>();

  KnownObjects(SharedInformers informers, Time time) {
    this.informers = informers;
    this.time = time;
  }

  <T extends Resource> Informer<T> fill(Kind<T> kind, List<T> objects) throws InterruptedException {
    return complete(informers.of(kind), objects);
  }

  /** Syncs the remaining informers as empty. */
  void fillOthersEmpty(List<Informer<?>> reads) throws InterruptedException {
    for (Informer<?> informer : reads) {
      if (!informer.isSynced()) {
        complete(informer, List.of());
      }
    }
  }

  private <T extends Resource> Informer<T> complete(Informer<T> informer, List<T> objects)
      throws InterruptedException {
    Reflector<T> reflector =
        new Reflector<>(informer, new FixedListWatch<>(objects), time, () -> 0.5);
    reflectors.add(reflector);
    reflector.start();
    informer.awaitSynced();
    return informer;
  }

  void stop() throws InterruptedException {
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
  }

  private record FixedListWatch<T extends Resource>(List<T> objects) implements ListWatch<T> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<T> each) {
      objects.forEach(each);
      return objects.size() + 1L;
    }

    @Override
    public Page head(int most, Consumer<T> each) {
      return new Page(objects.size() + 1L, false);
    }

    @Override
    public void watch(long from, boolean everything, Sink<T> sink) throws InterruptedException {
      Thread.sleep(Duration.ofHours(1));
    }

    @Override
    public void catchUp(long from, Sink<T> sink) {
      // watches deliver no events
    }
  }
}
