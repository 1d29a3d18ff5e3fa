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

/**
 * Caches as complete as a controller needs them to begin, of a cluster in which nothing happens.
 */
final class KnownObjects {
  private final SharedInformers informers;
  private final Time time;
  private final List<Reflector<?>> reflectors = new ArrayList<>();

  KnownObjects(SharedInformers informers, Time time) {
    this.informers = informers;
    this.time = time;
  }

  /** These are all objects of the kind. */
  <T extends Resource> Informer<T> are(Kind<T> kind, List<T> objects) throws InterruptedException {
    return complete(informers.of(kind), objects);
  }

  /** Of what else is read there is nothing. */
  void areAllOf(List<Informer<?>> reads) throws InterruptedException {
    for (Informer<?> informer : reads) {
      if (!informer.isSynced()) {
        complete(informer, List.of());
      }
    }
  }

  private <T extends Resource> Informer<T> complete(Informer<T> informer, List<T> objects)
      throws InterruptedException {
    Reflector<T> reflector = new Reflector<>(informer, new Fixed<>(objects), time, () -> 0.5);
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

  private record Fixed<T extends Resource>(List<T> objects) implements ListWatch<T> {
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
      // nothing ever changes
    }
  }
}
