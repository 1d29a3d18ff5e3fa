package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.EmptyStates;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.attachdetach.execute.NodeStatusWriter.FlushResult;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** spec/attachdetach.md 14, rows 48 to 50, and that writes are merged. */
class NodeStatusWriterTest {
  private final EmptyStates worlds = new EmptyStates();
  private final ActualStateUpdater actual = worlds.actual();
  private final AttachCluster cluster = new AttachCluster();
  private final SimTime time = new SimTime();
  private final List<String> foreign = new ArrayList<>();
  private final NodeStatusWriter statuses =
      new NodeStatusWriter(
          worlds.state().actual(),
          cluster.nodes,
          cluster.ports(time),
          foreign::add,
          Compat.MOORING);

  private static VolumeId volume(int i) {
    return VolumeId.csi("d", "v" + i);
  }

  private java.util.Map<String, String> listed(String node) {
    return cluster.nodes.snapshot().get(ObjectKey.cluster(node)).orElseThrow().volumesAttached();
  }

  /** A write is under way until it may go on. */
  private static void held(CountDownLatch writing, CountDownLatch goOn) {
    writing.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void another(Node first) {
    cluster.remove(cluster.nodes, first);
    cluster.put(
        Kind.NODE, Builders.node(Builders.metaOf(first.key()).uid("another").meta()).build());
  }

  @Test
  void row50OnlyThatNodeIsWritten() throws Exception {
    cluster.node("n1");
    cluster.node("n2");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    actual.update(new WorldUpdate.Attached(volume(2), "n2", "", null));
    assertThat(statuses.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(listed("n1")).containsOnlyKeys(volume(1).text());
    assertThat(listed("n2")).isEmpty();
  }

  @Test
  void anEmptyListIsWrittenAsNull() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    statuses.flush("n1");
    actual.update(new WorldUpdate.NotAttached(volume(1), "n1"));
    assertThat(statuses.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(listed("n1")).isEmpty();
    assertThat(cluster.statusPatches().getLast().members().get("status"))
        .hasToString("{volumesAttached=null}");
  }

  /** A list of everything, with somebody's write after ours, came before the answer to ours. */
  @Test
  void whatSomebodyElseHasWrittenSinceIsLookedAt() throws Exception {
    Map<String, String> nonsense = Map.of(volume(1).text(), "");
    cluster.node("n1", "True", List.of(), List.of(), nonsense);
    cluster.beforeAnswer =
        () -> cluster.node("n1", "True", List.of(), List.of(), nonsense); // a later version
    assertThat(statuses.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(foreign).containsExactly("n1");
    cluster.beforeAnswer = () -> {};
    assertThat(statuses.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(foreign).as("the list is ours now").hasSize(1);
  }

  /** A kubelet's heartbeat that the cache has yet to see, say. */
  @Test
  void whoWasFirstIsReadAndTheListWrittenOnTopOfIt() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    cluster.onStatus =
        patch -> {
          cluster.onStatus = null;
          return new WriteResult.Written<>(
              cluster.node("n1", "True", List.of(), List.of("in/use/1"), Map.of()));
        };
    assertThat(statuses.flush("n1"))
        .isInstanceOfSatisfying(
            FlushResult.Done.class, done -> assertThat(done.now().volumesInUse()).hasSize(1));
    assertThat(listed("n1")).containsOnlyKeys(volume(1).text());
    assertThat(cluster.statusPatches()).hasSize(2);
  }

  @Test
  void whoIsAlwaysFirstWinsAtLast() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    cluster.onStatus = patch -> new WriteResult.Conflict<>("somebody else was first");
    assertThat(statuses.flush("n1"))
        .isEqualTo(
            new FlushResult.Failed("writing the status of node n1: somebody else was first"));
    assertThat(cluster.statusPatches()).hasSize(6);
  }

  @Test
  void anotherNodeOfThatNameIsNotWritten() throws Exception {
    Node first = cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    cluster.onStatus =
        patch -> {
          cluster.remove(cluster.nodes, first);
          another(first);
          return new WriteResult.Conflict<>("not that node");
        };
    assertThat(statuses.flush("n1")).isInstanceOf(FlushResult.Failed.class);
    assertThat(cluster.statusPatches()).hasSize(1);
    assertThat(listed("n1")).isEmpty();
  }

  /** Of a process that is gone, or that was given up here: a kubelet would mount what it lists. */
  @Test
  void whatWasSentBeforeChangesNothingAfterAListThatIsForGood() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    statuses.flush("n1");
    Document late = cluster.statusPatches().getLast();
    cluster.onStatus = null;
    actual.update(new WorldUpdate.Listed(volume(1), "n1", false));
    assertThat(statuses.flush("n1")).as("nothing to write").isEqualTo(new FlushResult.Done(null));
    assertThat(statuses.flushInvalidating("n1"))
        .isInstanceOfSatisfying(
            FlushResult.Done.class, done -> assertThat(done.now().volumesAttached()).isEmpty());
    assertThat(cluster.statusPatches()).as("none, and the list again").hasSize(3);
    assertThat(cluster.server.patchStatus(Kind.NODE, ObjectKey.cluster("n1"), late))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(listed("n1")).isEmpty();
  }

  /** Once is enough: what is sent before comes from nobody any more. */
  @Test
  void aListIsMadeGoodOnceUnlessAWriteIsNotAnswered() throws Exception {
    cluster.node("n1");
    statuses.flushInvalidating("n1");
    statuses.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(2);
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    statuses.flush("n1");
    cluster.onStatus = null;
    actual.update(new WorldUpdate.NotAttached(volume(1), "n1"));
    statuses.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(5);
  }

  /** One asks for good and waits; another write, for which that does not matter, comes first. */
  @Test
  void whoWaitsForGoodIsNotToldOfAnAnswerThatIsNone() throws Exception {
    cluster.node("n1");
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    cluster.onStatus =
        patch -> {
          held(writing, goOn);
          cluster.onStatus = null;
          return new WriteResult.Unreachable<>("no answer");
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<FlushResult> first = threads.submit(() -> statuses.flushInvalidating("n1"));
      writing.await();
      Future<FlushResult> second = threads.submit(() -> statuses.flush("n1"));
      Patience.until("it waits for its turn", () -> time.pending() > 0);
      goOn.countDown();
      assertThat(first.get()).isInstanceOf(FlushResult.Failed.class);
      assertThat(second.get())
          .as("a turn for all who wait is for good if one of them asks for that")
          .isInstanceOfSatisfying(
              FlushResult.Done.class, done -> assertThat(done.now().volumesAttached()).isEmpty());
    }
    assertThat(cluster.statusPatches()).as("one without answer, none, and the list").hasSize(3);
  }

  /** A watch broke: what only the cache lacks can be written late all the same. */
  @Test
  void aNodeThatTheCacheLacksIsAskedForWhereItIsForGood() throws Exception {
    Node there = cluster.node("n1");
    cluster.remove(cluster.nodes, there);
    cluster.mute = true;
    assertThat(statuses.flush("n1")).isEqualTo(new FlushResult.Done(null));
    assertThat(statuses.flushInvalidating("n1"))
        .isEqualTo(new FlushResult.Failed("writing the status of node n1: no answer"));
    cluster.mute = false;
    assertThat(statuses.flushInvalidating("n1")).isEqualTo(new FlushResult.Done(null));
  }

  /** As a webhook does that knows which volumes there are. */
  @Test
  void whereNothingElseMayBeListedItIsLeftToChance() throws Exception {
    cluster.node("n1");
    cluster.onStatus = patch -> new WriteResult.Rejected<>(422, "no such volume");
    assertThat(statuses.flushInvalidating("n1")).isEqualTo(new FlushResult.Done(null));
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    assertThat(statuses.flushInvalidating("n1"))
        .as("what is not left to chance")
        .isInstanceOf(FlushResult.Failed.class);
  }

  @Test
  void likeKubernetesNothingElseIsListed() throws Exception {
    cluster.node("n1");
    NodeStatusWriter plain =
        new NodeStatusWriter(
            worlds.state().actual(),
            cluster.nodes,
            cluster.ports(time),
            foreign::add,
            Compat.KUBERNETES);
    assertThat(plain.flushInvalidating("n1")).isEqualTo(new FlushResult.Done(null));
    assertThat(cluster.statusPatches()).isEmpty();
  }

  @Test
  void aListThatIsWrittenAnywayIsGood() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    statuses.flushInvalidating("n1");
    actual.update(new WorldUpdate.Listed(volume(1), "n1", false));
    statuses.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(2);
  }

