package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Owner levels of external-provisioner. */
class CapacityOwnerTest {
  private static final Kind<Resource> REPLICA_SET = workload("replicasets", "ReplicaSet");
  private static final Kind<Resource> DEPLOYMENT = workload("deployments", "Deployment");
  private static final ObjectKey UNREADABLE = ObjectKey.of("ns", "unreadable");

  private final FaultyCluster server =
      new FaultyCluster()
          .onRead(request ->
              request.key().equals(UNREADABLE) ? new ReadResult.Failed<>("403 forbidden") : null);

  private static Kind<Resource> workload(String plural, String kind) {
    return new Kind<>("apps", "v1", plural, kind, true, Resource.class);
  }

  private static Document ownedBy(String kind, String name) {
    Map<String, Object> otherReference =
        Map.of("apiVersion", "v1", "kind", "Node", "name", "n", "uid", "n-uid");
    Map<String, Object> controller =
        Map.of(
            "apiVersion",
            "apps/v1",
            "kind",
            kind,
            "name",
            name,
            "uid",
            name + "-uid",
            "controller",
            true);
    return Document.empty().set(List.of(otherReference, controller), "metadata", "ownerReferences");
  }

  @BeforeEach
  void createPodOfDeployment() {
    InMemoryCluster cluster = server.cluster();
    Pod pod = cluster.put(Kind.POD, TestObjects.pod("ns", "p").uid("p-uid").build());
    cluster.patch(Kind.POD, pod.key(), ownedBy("ReplicaSet", "r"));
    cluster.create(REPLICA_SET, ObjectKey.of("ns", "r"), ownedBy("Deployment", "d"));
    cluster.create(DEPLOYMENT, ObjectKey.of("ns", "d"), Document.empty());
  }

  private CheckResult<Optional<Map<String, Object>>> reference(String pod, int level)
      throws InterruptedException {
    return new CapacityOwner(server, "ns", pod, level).readReference();
  }

  private static CheckResult<Optional<Map<String, Object>>> owner(
      String apiVersion, String kind, String name) {
    return new CheckResult.Valid<>(
        Optional.of(
            Map.of(
                "apiVersion", apiVersion,
                "kind", kind,
                "name", name,
                "uid", name + "-uid",
                "controller", true)));
  }

  @Test
  void readReference_level_followsControllers() throws InterruptedException {
    assertThat(reference("p", -1)).isEqualTo(new CheckResult.Valid<>(Optional.empty()));
    assertThat(server.requests()).isEmpty();
    assertThat(reference("p", 0)).isEqualTo(owner("v1", "Pod", "p"));
    assertThat(reference("p", 1)).isEqualTo(owner("apps/v1", "ReplicaSet", "r"));
    assertThat(server.requests()).as("reading pods is sufficient").hasSize(2);
    assertThat(reference("p", 2)).isEqualTo(owner("apps/v1", "Deployment", "d"));
    assertThat(server.requests().getLast().kind())
        .as("read by its regular plural")
        .isEqualTo(REPLICA_SET);
    assertThat(server.requests().getLast()).hasToString("get whole ReplicaSet ns/r");
  }

  @Test
  void readReference_secondCall_isCached() throws InterruptedException {
    CapacityOwner owner = new CapacityOwner(server, "ns", "p", 1);
    assertThat(owner.readReference()).isEqualTo(owner.readReference());
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void readReference_noOwner_givesReason() throws InterruptedException {
    assertThat(reference("q", 1).toString()).contains("Pod ns/q does not exist");
    assertThat(reference("unreadable", 1))
        .as("the API server did not answer")
        .isInstanceOfSatisfying(
            CheckResult.Unknown.class, it -> assertThat(it.reason()).contains("403 forbidden"));
    assertThat(reference("p", 3).toString())
        .contains("Deployment ns/d has no controller", "--capacity-ownerref-level");
  }

  @Test
  void addReference_otherOwners_keepsThem() {
    Map<String, Object> ownReference = Map.of("uid", "r-uid", "name", "r");
    Map<String, Object> otherReference = Map.of("uid", "o", "name", "o");
    assertThat(
            CapacityOwner.addReference(
                ownReference,
                Map.of("metadata", Map.of("ownerReferences", List.of(otherReference)))))
        .contains(List.of(otherReference, ownReference));
    assertThat(
            CapacityOwner.addReference(
                ownReference,
                Map.of(
                    "metadata", Map.of("ownerReferences", List.of(otherReference, ownReference)))))
        .isEmpty();
    assertThat(CapacityOwner.addReference(ownReference, Map.of())).contains(List.of(ownReference));
  }

  /** The API server rejects a second controller. */
  @Test
  void addReference_anotherController_replacesIt() {
    Map<String, Object> ownReference = Map.of("uid", "new", "controller", true);
    Map<String, Object> oldReference = Map.of("uid", "old", "controller", true);
    Map<String, Object> otherReference = Map.of("uid", "o", "controller", false);
    assertThat(
            CapacityOwner.addReference(
                ownReference,
                Map.of(
                    "metadata", Map.of("ownerReferences", List.of(oldReference, otherReference)))))
        .contains(List.of(otherReference, ownReference));
  }
}
