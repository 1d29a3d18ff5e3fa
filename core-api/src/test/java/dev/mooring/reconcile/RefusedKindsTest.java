package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Controllers at an API server that refuses kinds. */
class RefusedKindsTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final SystemTime time = new SystemTime();
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private final List<String> started = new CopyOnWriteArrayList<>();
  private final Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
  private final Informer<Volume> volumes = new Informer<>(Kind.VOLUME, List.of());
  private volatile Optional<Reason> claimFailure = Optional.empty();

  @AfterEach
  void stop() throws InterruptedException {
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
    time.close();
  }

  private <T extends Resource> void fill(Informer<T> cache, Supplier<Optional<Reason>> failure) {
    Reflector<T> reflector =
        new Reflector<>(
            cache,
            new GivenListWatch<>(() -> {
              Optional<Reason> reason = failure.get();
              if (reason.isPresent()) {
                throw new ListWatchException(reason.get(), "refused");
              }
              return List.of();
            }),
            time,
            () -> 0);
    reflectors.add(reflector);
    reflector.start();
  }

  private void fillCaches(Optional<Reason> failureOfClaims) {
    claimFailure = failureOfClaims;
    fill(claims, () -> claimFailure);
    fill(volumes, Optional::empty);
  }

  private ControllerSpec.Builder declare(String name) {
    return ControllerSpec.builder(name).once(() -> started.add(name));
  }

  @ParameterizedTest
  @CsvSource({
    "FORBIDDEN, no right to list and watch persistentvolumeclaims",
    "NO_SUCH_RESOURCE, the API server does not serve persistentvolumeclaims"
  })
  void start_kindRefused_leavesControllerOffAndReportsIt(Reason reason, String text)
      throws InterruptedException {
    fillCaches(Optional.of(reason));
    ControllerRuntime runtime =
        new ControllerRuntime(declare("needing").reads(volumes, claims).build(), time);
    runtime.start();
    assertThat(started).isEmpty();
    assertThat(runtime.isIdle()).isTrue();
    assertThat(runtime.stoppedParts())
        .extracting(StoppedPart::describe)
        .containsExactly("needing does not run: " + text);
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  @Test
  void start_kindListedLater_startsController() throws InterruptedException {
    fillCaches(Optional.of(Reason.FORBIDDEN));
    ControllerRuntime runtime = new ControllerRuntime(declare("late").reads(claims).build(), time);
    runtime.start();
    assertThat(started).isEmpty();
    claimFailure = Optional.empty();
    TestWait.until("the controller starts", () -> started.contains("late"));
    assertThat(runtime.stoppedParts()).isEmpty();
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  @Test
  void stop_whileKindIsRefused_preventsLaterStart() throws InterruptedException {
    fillCaches(Optional.of(Reason.FORBIDDEN));
    ControllerRuntime runtime = new ControllerRuntime(declare("late").reads(claims).build(), time);
    runtime.start();
    assertThat(runtime.stop(GRACE)).isTrue();
    claimFailure = Optional.empty();
    TestWait.until("claims are listed", claims::isSynced);
    assertThat(started).isEmpty();
  }

  @Test
  void start_memberWithRefusedKind_doesNotBlockOtherMembers() throws InterruptedException {
    fillCaches(Optional.of(Reason.FORBIDDEN));
    ControllerGroup group =
        new ControllerGroup(
            GroupSpec.of(
                "group",
                List.of(
                    declare("first").reads(claims).build(),
                    declare("second").reads(volumes).build())),
            time);
    group.start();
    assertThat(started).containsExactly("second");
    assertThat(group.stoppedParts()).extracting(StoppedPart::name).containsExactly("first");
    assertThat(group.stop(GRACE)).isTrue();
  }

  @Test
  void start_optionalKindNotServed_startsControllerWithoutThatPart() throws InterruptedException {
    fillCaches(Optional.of(Reason.NO_SUCH_RESOURCE));
    ControllerRuntime runtime =
        new ControllerRuntime(
            declare("partly").reads(volumes).uses("the part", claims).build(), time);
    runtime.start();
    assertThat(started).containsExactly("partly");
    TestWait.until("the part is reported", () -> runtime.stoppedParts().size() == 1);
    assertThat(runtime.stoppedParts().getFirst().name()).isEqualTo("the part");
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  // Only a refusal is an answer. After other failures the start waits, as for a slow API server.
  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"FAILED", "THROTTLED", "UNAUTHENTICATED"})
  void start_otherFailure_waitsForList(Reason reason) throws InterruptedException {
    fillCaches(Optional.of(reason));
    ControllerRuntime runtime = new ControllerRuntime(declare("c").reads(claims).build(), time);
    Thread starting = Thread.ofVirtual().start(() -> startIn(runtime));
    TestWait.until("a list has failed", () -> reflectors.getFirst().failures() > 0);
    assertThat(started).isEmpty();
    assertThat(runtime.stoppedParts()).isEmpty();
    claimFailure = Optional.empty();
    TestWait.until("the controller starts", () -> started.contains("c"));
    starting.join();
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  private static void startIn(ControllerRuntime runtime) {
    try {
      runtime.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
