package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.execute.BinderReporter;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the events and the order of very many pending claims. */
class ManyWaitingTest {
  private static final int CLAIMS = 60_001;

  /** Counts log lines instead of printing them. */
  private static final class Lines extends Handler {
    private int count;

    @Override
    public void publish(LogRecord line) {
      count++;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private final Logger logger = Logger.getLogger(BinderReporter.class.getName());
  private final Lines lines = new Lines();
  private final List<ClusterEvent> events = new ArrayList<>();
  private final SimTime time = new SimTime();

  /** Fails every request, because none is expected. */
  private final FaultyCluster failing =
      new FaultyCluster()
          .onWrite(request -> {
            throw new IllegalStateException(request.toString());
          })
          .onRead(request -> {
            throw new IllegalStateException(request.toString());
          });

  private final SharedInformers informers = new SharedInformers();
  private final Informer<Claim> claims = informers.of(Kind.CLAIM);
  private final Informer<Volume> volumes = informers.of(Kind.VOLUME);
  private final BinderController controller = controller(BinderConfig.DEFAULTS);
  private final StepwiseController steps = new StepwiseController(controller.spec(), time);
  private long version;

  private BinderController controller(BinderConfig config) {
    return new BinderController(
        config, informers, TestPorts.of(failing, events::add, time), LoadedPlugins.NONE);
  }

  @BeforeEach
  void listen() throws InterruptedException {
    logger.setUseParentHandlers(false);
    logger.addHandler(lines);
    steps.startWithoutFirstPasses();
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(lines);
    logger.setUseParentHandlers(true);
  }

  private Claim createClaim(String namespace, String name) {
    ObjectKey key = ObjectKey.of(namespace, name);
    Claim claim =
        TestObjects.claim(key)
            .uid(key.toString())
            .version(++version)
            .created(1)
            .storageClass("")
            .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
            .build();
    claims.applyOwnWrite(claim);
    return claim;
  }

  private void resyncAll() throws InterruptedException {
    while (steps.step("claims")) {
      // until none is due
    }
  }

  @Test
  void resync_manyPendingClaims_emitsNothingAgain() throws InterruptedException {
    for (int i = 0; i < CLAIMS; i++) {
      createClaim("ns", "c" + i);
    }
    resyncAll();
    assertThat(events).hasSize(CLAIMS);
    assertThat(lines.count).isEqualTo(CLAIMS);
    for (int resync = 0; resync < 2; resync++) {
      time.advance(Duration.ofMinutes(10));
      controller.resync();
      resyncAll();
    }
    assertThat(events).hasSize(CLAIMS);
    assertThat(lines.count).isEqualTo(CLAIMS);
  }

  /** A claim that is created again is another claim: the first one's events do not count. */
  @Test
  void events_recreatedClaim_areEmittedAgain() throws InterruptedException {
    Claim claim = createClaim("ns", "c");
    resyncAll();
    claims.applyOwnDeletion(claim.key(), claim.meta().uid());
    resyncAll();
    createClaim("ns", "c");
    resyncAll();
    assertThat(events).hasSize(2);
  }

  @Test
  void queue_manyNamespaces_servesThemInTurn() throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      createClaim("many", "c" + i);
    }
    createClaim("few", "c");
    assertThat(steps.step("claims")).isTrue();
    assertThat(steps.step("claims")).isTrue();
    assertThat(events)
        .extracting(event -> event.subject().key().namespace())
        .containsExactly("many", "few");
  }

  /**
   * A binding in another namespace begins at its second turn at the latest, whatever the claims of
   * one namespace request.
   */
  @ParameterizedTest
  @EnumSource
  void decide_claimOfAnotherNamespace_hasTheNextTurn(ClusterShape shape)
      throws InterruptedException {
    for (int i = 0; i < 2_000; i++) {
      volumes.applyOwnWrite(ClusterShape.volume(i, new LongAdder()));
    }
    for (int i = 0; i < 500; i++) {
      claims.applyOwnWrite(shape.claim(i));
    }
    for (int round = 0; round < 20; round++) {
      steps.step("claims");
    }
    int eventsBefore = failing.requests().size();
    claims.applyOwnWrite(ClusterShape.plain("c"));
    for (int round = 0; round < 2; round++) {
      steps.step("claims");
    }
    assertThat(failing.requests().stream().skip(eventsBefore))
        .extracting(FaultyCluster.Request::toString)
        .anyMatch(request -> request.startsWith("patch PersistentVolume v"));
  }
}
