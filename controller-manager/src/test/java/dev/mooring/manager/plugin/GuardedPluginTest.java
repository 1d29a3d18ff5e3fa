package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumePlugin;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class GuardedPluginTest extends GuardedPluginFixture {
  /** A process that was suspended for a minute resumes although another one leads. */
  @Test
  void operation_withoutLeadership_isNotCalled() {
    AtomicReference<Boolean> asked = new AtomicReference<>(false);
    deleter =
        request -> {
          asked.set(true);
          return Attempt.done(new Deleted());
        };
    leads = false;
    assertThat(failure(delete("a"))).isInstanceOf(Failure.Unreachable.class);
    assertThat(asked.get()).isFalse();
    leads = true;
    delete("a");
    assertThat(asked.get()).isTrue();
  }

  @Test
  void operation_throws_isFault() {
    deleter =
        request -> {
          throw new NoClassDefFoundError("com/example/Missing");
        };
    assertThat(failure(delete("a"))).isInstanceOf(Failure.Fault.class);
    deleter =
        request -> {
          throw new IllegalStateException("no");
        };
    assertThat(failure(delete("a")).message()).contains("example.com/bad", "no");
    assertThat(instance.faults()).isEqualTo(2);
    assertThat(instance.hanging()).isZero();
  }

  /** Otherwise the caller would fail later, far from the plugin. */
  @Test
  @SuppressWarnings("NullAway") // plugins may be compiled without NullAway
  void operation_returnsNull_isFault() {
    deleter = request -> null;
    assertThat(failure(delete("a"))).isInstanceOf(Failure.Fault.class);
    refuses = () -> null;
    assertThat(guarded.provisioner().orElseThrow().refuses(REQUEST)).isEmpty();
    assertThat(instance.faults()).isEqualTo(2);
  }

  @Test
  void operation_contextClassLoader_isPlugins() {
    AtomicReference<ClassLoader> seen = new AtomicReference<>();
    deleter =
        request -> {
          seen.set(Thread.currentThread().getContextClassLoader());
          return Attempt.done(new Deleted());
        };
    delete("a");
    assertThat(seen.get()).isSameAs(loader);
  }

  @Test
  void operation_sameVolumeAfterAnswer_isAdmitted() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(delete("a")).isInstanceOf(Attempt.Done.class);
    }
  }

  @Test
  void allOperationsFail_opensCircuit() {
    deleter =
        request -> {
          throw new IllegalStateException("no");
        };
    for (int i = 0; i < CircuitBreaker.THINGS; i++) {
      assertThat(failure(delete("v" + i))).isInstanceOf(Failure.Fault.class);
    }
    int before = calls.get();
    assertThat(failure(delete("another")))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("example.com/bad", "circuit open");
    assertThat(calls.get()).isEqualTo(before);
    assertThat(instance.isCircuitOpen()).isTrue();
    deleter = request -> Attempt.done(new Deleted());
    until(() -> delete("another") instanceof Attempt.Done<Deleted>);
    assertThat(instance.isCircuitOpen()).isFalse();
  }

  @Test
  void operation_removedPlugin_isUnreachable() {
    Deleter held = guarded.deleter().orElseThrow();
    guarded.setTarget(null);
    assertThat(
            failure(
                held.delete(
                    new Deleter.Request("a", VolumeSource.NONE, Quantity.of("1Gi"), Map.of()))))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("add its jar to the plugin directory again");
    assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    assertThat(calls.get()).isZero();
  }

  /** No call starts or runs after the plugin's stop method is called. */
  @Test
  void stop_runsAfterLastCall() throws Exception {
    for (int round = 0; round < 100; round++) {
      AtomicInteger underWay = new AtomicInteger();
      AtomicInteger atTheEnd = new AtomicInteger();
      VolumePlugin counting =
          new VolumePlugin() {
            @Override
            public String name() {
              return "example.com/counting";
            }

            @Override
            public boolean supports(VolumeSource source) {
              underWay.incrementAndGet();
              Thread.onSpinWait();
              underWay.decrementAndGet();
              return true;
            }

            @Override
            public void stop() {
              atTheEnd.set(underWay.get());
              underWay.set(1000); // makes later calls visible
            }
          };
      PluginInstance one =
          new PluginInstance(
              counting,
              counting.name(),
              new Bulkhead(
                  "counting", loader, new ThreadGroup("counting"), Duration.ofSeconds(10)));
      Thread[] callers = new Thread[4];
      for (int i = 0; i < callers.length; i++) {
        callers[i] =
            Thread.startVirtualThread(() -> {
              boolean answered = true;
              while (answered) {
                answered = one.supports(VolumeSource.NONE).isPresent();
              }
            });
      }
      one.stop(Duration.ofSeconds(10));
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(atTheEnd.get()).isZero();
      assertThat(underWay.get()).isEqualTo(1000);
    }
  }
}
