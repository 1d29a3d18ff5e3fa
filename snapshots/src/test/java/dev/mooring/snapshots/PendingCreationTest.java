package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A snapshot was deleted while the outcome of its creation is unknown. Its source volume must stay,
 * because the driver needs it to report the outcome.
 */
class PendingCreationTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");
  private static final ObjectKey CONTENT = ObjectKey.cluster("snapcontent-1");
  private static final SnapshotContent.Ref GONE =
      new SnapshotContent.Ref(
          new ObjectKey("default", "s"), Uid.of("11111111-1111-1111-1111-111111111111"));

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster().onRead(PendingCreationTest::noGroups);
  private final InMemoryCluster cluster = server.cluster();
  private final StepwiseController steps = GivenSnapshotController.create(server, time, true);

  private static @Nullable ReadResult<?> noGroups(Request request) {
    return request.kind().equals(Kind.GROUP_SNAPSHOT_CONTENT)
        ? new ReadResult.Failed<>("the server does not have them")
        : null;
  }

  /** The API server lists the object, and no cache has it. */
  private void onlyListed(Kind<?> kind, Resource object) {
    server.onRead(request ->
        request.verb() == Verb.LIST && request.kind().equals(kind)
            ? new ReadResult.Found<>(List.of(object))
            : noGroups(request));
  }

  @BeforeEach
  void createHeldClaim() throws InterruptedException {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume("pv")
                .source(VolumeSource.csi(DRIVER, "vol-1"))
                .claimRef(new ClaimRef(CLAIM, TestObjects.claim(CLAIM).meta().uid()))
                .build());
    cluster.put(
        Kind.CLAIM,
        TestObjects.claim(CLAIM)
            .boundTo(volume)
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .finalizer("example.com/other")
            .build());
    steps.startWithoutFirstPasses();
  }

  private void content(String driver, String volume, String mark) {
    content(driver, volume, mark, ReclaimPolicy.DELETE);
  }

  private void content(String driver, String volume, String mark, ReclaimPolicy policy) {
    cluster.put(Kind.SNAPSHOT_CONTENT, of(driver, volume, mark, policy));
  }

  private static SnapshotContent of(
      String driver, String volume, String mark, ReclaimPolicy policy) {
    return TestObjects.snapshotContent(CONTENT.name())
        .driver(driver)
        .policy(policy)
        .snapshot(GONE)
        .source(new SnapshotContent.Source(volume, ""))
        .annotation(mark, "yes")
        .build();
  }

  private List<String> finalizers() throws InterruptedException {
    cluster.put(
        Kind.CLAIM,
        TestObjects.like(cluster.get(Kind.CLAIM, CLAIM)).label("n", "1").build()); // any change
    steps.settle();
    return cluster.get(Kind.CLAIM, CLAIM).meta().finalizers();
  }

  @Test
  void release_contentBeingCreated_keepsClaim() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void release_creationEnded_releasesClaim() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    steps.settle();
    content(DRIVER, "vol-1", "example.com/other");
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void release_contentDeleted_releasesClaim() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    steps.settle();
    cluster.remove(Kind.SNAPSHOT_CONTENT, CONTENT);
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** The data is kept anyway, so the outcome does not matter. */
  @Test
  void release_retainedContent_releasesClaim() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED, ReclaimPolicy.RETAIN);
    assertThat(finalizers()).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** The volume is deleted with the claim, and the cache may be stale. */
  @Test
  void release_contentOnlyListed_keepsDeletedClaim() throws InterruptedException {
    onlyListed(
        Kind.SNAPSHOT_CONTENT,
        of(DRIVER, "vol-1", SnapshotContent.BEING_CREATED, ReclaimPolicy.DELETE));
    cluster.delete(Kind.CLAIM, CLAIM, cluster.get(Kind.CLAIM, CLAIM).meta().uid());
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .contains(VolumeSnapshot.CLAIM_PROTECTION);
    server.onRead(PendingCreationTest::noGroups);
    time.advance(Duration.ofSeconds(2));
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** The snapshot will be created while the claim is protected. */
  @Test
  void release_snapshotOnlyListed_keepsDeletedClaim() throws InterruptedException {
    onlyListed(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot("default", "s").sourceClaim(CLAIM.name()).build());
    cluster.delete(Kind.CLAIM, CLAIM, cluster.get(Kind.CLAIM, CLAIM).meta().uid());
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void release_policyBecomesRetain_releasesClaim() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    steps.settle();
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED, ReclaimPolicy.RETAIN);
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void release_otherVolume_releasesClaim() throws InterruptedException {
    content(DRIVER, "vol-2", SnapshotContent.BEING_CREATED);
    assertThat(finalizers()).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void release_sameHandleOfOtherDriver_releasesClaim() throws InterruptedException {
    content("other.example.com", "vol-1", SnapshotContent.BEING_CREATED);
    assertThat(finalizers()).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }
}
