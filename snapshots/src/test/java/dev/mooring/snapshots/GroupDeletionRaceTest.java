package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A group, or one of its claims, is deleted while the claims are listed. */
class GroupDeletionRaceTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");
  private static final Map<String, String> LABELS = Map.of("app", "db");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final StepwiseController steps = GivenSnapshotController.create(server, time, true);
  private final GroupSnapshot group =
      TestObjects.groupSnapshot("default", "g")
          .uid("11111111-1111-1111-1111-111111111111")
          .selector(Optional.of(new LabelSelector(LABELS, List.of())))
          .className("together")
          .build();

  private <T extends Resource> void sync(Informer<T> informer) throws InterruptedException {
    Reflector<T> reflector = new Reflector<>(informer, GivenListWatch.empty(), time, () -> 0);
    reflector.start();
    informer.awaitSynced();
    reflector.stop();
  }

  @BeforeEach
  void createGroupOfBoundClaim() throws InterruptedException {
    sync(cluster.informers().of(Kind.GROUP_SNAPSHOT));
    sync(cluster.informers().of(Kind.GROUP_SNAPSHOT_CLASS));
    sync(cluster.informers().of(Kind.GROUP_SNAPSHOT_CONTENT));
    cluster.put(
        Kind.GROUP_SNAPSHOT_CLASS,
        TestObjects.groupSnapshotClass("together").driver(DRIVER).build());
    createBoundClaim(CLAIM, LABELS);
    steps.startWithoutFirstPasses();
    cluster.put(Kind.GROUP_SNAPSHOT, group);
  }

  private void createBoundClaim(ObjectKey key, Map<String, String> labels) {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume("pv-" + key.name())
                .source(VolumeSource.csi(DRIVER, "vol-" + key.name()))
                .claimRef(new ClaimRef(key, TestObjects.claim(key).meta().uid()))
                .build());
    cluster.put(
        Kind.CLAIM,
        TestObjects.claim(key)
            .labels(labels)
            .boundTo(volume)
            .finalizer("example.com/other")
            .build());
  }

  /** Returns the owner reference of a member. */
  private Map<String, Object> owner() {
    return Map.of(
        "apiVersion", Kind.GROUP_SNAPSHOT.apiVersion(),
        "kind", Kind.GROUP_SNAPSHOT.kind(),
        "name", group.key().name(),
        "uid", group.meta().uid().toString());
  }

  private void listOnce() throws InterruptedException {
    assertThat(steps.step("snapshot-controller-group-snapshot")).isTrue();
    assertThat(server.requests())
        .filteredOn(GroupDeletionRaceTest::isListOfClaims)
        .as("lists of claims")
        .hasSize(1);
    assertThat(finalizers()).as("as listed").contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  private static boolean isListOfClaims(Request request) {
    return request.verb() == Verb.LIST && request.kind().equals(Kind.CLAIM_LABELS);
  }

  private void deleteGroup() {
    cluster.remove(Kind.GROUP_SNAPSHOT, group.key());
  }

  private void deleteGroupDuringList() {
    server.onRead(request -> {
      if (isListOfClaims(request)) {
        deleteGroup();
      }
      return null;
    });
  }

  private List<String> finalizers() {
    return finalizers(CLAIM);
  }

  private List<String> finalizers(ObjectKey claim) {
    return cluster.get(Kind.CLAIM, claim).meta().finalizers();
  }

  @Test
  void group_deletedAfterList_releasesClaim() throws InterruptedException {
    deleteGroupDuringList();
    listOnce();
    steps.settle();
    assertThat(finalizers())
        .as("after all watch events")
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void claim_deletedAfterGroup_isReleased() throws InterruptedException {
    deleteGroupDuringList();
    listOnce();
    Claim claim = cluster.get(Kind.CLAIM, CLAIM);
    cluster.delete(Kind.CLAIM, CLAIM, claim.meta().uid());
    steps.settle();
    assertThat(finalizers()).containsExactly("example.com/other");
  }

  /** Control: without the deletion the claim keeps its finalizer. */
  @Test
  void group_notDeleted_keepsClaim() throws InterruptedException {
    listOnce();
    steps.settle();
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** While the content is refused, no other event requeues the claim. */
  @Test
  void group_claimNoLongerSelected_releasesClaim() throws InterruptedException {
    ObjectKey otherClaim = new ObjectKey("default", "b");
    createBoundClaim(otherClaim, LABELS);
    server.onWrite(request ->
        request.verb() == Verb.CREATE ? new WriteResult.Rejected<>(403, "a quota") : null);
    steps.settle();
    assertThat(finalizers(otherClaim)).as("both").contains(VolumeSnapshot.CLAIM_PROTECTION);
    Claim claim = cluster.get(Kind.CLAIM, otherClaim);
    cluster.patch(
        Kind.CLAIM,
        otherClaim,
        Document.patchOf(claim.meta()).set(null, "metadata", "labels", "app"));
    assertThat(steps.step("snapshot-controller-claim")).as("still held for the group").isTrue();
    time.advance(Duration.ofMinutes(20));
    steps.settle();
    assertThat(isCreated()).as("the creation is attempted").isTrue();
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
    assertThat(finalizers(otherClaim)).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  private boolean isCreated() {
    return server.requests().stream()
        .anyMatch(request ->
            request.verb() == Verb.CREATE && request.kind().equals(Kind.GROUP_SNAPSHOT_CONTENT));
  }

  @Test
  void group_claimsExist_createsContent() throws InterruptedException {
    steps.settle();
    assertThat(isCreated()).isTrue();
  }

  /**
   * The cache shows the claim and its finalizer until the watch event arrives; the volume is gone.
   */
  @Test
  void group_claimUnanswered_createsNothing() throws InterruptedException {
    server.onRead(request ->
        request.verb() == Verb.GET && request.kind().equals(Kind.CLAIM)
            ? new ReadResult.Failed<>("no answer")
            : null);
    steps.settle();
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
    assertThat(isCreated()).isFalse();
  }

  /**
   * The member waits for its group, and its status, by which it would be found, was never written.
   */
  @Test
  void group_deleted_requeuesMemberWithoutStatus() throws InterruptedException {
    VolumeSnapshot member =
        cluster.put(
            Kind.SNAPSHOT,
            TestObjects.volumeSnapshot("default", "member")
                .deleted(1)
                .finalizer(VolumeSnapshot.GROUP_PROTECTION)
                .build());
    cluster.patch(
        Kind.SNAPSHOT,
        member.key(),
        Document.patchOf(member.meta()).set(List.of(owner()), "metadata", "ownerReferences"));
    steps.settle();
    assertThat(cluster.get(Kind.SNAPSHOT, member.key()).isGroupMember()).as("it waits").isTrue();
    deleteGroup();
    assertThat(steps.step("snapshot-controller-snapshot")).as("requeued").isTrue();
  }
}
