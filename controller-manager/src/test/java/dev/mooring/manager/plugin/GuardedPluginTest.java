package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class GuardedPluginTest extends GuardedPluginFixture {
  /** A process that was suspended for a minute resumes although another one leads. */
  @Test
  void delete_withoutLeadership_isNotCalled() {
    AtomicReference<Boolean> isCalled = new AtomicReference<>(false);
    deleter =
        request -> {
          isCalled.set(true);
          return Attempt.done(new Deleted());
        };
    isLeader = false;
    assertThat(failure(delete("a"))).isInstanceOf(Failure.Unreachable.class);
    assertThat(isCalled.get()).isFalse();
    isLeader = true;
    delete("a");
    assertThat(isCalled.get()).isTrue();
  }

  @Test
  void fencing_scopeAndVerdict_areThoseOfPlugin() {
    NodeFencing fencing = guarded.fencing().orElseThrow();
    assertThat(fencing.scope()).isEqualTo(NodeFencing.Scope.MACHINE);
    assertThat(fencing.assess("n1")).isEqualTo(new NodeFencing.Verdict.Dead("n1 is off"));
  }

  @Test
  void delete_pluginThrows_isFault() {
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
  void delete_pluginReturnsNull_isFault() {
    deleter = request -> null;
    assertThat(failure(delete("a"))).isInstanceOf(Failure.Fault.class);
    refuses = () -> null;
    assertThat(guarded.provisioner().orElseThrow().refuses(REQUEST)).isEmpty();
    assertThat(instance.faults()).isEqualTo(2);
  }

  @Test
  void delete_contextClassLoader_isThatOfPlugin() {
    AtomicReference<ClassLoader> contextLoader = new AtomicReference<>();
    deleter =
        request -> {
          contextLoader.set(Thread.currentThread().getContextClassLoader());
          return Attempt.done(new Deleted());
        };
    delete("a");
    assertThat(contextLoader.get()).isSameAs(loader);
  }

  @Test
  void delete_sameVolumeAfterAnswer_isAdmitted() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(delete("a")).isInstanceOf(Attempt.Done.class);
    }
  }

  @Test
  void delete_tenVolumesFail_opensCircuit() {
    deleter =
        request -> {
          throw new IllegalStateException("no");
        };
    for (int i = 0; i < CircuitBreaker.FAILED_SUBJECTS; i++) {
      assertThat(failure(delete("v" + i))).isInstanceOf(Failure.Fault.class);
    }
    int callsBefore = calls.get();
    assertThat(failure(delete("another")))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("example.com/bad", "circuit open");
    assertThat(calls.get()).isEqualTo(callsBefore);
    assertThat(instance.isCircuitOpen()).isTrue();
    deleter = request -> Attempt.done(new Deleted());
    await(() -> delete("another") instanceof Attempt.Done<Deleted>);
    assertThat(instance.isCircuitOpen()).isFalse();
  }

  /** An answer to a question says nothing about the calls. */
  @Test
  void delete_tenVolumesFailWithQuestionsInBetween_opensCircuit() {
    deleter =
        request -> {
          throw new IllegalStateException("no");
        };
    for (int i = 0; i < CircuitBreaker.FAILED_SUBJECTS; i++) {
      assertThat(ignores("v" + i)).isEqualTo(Attempt.done(Optional.empty()));
      assertThat(failure(delete("v" + i))).isInstanceOf(Failure.Fault.class);
    }
    assertThat(instance.isCircuitOpen()).isTrue();
  }

  /** Otherwise the caller would delete a volume that another provisioner may serve. */
  @Test
  void ignores_pluginThrowsOrIsRemoved_isUnreachable() {
    ignores =
        () -> {
          throw new IllegalStateException("no");
        };
    assertThat(failure(ignores("v")))
        .isEqualTo(
            new Failure.Unreachable(
                "plugin example.com/bad does not report whether it serves this object"));
    guarded.setTarget(null);
    assertThat(failure(ignores("v"))).isInstanceOf(Failure.Unreachable.class);
  }

  @Test
  void delete_removedPlugin_isUnreachable() {
    Deleter proxy = guarded.deleter().orElseThrow();
    guarded.setTarget(null);
    assertThat(
            failure(
                proxy.delete(
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
  void stop_concurrentCalls_runsAfterLastCall() throws Exception {
    for (int round = 0; round < 100; round++) {
      AtomicInteger activeCalls = new AtomicInteger();
      AtomicInteger activeCallsAtStop = new AtomicInteger();
      VolumePlugin counting =
          new VolumePlugin() {
            @Override
            public String name() {
              return "example.com/counting";
            }

            @Override
            public boolean supports(VolumeSource source) {
              activeCalls.incrementAndGet();
              Thread.onSpinWait();
              activeCalls.decrementAndGet();
              return true;
            }

            @Override
            public void stop() {
              activeCallsAtStop.set(activeCalls.get());
              activeCalls.set(1000); // makes later calls visible
            }
          };
      PluginInstance countingInstance =
          new PluginInstance(
              counting,
              counting.name(),
              new Bulkhead(
                  "counting", loader, new ThreadGroup("counting"), Duration.ofSeconds(10)));
      Thread[] callers = new Thread[4];
      for (int i = 0; i < callers.length; i++) {
        callers[i] =
            Thread.startVirtualThread(() -> {
              boolean isAnswered = true;
              while (isAnswered) {
                isAnswered = countingInstance.supports(VolumeSource.NONE).isPresent();
              }
            });
      }
      countingInstance.stop(Duration.ofSeconds(10));
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(activeCallsAtStop.get()).isZero();
      assertThat(activeCalls.get()).isEqualTo(1000);
    }
  }
}
