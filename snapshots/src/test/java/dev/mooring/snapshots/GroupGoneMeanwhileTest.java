package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
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
import dev.mooring.reconcile.Stepwise;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A group that goes, or whose claim may have gone, while the server is asked of which claims it is.
 */
class GroupGoneMeanwhileTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");
  private static final Map<String, String> LABELS = Map.of("app", "db");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final Stepwise steps =
      new Stepwise(
          new SnapshotController(
                  new SnapshotConfig(true),
                  cluster.informers(),
                  new ClusterPorts(
                      server,
                      server,
                      cluster,
                      (about, uid) -> new ReadResult.Found<>(List.of()),
                      time))
              .spec(),
          time);
  private final GroupSnapshot group =
      Builders.groupSnapshot("default", "g")
          .uid("11111111-1111-1111-1111-111111111111")
          .selector(Optional.of(new LabelSelector(LABELS, List.of())))
          .className("together")
          .build();

  /** A server that has none of a kind, and whose watches never end. */
  private record None<T extends Resource>() implements ListWatch<T> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<T> each) {
      return 0;
    }

    @Override
    public Page head(int most, Consumer<T> each) {
      return new Page(0, true);
    }

    @Override
    public void watch(long from, boolean everything, Sink<T> sink) throws InterruptedException {
      new CountDownLatch(1).await();
    }

    @Override
    public void catchUp(long from, Sink<T> sink) {}
  }

  private <T extends Resource> void know(Informer<T> informer) throws InterruptedException {
    Reflector<T> reflector = new Reflector<>(informer, new None<>(), time, () -> 0);
    reflector.start();
    informer.awaitSynced();
    reflector.stop();
  }

  @BeforeEach
  void aGroupOfABoundClaim() throws InterruptedException {
    know(cluster.informers().of(Kind.GROUP_SNAPSHOT));
    know(cluster.informers().of(Kind.GROUP_SNAPSHOT_CLASS));
    know(cluster.informers().of(Kind.GROUP_SNAPSHOT_CONTENT));
    cluster.put(
        Kind.GROUP_SNAPSHOT_CLASS, Builders.groupSnapshotClass("together").driver(DRIVER).build());
    bound(CLAIM, LABELS);
    steps.listen();
    cluster.put(Kind.GROUP_SNAPSHOT, group);
  }

  private void bound(ObjectKey key, Map<String, String> labels) {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            Builders.volume("pv-" + key.name())
                .source(VolumeSource.csi(DRIVER, "vol-" + key.name()))
                .claimRef(new ClaimRef(key, Builders.claim(key).meta().uid()))
                .build());
    cluster.put(
        Kind.CLAIM,
        Builders.claim(key)
            .labels(labels)
            .boundTo(volume)
            .finalizer("example.com/somebody")
            .build());
  }

  /** As a member's metadata have it. */
  private Map<String, Object> owner() {
    return Map.of(
        "apiVersion", Kind.GROUP_SNAPSHOT.apiVersion(),
        "kind", Kind.GROUP_SNAPSHOT.kind(),
        "name", group.key().name(),
        "uid", group.meta().uid().toString());
  }

  private void askedOnce() throws InterruptedException {
    assertThat(steps.step("snapshot-controller-group-snapshot")).isTrue();
    assertThat(server.requests())
        .filteredOn(GroupGoneMeanwhileTest::isListOfClaims)
        .as("lists of claims")
        .hasSize(1);
    assertThat(finalizers()).as("by the answer").contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  private static boolean isListOfClaims(Request asked) {
    return asked.verb() == Verb.LIST && asked.kind().equals(Kind.CLAIM_LABELS);
  }

  private void goes() {
    cluster.remove(Kind.GROUP_SNAPSHOT, group.key());
  }

  private void goesMeanwhile() {
    server.onRead(asked -> {
      if (isListOfClaims(asked)) {
        goes();
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
  void itsClaimIsLetGo() throws InterruptedException {
    goesMeanwhile();
    askedOnce();
    steps.settle();
    assertThat(finalizers()).as("when all is told").doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** Whatever moves the claim later finds nobody that holds it. */
  @Test
  void andAClaimThatIsDeletedThenDoesNotStay() throws InterruptedException {
    goesMeanwhile();
    askedOnce();
    Claim held = cluster.get(Kind.CLAIM, CLAIM);
    cluster.delete(Kind.CLAIM, CLAIM, held.meta().uid());
    steps.settle();
    assertThat(finalizers()).containsExactly("example.com/somebody");
  }

  /** Else the two above would say nothing. */
  @Test
  void theClaimOfAGroupThatStaysIsHeld() throws InterruptedException {
    askedOnce();
    steps.settle();
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** While its content is refused nothing else would come to have the claim looked at. */
  @Test
  void aClaimThatItIsNotToBeMadeOfAnyMoreIsLetGo() throws InterruptedException {
    ObjectKey other = new ObjectKey("default", "b");
    bound(other, LABELS);
    server.onWrite(
        asked -> asked.verb() == Verb.CREATE ? new WriteResult.Rejected<>(403, "a quota") : null);
    steps.settle();
    assertThat(finalizers(other)).as("both").contains(VolumeSnapshot.CLAIM_PROTECTION);
    Claim held = cluster.get(Kind.CLAIM, other);
    cluster.patch(
        Kind.CLAIM, other, Document.patchOf(held.meta()).set(null, "metadata", "labels", "app"));
    assertThat(steps.step("snapshot-controller-claim")).as("held by its group still").isTrue();
    time.advance(Duration.ofMinutes(20));
    steps.settle();
    assertThat(isMade()).as("it is tried").isTrue();
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
    assertThat(finalizers(other)).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  private boolean isMade() {
    return server.requests().stream()
        .anyMatch(asked ->
            asked.verb() == Verb.CREATE && asked.kind().equals(Kind.GROUP_SNAPSHOT_CONTENT));
  }

  @Test
  void itIsMadeOfClaimsThatTheServerHas() throws InterruptedException {
    steps.settle();
    assertThat(isMade()).isTrue();
  }

  /** The cache shows it, and the hold of it, until it is told; its volume went with it. */
  @Test
  void nothingIsMadeWhileTheServerDoesNotSayThatItsClaimIsHeld() throws InterruptedException {
    server.onRead(asked ->
        asked.verb() == Verb.GET && asked.kind().equals(Kind.CLAIM)
            ? new ReadResult.Failed<>("no answer")
            : null);
    steps.settle();
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
    assertThat(isMade()).isFalse();
  }

  /** It waits for its group, and its status, by which it would be found, was never written. */
  @Test
  void aSnapshotOfItThatDoesNotSayOfWhichGroupItIsIsLookedAt() throws InterruptedException {
    VolumeSnapshot member =
        cluster.put(
            Kind.SNAPSHOT,
            Builders.volumeSnapshot("default", "member")
                .deleted(1)
                .finalizer(VolumeSnapshot.GROUP_PROTECTION)
                .build());
    cluster.patch(
        Kind.SNAPSHOT,
        member.key(),
        Document.patchOf(member.meta()).set(List.of(owner()), "metadata", "ownerReferences"));
    steps.settle();
    assertThat(cluster.get(Kind.SNAPSHOT, member.key()).isOfGroup()).as("it waits").isTrue();
    goes();
    assertThat(steps.step("snapshot-controller-snapshot")).as("looked at again").isTrue();
  }
}
