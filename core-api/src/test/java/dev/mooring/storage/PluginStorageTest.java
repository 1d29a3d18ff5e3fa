package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PluginStorageTest {
  private static final Order ORDER =
      new Order("pvc-u", ProvisionedClaim.CLAIM, ProvisionedClaim.FAST, "n1");

  private final List<Object> requests = new ArrayList<>();
  private @Nullable VolumePlugin plugin = new Disks();
  private @Nullable Deleter deleter;
  private Attempt<Provisioner.Provisioned> answer =
      Attempt.done(
          new Provisioner.Provisioned(
              VolumeSource.hostPath("/x"),
              Quantity.of("2Gi"),
              AccessModes.of("ReadWriteOnce"),
              Map.of("disks.example/id", "7")));
  private final PluginStorage storage =
      new PluginStorage(() -> Optional.ofNullable(plugin), "no deleter");

  private final class Disks implements VolumePlugin {
    @Override
    public String name() {
      return "disks";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return true;
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return Optional.of(request -> {
        requests.add(request);
        return answer;
      });
    }

    @Override
    public Optional<Deleter> deleter() {
      return Optional.ofNullable(deleter);
    }
  }

  private PluginStorage.VolumeCreator creator() {
    return storage.volumeCreator().orElseThrow();
  }

  private PluginStorage.CreatedVolume provision() {
    return ((Attempt.Done<PluginStorage.CreatedVolume>) creator().provision(ORDER)).value();
  }

  @Test
  void make_order_requestsFieldsOfClaimAndClass() {
    assertThat(creator().refuses(ORDER)).isEmpty();
    provision();
    Provisioner.Request request = (Provisioner.Request) requests.getFirst();
    assertThat(request).isEqualTo(PluginStorage.toRequest(ORDER));
    assertThat(request.volumeName()).isEqualTo("pvc-u");
    assertThat(request.claim().key()).isEqualTo(ProvisionedClaim.CLAIM.key());
    assertThat(request.capacity()).isEqualTo(Quantity.of("1Gi"));
    assertThat(request.className()).isEqualTo("fast");
    assertThat(request.parameters()).containsEntry("tier", "one");
    assertThat(request.mountOptions()).containsExactly("noatime");
    assertThat(request.selectedNode()).isEqualTo("n1");
  }

  @Test
  void make_orderWithNodeAndTopologies_requestsBoth() {
    List<Map<String, List<String>>> topologies = List.of(Map.of("zone", List.of("a", "b")));
    Order order =
        new Order(
            "pvc-u",
            ProvisionedClaim.CLAIM,
            TestObjects.like(ProvisionedClaim.FAST).allowedTopologies(topologies).build(),
            "n1",
            TestObjects.node("n1")
                .labels(Map.of("zone", "a"))
                .annotations(Map.of("example.com/rack", "7"))
                .build());
    creator().provision(order);
    Provisioner.Request request = (Provisioner.Request) requests.getFirst();
    assertThat(request.allowedTopologies()).isEqualTo(topologies);
    assertThat(request.node())
        .isEqualTo(
            new Provisioner.NodeInfo("n1", Map.of("zone", "a"), Map.of("example.com/rack", "7")));
  }

  @Test
  void complete_madeVolume_addsClaimAndClass() {
    String object =
        VolumeDocuments.addClaimAndClass(ORDER, provision().result().object()).members().toString();
    assertThat(object)
        .contains("capacity={storage=2Gi}", "hostPath={path=/x}", "disks.example/id=7")
        .contains("claimRef={kind=PersistentVolumeClaim, apiVersion=v1, namespace=ns, name=c")
        .contains("uid=u, resourceVersion=7", "storageClassName=fast", "volumeMode=Filesystem")
        .contains("persistentVolumeReclaimPolicy=Delete");
  }

  @Test
  void make_failure_isReturnedUnchanged() {
    answer = new Attempt.Failed<>(new Failure.Uncertain("timed out"));
    assertThat(creator().provision(ORDER))
        .isEqualTo(new Attempt.Failed<>(new Failure.Uncertain("timed out")));
  }

  @Test
  void rollback_pluginChanged_usesCurrentPlugin() throws InterruptedException {
    VolumeService.Rollback rollback = provision().result().rollback();
    assertThat(rollback.run()).isEqualTo(new DestroyResult.Failed("no deleter"));
    deleter = request -> new Attempt.Failed<>(new Failure.InUse("mounted"));
    assertThat(rollback.run()).isEqualTo(new DestroyResult.Failed("mounted"));
    deleter =
        request -> {
          requests.add(request);
          return Attempt.done(new Deleter.Deleted());
        };
    assertThat(rollback.run()).isEqualTo(new DestroyResult.Destroyed());
    Deleter.Request request = (Deleter.Request) requests.getLast();
    assertThat(request.volumeName()).isEqualTo("pvc-u");
    assertThat(request.source()).isEqualTo(VolumeSource.hostPath("/x"));
    plugin = null;
    assertThat(rollback.run()).isEqualTo(new DestroyResult.Failed("no deleter"));
    assertThat(storage.volumeCreator()).isEmpty();
  }
}
