package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.Plugins;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A claim whose binding the server refuses says so. */
class RefusedWriteTest {
  private static final Claim CLAIM =
      new Claim(
          new Meta(ObjectKey.of("ns", "c"), Uid.of("c"), 1, 1, 0, Map.of(), Map.of(), List.of()),
          AccessModes.of("ReadWriteOnce"),
          Quantity.of("1Gi"),
          null,
          "",
          VolumeMode.FILESYSTEM,
          null,
          "",
          false,
          new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""));

  /** A server that refuses everything. */
  private static final ClusterWriter REFUSING =
      new ClusterWriter() {
        @Override
        public <T extends Resource> WriteResult<T> patch(
            Kind<T> kind, ObjectKey key, Document patch) {
          return new WriteResult.Rejected<>(422, "policy \"no-gold\" forbids it");
        }

        @Override
        public <T extends Resource> WriteResult<T> patchStatus(
            Kind<T> kind, ObjectKey key, Document patch) {
          return patch(kind, key, patch);
        }

        @Override
        public <T extends Resource> WriteResult<T> create(
            Kind<T> kind, ObjectKey key, Document object) {
          return patch(kind, key, object);
        }

        @Override
        public <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid) {
          return patch(kind, key, Document.empty());
        }
      };

  /** Neither plugins nor answers. */
  private static final class Nobody implements LiveReader, Plugins {
    @Override
    public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
      return new ReadResult.Absent<>();
    }

    @Override
    public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
      return new ReadResult.Absent<>();
    }

    @Override
    public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
      return new ReadResult.Found<>(List.of());
    }

    @Override
    public Optional<VolumePlugin> named(String name) {
      return Optional.empty();
    }

    @Override
    public List<VolumePlugin> supporting(VolumeSource source) {
      return List.of();
    }
  }

  private final List<ClusterEvent> events = new ArrayList<>();

  private Outcome decided(boolean explaining) throws InterruptedException {
    SimTime time = new SimTime();
    ClaimExecutor executor = executor(new Narrator(events::add, time, explaining), time);
    executor.execute(CLAIM, new ClaimDecision.TakeDefaultClass("gold"));
    return executor.execute(CLAIM, new ClaimDecision.TakeDefaultClass("gold"));
  }

  private static ClaimExecutor executor(Narrator narrator, SimTime time) {
    BinderFigures figures = new BinderFigures(time);
    Provisioning provisioning =
        new Provisioning(
            REFUSING,
            new Nobody(),
            new Nobody(),
            narrator,
            time,
            new KeyedOperations<>("provision", time, claim -> {}),
            figures);
    return new ClaimExecutor(REFUSING, narrator, provisioning, claim -> "", figures);
  }

  @Test
  void itIsToldOnce() throws InterruptedException {
    assertThat(decided(true)).isInstanceOf(Outcome.Retry.class);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().reason()).isEqualTo("FailedBinding");
    assertThat(events.getFirst().note())
        .contains("policy \"no-gold\" forbids it", "422", "[WriteRefused]", "admission webhook");
  }

  @Test
  void kubernetesTellsItsLogAlone() throws InterruptedException {
    assertThat(decided(false)).isInstanceOf(Outcome.Retry.class);
    assertThat(events).isEmpty();
  }
}
