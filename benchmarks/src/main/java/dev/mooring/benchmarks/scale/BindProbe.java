package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates claims in a separate namespace, one after another, and measures the time until each is
 * bound.
 */
final class BindProbe {
  private static final String NAMESPACE = "probes";
  private static final String CLASS = "probes";
  private static final long POLL_NANOS = 500_000;

  private final ServerObjects objects;
  private int nextNumber;

  record BindTimes(double[] ascending) {
    double median() {
      return ascending[ascending.length / 2];
    }

    double p99() {
      return ascending[(int) (ascending.length * 0.99)];
    }

    double longest() {
      return ascending[ascending.length - 1];
    }
  }

  BindProbe(ObjectHandlers handlers) throws StatusException {
    this.objects = new ServerObjects(handlers);
    create(KindCatalogue.NAMESPACES, "", "{'metadata': {'name': '%s'}}".formatted(NAMESPACE));
  }

  void create(ResourceType type, String namespace, String json) throws StatusException {
    objects.create(type, namespace, json);
  }

  void createVolumes(int count) throws StatusException {
    for (int i = nextNumber; i < nextNumber + count; i++) {
      objects.createNfsVolume("probe-" + i, CLASS, "1Gi");
    }
  }

  double bindOne(Duration timeout) throws StatusException {
    String name = "probe-" + nextNumber++;
    long start = System.nanoTime();
    objects.createClaim(NAMESPACE, name, CLASS, "1Gi");
    while (!objects.isInPhase(KindCatalogue.CLAIMS, NAMESPACE, name, "Bound")) {
      if (System.nanoTime() - start > timeout.toNanos()) {
        throw new IllegalStateException(name + " is not bound after " + timeout.toSeconds() + " s");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return (System.nanoTime() - start) / 1e6;
  }

  BindTimes bind(int count) throws StatusException {
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      millis[i] = bindOne(Duration.ofMinutes(1));
    }
    Arrays.sort(millis);
    return new BindTimes(millis);
  }

  BindTimes bindFor(Duration duration, Duration pause) throws StatusException {
    double[] millis = new double[(int) duration.dividedBy(pause)];
    long start = System.nanoTime();
    int count = 0;
    while (count < millis.length && System.nanoTime() - start < duration.toNanos()) {
      millis[count++] = bindOne(Duration.ofMinutes(1));
      LockSupport.parkNanos(pause.toNanos());
    }
    double[] ascending = Arrays.copyOf(millis, count);
    Arrays.sort(ascending);
    return new BindTimes(ascending);
  }
}
