package dev.mooring.manager.plugin;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.FixedContext;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;

/** A scripted plugin behind its proxy. */
abstract class GuardedPluginFixture {
  static final Provisioner.Request REQUEST = TestObjects.provisionRequest("pvc-1").build();
  final AtomicInteger calls = new AtomicInteger();
  volatile Predicate<VolumeSource> supports = source -> true;
  volatile Deleter deleter = request -> Attempt.done(new Deleted());
  volatile Supplier<Attempt<Optional<String>>> ignores = () -> Attempt.done(Optional.empty());
  volatile Supplier<Optional<String>> refuses = () -> Optional.of("too odd");
  final ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {};
  final VolumePlugin plugin =
      new VolumePlugin() {
        @Override
        public String name() {
          return "example.com/bad";
        }

        @Override
        public boolean supports(VolumeSource source) {
          return supports.test(source);
        }

        @Override
        public Optional<Provisioner> provisioner() {
          return Optional.of(
              new Provisioner() {
                @Override
                public Optional<String> refuses(Request request) {
                  return refuses.get();
                }

                @Override
                public Attempt<Provisioned> provision(Request request) {
                  return Attempt.rejected("too odd");
                }
              });
        }

        @Override
        public Optional<NodeFencing> fencing() {
          return Optional.of(
              new NodeFencing() {
                @Override
                public Verdict assess(String node) {
                  return new Verdict.Dead(node + " is off");
                }

                @Override
                public Scope scope() {
                  return Scope.MACHINE;
                }
              });
        }

        @Override
        public Optional<Deleter> deleter() {
          return Optional.of(
              new Deleter() {
                @Override
                public Attempt<Optional<String>> ignores(Request request) {
                  return ignores.get();
                }

                @Override
                public Attempt<Deleted> delete(Request request) {
                  calls.incrementAndGet();
                  return deleter.delete(request);
                }
              });
        }
      };
  PluginInstance instance = newInstance(Duration.ofMinutes(1));
  boolean isLeader = true;
  final GuardedPlugin guarded = new GuardedPlugin("example.com/bad", () -> isLeader);

  PluginInstance newInstance(Duration deadline) {
    return new PluginInstance(
        plugin,
        "example.com/bad",
        new Bulkhead("example.com/bad", loader, new ThreadGroup("bad"), deadline));
  }

  @BeforeEach
  void start() throws PluginInstance.StartFailedException {
    instance.start(new FixedContext(Map.of()));
    guarded.setTarget(instance);
  }

  Attempt<Deleted> delete(String volume) {
    return guarded
        .deleter()
        .orElseThrow()
        .delete(new Deleter.Request(volume, VolumeSource.NONE, Quantity.of("1Gi"), Map.of()));
  }

  Attempt<Optional<String>> ignores(String volume) {
    return guarded
        .deleter()
        .orElseThrow()
        .ignores(new Deleter.Request(volume, VolumeSource.NONE, Quantity.of("1Gi"), Map.of()));
  }

  static Failure failure(Attempt<?> attempt) {
    return ((Attempt.Failed<?>) attempt).failure();
  }

  void await(BooleanSupplier condition) {
    TestWait.until("the expected state", condition::getAsBoolean);
  }
}
