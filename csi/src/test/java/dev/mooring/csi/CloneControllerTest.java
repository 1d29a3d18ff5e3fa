package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.execute.DataSources;
import dev.mooring.csi.execute.Finalizers;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims that are held because others are copied from them. */
@Timeout(300)
class CloneControllerTest {
  private static final int HELD = 1000;

  /** Nothing is there, and nothing ever comes. */
  private static final class Empty implements ListWatch<Claim> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<Claim> each) {
      return 1;
    }

    @Override
    public Page head(int most, Consumer<Claim> each) {
      return new Page(1, true);
    }

    @Override
    public void catchUp(long from, Sink<Claim> sink) {}

    @Override
    public void watch(long from, boolean everything, Sink<Claim> sink) throws InterruptedException {
      Thread.sleep(Duration.ofHours(1));
    }
  }

  /** Finalizers that count who looks at them. */
  private final class Counted extends AbstractList<String> {
    @Override
    public String get(int index) {
      looks.increment();
      return ContentRules.CLAIM_IN_USE;
    }

    @Override
    public int size() {
      return 1;
    }
  }

  private final LongAdder looks = new LongAdder();
  private final FakeServer server = new FakeServer();
  private final SystemTime time = new SystemTime();
  private final Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
  private final Reflector<Claim> reflector = new Reflector<>(claims, new Empty(), time, () -> 0.5);
  private final CloneController controller =
      new CloneController("d", claims, new DataSources(server), new Finalizers(server), time);
  private long version = 1;

  private void start() throws InterruptedException {
    reflector.start();
    controller.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    controller.stop(Duration.ofSeconds(5));
    reflector.stop();
    time.close();
  }

  private Claim claim(
      String name, long deleted, List<String> finalizers, boolean filled, ClaimPhase phase) {
    return new Claim(
        new Meta(
            ObjectKey.of("ns", name),
            Uid.of(name),
            ++version,
            1,
            deleted,
            Map.of(),
            Map.of(),
            finalizers),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of("1Gi"),
        "",
        "",
        VolumeMode.FILESYSTEM,
        null,
        "",
        filled,
        new Claim.Status(phase, List.of(), Map.of(), ""));
  }

  private Claim held(String name) {
    return claim(name, 1, new Counted(), false, ClaimPhase.BOUND);
  }

  private Claim copy(ClaimPhase phase) {
    return copyOf("", "PersistentVolumeClaim", "", "source", phase);
  }

  private Claim copyOf(String group, String kind, String namespace, String name, ClaimPhase phase) {
    server.wholes.put(
        ObjectKey.of("ns", "copy"),
        Map.of(
            "spec",
            Map.of(
                "dataSource",
                Map.of("apiGroup", group, "kind", kind, "namespace", namespace, "name", name))));
    return claim("copy", 0, List.of(), true, phase);
  }

  private void settle() {
    while (!controller.isIdle()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aChangeOfACopyCostsTheSameHoweverManyClaimsAreHeld() throws InterruptedException {
    start();
    claims.wrote(copy(ClaimPhase.PENDING));
    for (int i = 0; i < HELD; i++) {
      server.answers.add(new WriteResult.Gone<>());
      claims.wrote(held("held" + i));
    }
    settle();
    server.written.clear();
    looks.reset();
    for (int i = 0; i < 100; i++) {
      claims.wrote(copy(ClaimPhase.PENDING));
    }
    settle();
    assertThat(looks.sum()).isLessThan(HELD);
    assertThat(server.written).isEmpty();
  }

  @Test
  void theEndOfTheLastCopyLetsItsSourceGo() throws InterruptedException {
    start();
    claims.wrote(copy(ClaimPhase.PENDING));
    Claim source = held("source");
    claims.wrote(source);
    settle();
    assertThat(server.written).isEmpty();
    server.answers.add(new WriteResult.Written<>(source));
    claims.wrote(copy(ClaimPhase.BOUND));
    settle();
    assertThat(server.written).hasSize(1);
  }

  @Test
  void aCopyThatIsGoneHoldsNobody() throws InterruptedException {
    start();
    Claim copy = copy(ClaimPhase.PENDING);
    claims.wrote(copy);
    Claim source = held("source");
    claims.wrote(source);
    settle();
    server.answers.add(new WriteResult.Written<>(source));
    claims.deleted(copy.key(), copy.meta().uid());
    settle();
    assertThat(server.written).hasSize(1);
  }

  /** Claims that are filled from something else hold nobody. */
  @ParameterizedTest
  @CsvSource({
    "'',                      PersistentVolumeClaim, '',    other",
    "'',                      PersistentVolumeClaim, other, source",
    "snapshot.storage.k8s.io, VolumeSnapshot,        '',    source",
    "example.com,             Image,                 '',    source",
  })
  void onlyItsOwnCopiesHoldASource(String group, String kind, String namespace, String name)
      throws InterruptedException {
    start();
    claims.wrote(copyOf(group, kind, namespace, name, ClaimPhase.PENDING));
    Claim source = held("source");
    server.answers.add(new WriteResult.Written<>(source));
    claims.wrote(source);
    settle();
    assertThat(server.written).hasSize(1);
  }
}