  /** The name says nothing of another machine that has it now. */
  @Test
  void aNodeThatCameAnewIsMadeGoodAnew() throws Exception {
    Node first = cluster.node("n1");
    statuses.flushInvalidating("n1");
    another(first);
    statuses.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(4);
  }

  @Test
  void whatIsWrittenAlreadyIsNotWrittenAgain() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    statuses.flush("n1");
    statuses.flush("n1");
    assertThat(cluster.statusPatches()).hasSize(1);
  }

  /** Else each volume of a burst would be a write, with all that were before it. */
  @Test
  void whileMoreComesItIsWrittenTenTimesASecond() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    actual.update(new WorldUpdate.Uncertain(volume(2), "n1", null));
    assertThat(statuses.writeDelay("n1")).as("the first").isZero();
    statuses.flush("n1");
    time.advance(Duration.ofMillis(30));
    assertThat(statuses.writeDelay("n1")).isEqualTo(Duration.ofMillis(70));
    assertThat(statuses.writeDelay("n2")).as("another node").isZero();
    time.advance(Duration.ofMillis(70));
    assertThat(statuses.writeDelay("n1")).isZero();
  }

  @Test
  void nothingWaitsWhenNothingMoreComes() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    actual.update(new WorldUpdate.Uncertain(volume(2), "n1", null));
    statuses.flush("n1");
    actual.update(new WorldUpdate.Attached(volume(2), "n1", "", null));
    assertThat(statuses.writeDelay("n1")).isZero();
  }

  @Test
  void row49AFailureIsTheCallers() throws Exception {
    cluster.node("n1");
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    assertThat(statuses.flush("n1"))
        .isEqualTo(new FlushResult.Failed("writing the status of node n1: no answer"));
    cluster.onStatus = null;
    assertThat(statuses.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(listed("n1")).hasSize(1);
  }

  @Test
  void aNodeThatIsNotThereNeedsNothing() throws Exception {
    actual.update(new WorldUpdate.Attached(volume(1), "n1", "", null));
    assertThat(statuses.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(cluster.statusPatches()).isEmpty();
  }

  /** A hundred changes of one node while a write is under way: one more write. */
  @Test
  void changesDuringAWriteGoIntoTheNextTogether() throws Exception {
    cluster.node("n1");
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    cluster.onStatus =
        patch -> {
          held(writing, goOn);
          return new WriteResult.Written<>(cluster.nodes.snapshot().all().iterator().next());
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      actual.update(new WorldUpdate.Attached(volume(0), "n1", "", null));
      List<Future<FlushResult>> all = new ArrayList<>();
      all.add(threads.submit(() -> statuses.flush("n1")));
      writing.await();
      CountDownLatch begun = new CountDownLatch(100);
      for (int i = 1; i <= 100; i++) {
        int n = i;
        all.add(
            threads.submit(() -> {
              actual.update(new WorldUpdate.Attached(volume(n), "n1", "", null));
              begun.countDown();
              return statuses.flush("n1");
            }));
      }
      begun.await();
      goOn.countDown();
      for (Future<FlushResult> one : all) {
        assertThat(assertTimeoutPreemptively(Patience.LONGEST, () -> one.get()))
            .isInstanceOf(FlushResult.Done.class);
      }
    }
    assertThat(listed("n1")).hasSize(101);
    assertThat(cluster.statusPatches()).hasSizeBetween(2, 4); // some may begin after the second
  }
}
