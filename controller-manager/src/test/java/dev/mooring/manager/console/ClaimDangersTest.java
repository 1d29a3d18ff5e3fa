package dev.mooring.manager.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.console.view.DataDanger;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimDangersTest {
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");
  private static final ObjectKey PENDING = ObjectKey.of("shop", "pending");

  private final SimTime time = new SimTime();
  private final Map<Kind<?>, Informer<?>> informers = new HashMap<>();
  private String error = "";

  private final ClusterView view =
      new ClusterView() {
        @Override
        @SuppressWarnings("unchecked") // the map's key is the kind of the value
        public <T extends Resource> Informer<T> informer(Kind<T> kind) {
          return (Informer<T>)
              informers.computeIfAbsent(kind, absent -> Informer.of(kind, List.of(), List.of()));
        }

        @Override
        public Optional<String> readError(Kind<?> kind) {
          return error.isEmpty() ? Optional.empty() : Optional.of(error);
        }

        @Override
        public LiveReader reader() {
          throw new UnsupportedOperationException();
        }

        @Override
        public EventReader events() {
          throw new UnsupportedOperationException();
        }

        @Override
        public LoadedPlugins plugins() {
          return LoadedPlugins.NONE;
        }
      };

  private void bind(ReclaimPolicy policy) {
    Claim claim =
        TestObjects.claim(DATA).uid("u").finalizer("kubernetes.io/pvc-protection").build();
    Volume volume =
        TestObjects.volume("pvc-u")
            .claimRef(claim)
            .reclaimPolicy(policy)
            .source(new VolumeSource("csi", Map.of("driver", "d", "volumeHandle", "h")))
            .annotation("pv.kubernetes.io/provisioned-by", "d")
            .phase(VolumePhase.BOUND)
            .build();
    informers.put(
        Kind.CLAIM,
        Informer.of(
            Kind.CLAIM,
            List.of(),
            List.of(
                TestObjects.like(claim).boundTo(volume).build(),
                TestObjects.claim(PENDING).build())));
    informers.put(Kind.VOLUME, Informer.of(Kind.VOLUME, List.of(), List.of(volume)));
  }

  private ClaimDangers dangers(Duration delay) {
    return new ClaimDangers(view, Compat.MOORING, delay, time);
  }

  @Test
  void claims_oneBound_onlyItHasDanger() {
    bind(ReclaimPolicy.DELETE);

    assertThat(dangers(Duration.ZERO).of(List.of(DATA, PENDING)))
        .isEqualTo(Map.of(DATA, new DataDanger("1", "delete persistentvolumeclaim shop/data")));
    assertThat(dangers(Duration.ofHours(72)).of(List.of(DATA)))
        .isEqualTo(
            Map.of(
                DATA,
                new DataDanger(
                    "none", "destroyed after a delay: delete persistentvolumeclaim shop/data")));
  }

  @Test
  void claim_changedVolume_hasNewDangerAfterHalfMinute() {
    bind(ReclaimPolicy.DELETE);
    ClaimDangers dangers = dangers(Duration.ZERO);
    dangers.of(List.of(DATA));

    bind(ReclaimPolicy.RETAIN);
    String cached = dangers.of(List.of(DATA)).get(DATA).acts();
    time.advance(Duration.ofSeconds(31));
    String current = dangers.of(List.of(DATA)).get(DATA).acts();

    assertThat(List.of(cached, current)).containsExactly("1", "2");
  }

  @Test
  void claims_unreadableKind_areUnknown() {
    bind(ReclaimPolicy.DELETE);
    error = "forbidden";

    assertThat(dangers(Duration.ZERO).of(List.of(DATA))).isEmpty();
  }
}
