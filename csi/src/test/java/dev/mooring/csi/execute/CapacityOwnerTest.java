package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** external-provisioner's owner levels. */
class CapacityOwnerTest {
  private static final class Server implements LiveReader {
    private final List<String> asked = new ArrayList<>();

    @Override
    public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
      asked.add(kind.group() + "/" + kind.version() + "/" + kind.plural() + "/" + key);
      return switch (kind.kind() + " " + key.name()) {
        case "Pod p" -> new ReadResult.Found<>(object("p-uid", "apps/v1", "ReplicaSet", "r"));
        case "ReplicaSet r" ->
            new ReadResult.Found<>(object("r-uid", "apps/v1", "Deployment", "d"));
        case "Deployment d" ->
            new ReadResult.Found<>(Map.of("metadata", Map.of("name", "d", "uid", "d-uid")));
        case "Pod unreadable" -> new ReadResult.Failed<>("403 forbidden");
        default -> new ReadResult.Absent<>();
      };
    }

    private static Map<String, Object> object(
        String uid, String apiVersion, String kind, String owner) {
      Map<String, Object> other =
          Map.of("apiVersion", "v1", "kind", "Node", "name", "n", "uid", "n-uid");
      Map<String, Object> controller =
          Map.of(
              "apiVersion", apiVersion,
              "kind", kind,
              "name", owner,
              "uid", owner + "-uid",
              "controller", true);
      return Map.of("metadata", Map.of("uid", uid, "ownerReferences", List.of(other, controller)));
    }

    @Override
    public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
      throw new AssertionError();
    }
  }

  private final Server server = new Server();

  private Checked<Optional<Map<String, Object>>> reference(String pod, int level)
      throws InterruptedException {
    return new CapacityOwner(server, "ns", pod, level).reference();
  }

  private static Checked<Optional<Map<String, Object>>> owner(
      String apiVersion, String kind, String name) {
    return new Checked.Valid<>(
        Optional.of(
            Map.of(
                "apiVersion", apiVersion,
                "kind", kind,
                "name", name,
                "uid", name + "-uid",
                "controller", true)));
  }

  @Test
  void everyLevelIsOneControllerFurtherUp() throws InterruptedException {
    assertThat(reference("p", -1)).isEqualTo(new Checked.Valid<>(Optional.empty()));
    assertThat(server.asked).isEmpty();
    assertThat(reference("p", 0)).isEqualTo(owner("v1", "Pod", "p"));
    assertThat(reference("p", 1)).isEqualTo(owner("apps/v1", "ReplicaSet", "r"));
    assertThat(server.asked).as("the right to read pods is enough").hasSize(2);
    assertThat(reference("p", 2)).isEqualTo(owner("apps/v1", "Deployment", "d"));
    assertThat(server.asked.getLast()).contains("apps/v1/replicasets").endsWith("r");
  }

  @Test
  void itIsLookedUpOnce() throws InterruptedException {
    CapacityOwner owner = new CapacityOwner(server, "ns", "p", 1);
    assertThat(owner.reference()).isEqualTo(owner.reference());
    assertThat(server.asked).hasSize(1);
  }

  @Test
  void whyThereIsNoneIsSaid() throws InterruptedException {
    assertThat(reference("q", 1).toString()).contains("Pod ns/q does not exist");
    assertThat(reference("unreadable", 1))
        .as("what was not said")
        .isInstanceOfSatisfying(
            Checked.Unknown.class, it -> assertThat(it.why()).contains("403 forbidden"));
    assertThat(reference("p", 3).toString())
        .contains("Deployment ns/d has no controller", "--capacity-ownerref-level");
  }

  @Test
  void otherOwnersStay() {
    Map<String, Object> ours = Map.of("uid", "r-uid", "name", "r");
    Map<String, Object> other = Map.of("uid", "o", "name", "o");
    assertThat(
            CapacityOwner.with(ours, Map.of("metadata", Map.of("ownerReferences", List.of(other)))))
        .contains(List.of(other, ours));
    assertThat(
            CapacityOwner.with(
                ours, Map.of("metadata", Map.of("ownerReferences", List.of(other, ours)))))
        .isEmpty();
    assertThat(CapacityOwner.with(ours, Map.of())).contains(List.of(ours));
  }
}
