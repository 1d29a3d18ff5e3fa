package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A plugin that throws, hangs or spins costs its own volumes alone. */
@Timeout(300)
class GuardedPluginTest {
  private static final Provisioner.Request REQUEST =
      new Provisioner.Request(
          "pvc-1",
          new Provisioner.ClaimInfo(ObjectKey.of("ns", "c"), Uid.of("1"), Map.of(), Map.of()),
          Quantity.of("1Gi"),
          AccessModes.NONE,
          VolumeMode.FILESYSTEM,
          "s",
          Map.of(),
          List.of(),
          null);

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Predicate<VolumeSource> supports = source -> true;
  private volatile Deleter deleter = request -> Attempt.done(new Gone());
  private volatile Supplier<Optional<String>> refuses = () -> Optional.of("too odd");
  private final ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {};
  private final VolumePlugin plugin =
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
        public Optional<Deleter> deleter() {
          return Optional.of(request -> {
            calls.incrementAndGet();
            return deleter.delete(request);
          });
        }
      };
  private Instance instance = waiting(Duration.ofMinutes(1));
  private boolean leads = true;
  private final GuardedPlugin guarded = new GuardedPlugin("example.com/bad", () -> leads);

  private Instance waiting(Duration deadline) {
    return new Instance(
        plugin,
        "example.com/bad",
        new Bulkhead("example.com/bad", loader, new ThreadGroup("bad"), deadline));
  }

  /** The caller's patience is short: only where a call is to hang, or a busy machine decides. */
  private void waitBriefly() throws Instance.Refused {
    instance = waiting(Duration.ofMillis(100));
    start();
  }

  @BeforeEach
  void start() throws Instance.Refused {
    instance.start(
        new PluginContext() {
          @Override
          public String setting(String name, String fallback) {
            return fallback;
          }

          @Override
          public System.Logger logger() {
            return System.getLogger("plugin");
          }
        });
    guarded.become(instance);
  }

  @AfterEach
  void releaseWhatHangs() {
    released.countDown();
  }

  private Attempt<Gone> delete(String volume) {
    return guarded
        .deleter()
        .orElseThrow()
        .delete(new Deleter.Request(volume, VolumeSource.NONE, Quantity.of("1Gi"), Map.of()));
  }

  private static Failure failure(Attempt<?> attempt) {
    return ((Attempt.Failed<?>) attempt).why();
  }

  /** Does not end, whoever interrupts it. */
  private Attempt<Gone> hang() {
    boolean interrupted = false;
    while (true) {
      try {
        released.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return Attempt.done(new Gone());
  }

  private void until(BooleanSupplier condition) {
    Patience.until("it comes to that", condition::getAsBoolean);
  }

  /** A process that was stopped for a minute goes on where it was, but another one leads. */
  @Test
  void withoutTheLeadNoWorkIsGiven() {
    AtomicReference<Boolean> asked = new AtomicReference<>(false);
    deleter =
        request -> {
          asked.set(true);
          return Attempt.done(new Gone());
        };
    leads = false;
    assertThat(failure(delete("a"))).isInstanceOf(Failure.Unreachable.class);
    assertThat(asked.get()).isFalse();
    leads = true;
    delete("a");
    assertThat(asked.get()).isTrue();
  }

  @Test
  void whatItThrowsIsAFault() {
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

  /** Whoever asked would else fall over it, far from the plugin. */
  @Test
  @SuppressWarnings("NullAway") // as a plugin may be compiled without it
  void noAnswerAtAllIsAFaultToo() {
    deleter = request -> null;
    assertThat(failure(delete("a"))).isInstanceOf(Failure.Fault.class);
    refuses = () -> null;
    assertThat(guarded.provisioner().orElseThrow().refuses(REQUEST)).isEmpty();
    assertThat(instance.faults()).isEqualTo(2);
  }

  @Test
  void itSeesItsOwnClassLoader() {
    AtomicReference<ClassLoader> seen = new AtomicReference<>();
    deleter =
        request -> {
          seen.set(Thread.currentThread().getContextClassLoader());
          return Attempt.done(new Gone());
        };
    delete("a");
    assertThat(seen.get()).isSameAs(loader);
  }

  @Test
  void aCallThatTakesTooLongIsInterruptedAndUncertain() throws Instance.Refused {
    waitBriefly();
    AtomicReference<Boolean> interrupted = new AtomicReference<>(false);
    deleter =
        request -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
          return Attempt.done(new Gone());
        };
    assertThat(failure(delete("a")))
        .isEqualTo(
            new Failure.Uncertain(
                "plugin example.com/bad has not answered about volume a for 0.1 s"));
    until(interrupted::get);
    until(() -> instance.hanging() == 0);
    deleter = request -> Attempt.done(new Gone());
    until(() -> delete("a") instanceof Attempt.Done<Gone>);
  }

  @Test
  void nothingIsAskedTwiceAboutAVolumeAtOnce() throws Instance.Refused {
    waitBriefly();
    deleter = request -> hang();
    delete("a");
    assertThat(instance.hanging()).isEqualTo(1);
    int before = calls.get();
    assertThat(failure(delete("a")))
        .isEqualTo(
            new Failure.Uncertain(
                "an earlier call to plugin example.com/bad about volume a has not ended"));
    assertThat(calls.get()).isEqualTo(before);
    deleter = request -> Attempt.done(new Gone());
    until(() -> delete("b") instanceof Attempt.Done<Gone>); // another volume
    released.countDown();
    until(() -> instance.hanging() == 0);
    until(() -> delete("a") instanceof Attempt.Done<Gone>);
  }

  @Test
  void onePluginThatHangsForEverIsNotAskedForEver() throws Instance.Refused {
    waitBriefly();
    deleter = request -> hang();
    Thread[] callers = new Thread[Bulkhead.MOST_HANGING];
    for (int i = 0; i < callers.length; i++) {
      String volume = "v" + i;
      callers[i] = Thread.startVirtualThread(() -> delete(volume));
    }
    until(() -> instance.hanging() == Bulkhead.MOST_HANGING);
    int before = calls.get();
    assertThat(failure(delete("one-more")))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("is not asked any more", "32 of its calls do not end");
    assertThat(calls.get()).isEqualTo(before);
    released.countDown();
    until(() -> instance.hanging() == 0);
    until(() -> delete("one-more") instanceof Attempt.Done<Gone>);
  }

  @Test
  void anInterruptedCallerLeaves() throws InterruptedException {
    deleter = request -> hang();
    AtomicReference<Attempt<Gone>> answer = new AtomicReference<>();
    Thread caller = Thread.ofVirtual().unstarted(() -> answer.set(delete("a")));
    caller.start();
    until(() -> calls.get() == 1);
    caller.interrupt();
    caller.join();
    assertThat(failure(answer.get())).isInstanceOf(Failure.Uncertain.class);
  }

  @Test
  void aVolumeMayBeAskedForAgainAsSoonAsItsAnswerIsThere() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(delete("a")).isInstanceOf(Attempt.Done.class);
    }
  }

  @Test
  void aQuestionThatIsNotAnsweredAtOnceIsAnsweredWithNo() throws Instance.Refused {
    waitBriefly();
    long before = guarded.generation();
    supports =
        source -> {
          throw new StackOverflowError();
        };
    assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    supports =
        source -> {
          hang();
          return true;
        };
    assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    assertThat(guarded.generation()).as("both have to be asked again").isEqualTo(before + 2);
    supports = source -> true;
    until(() -> guarded.supports(VolumeSource.NONE));
    long now = guarded.generation();
    assertThat(guarded.supports(VolumeSource.NONE)).isTrue();
    assertThat(guarded.generation()).isEqualTo(now);
  }

  /** Whoever asks which plugin a volume is of waits for the others' answers too. */
  @Test
  void onePluginThatAnswersLateKeepsNobodyWaitingEachTime() throws Instance.Refused {
    waitBriefly();
    AtomicInteger asked = new AtomicInteger();
    supports =
        source -> {
          asked.incrementAndGet();
          hang();
          return true;
        };
    for (int i = 0; i < 1000; i++) {
      assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    }
    assertThat(asked.get()).isLessThan(5);
  }

  /** Else a claim would be told for good that it asks for what nobody makes. */
  @Test
  void noAnswerIsNoRefusal() throws Instance.Refused {
    waitBriefly();
    Provisioner provisioner = guarded.provisioner().orElseThrow();
    until(() -> provisioner.refuses(REQUEST).equals(Optional.of("too odd")));
    refuses =
        () -> {
          hang();
          return Optional.of("too late");
        };
    assertThat(provisioner.refuses(REQUEST)).isEmpty();
    guarded.become(null);
    assertThat(guarded.provisioner()).as("it could, and will again").isPresent();
    assertThat(provisioner.refuses(REQUEST)).isEmpty();
    assertThat(failure(provisioner.provision(REQUEST))).isInstanceOf(Failure.Unreachable.class);
  }

  @Test
  void aPluginThatFailsForEverythingIsLeftInPeaceForAWhile() {
    deleter =
        request -> {
          throw new IllegalStateException("no");
        };
    for (int i = 0; i < Breaker.THINGS; i++) {
      assertThat(failure(delete("v" + i))).isInstanceOf(Failure.Fault.class);
    }
    int before = calls.get();
    assertThat(failure(delete("another")))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("example.com/bad", "left in peace");
    assertThat(calls.get()).isEqualTo(before);
    assertThat(instance.isCircuitOpen()).isTrue();
    deleter = request -> Attempt.done(new Gone());
    until(() -> delete("another") instanceof Attempt.Done<Gone>);
    assertThat(instance.isCircuitOpen()).isFalse();
  }

  @Test
  void oneWhoseJarWasTakenAwayDoesNothing() {
    Deleter held = guarded.deleter().orElseThrow();
    guarded.become(null);
    assertThat(
            failure(
                held.delete(
                    new Deleter.Request("a", VolumeSource.NONE, Quantity.of("1Gi"), Map.of()))))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("put its jar into the plugin directory again");
    assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    assertThat(calls.get()).isZero();
  }

  /** No call begins, or is under way, once the plugin is told that it was the last. */
  @Test
  void theEndComesAfterTheLastCall() throws Exception {
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
              underWay.set(1000); // whoever comes later is seen
            }
          };
      Instance one =
          new Instance(
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
