package dev.mooring.protection.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.RetainedElements;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LivePodsTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  private static final Uid UID = Uid.of("u");
  private static final Uid LATER_UID = Uid.of("later");

  private final SimTime time = new SimTime();
  private final AtomicInteger lists = new AtomicInteger();
  private volatile boolean isFailing;
  private final FaultyCluster server =
      new FaultyCluster()
          .onRead(request -> {
            assertThat(request.toString()).startsWith("list Pod ");
            lists.incrementAndGet();
            return isFailing ? new ReadResult.Failed<>("no") : null;
          });
  private final LivePods livePods = new LivePods(server, time);

  private void advanceTime() {
    time.advance(Duration.ofMillis(1));
  }

  @Test
  void listSinceDeletion_listAfterDeletion_isReturned() throws InterruptedException {
    livePods.recordDeletion(CLAIM, UID);
    advanceTime();
    assertThat(livePods.listSinceDeletion(CLAIM, UID)).isEmpty();
    livePods.listPods("ns");
    assertThat(livePods.listSinceDeletion(CLAIM, UID)).isPresent();
    assertThat(livePods.listSinceDeletion(ObjectKey.of("other", "c"), UID)).isEmpty();
  }

  @Test
  void listSinceDeletion_listBeforeDeletion_isEmpty() throws InterruptedException {
    livePods.listPods("ns");
    advanceTime();
    livePods.recordDeletion(CLAIM, UID);
    assertThat(livePods.listSinceDeletion(CLAIM, UID)).isEmpty();
  }

  @Test
  void listSinceDeletion_listBeforeDeletionOfLaterClaim_isEmpty() throws InterruptedException {
    livePods.recordDeletion(CLAIM, UID);
    advanceTime();
    livePods.listPods("ns");
    advanceTime();
    livePods.recordDeletion(CLAIM, LATER_UID); // the deletion of the earlier claim was missed
    livePods.forget(CLAIM, UID);
    assertThat(livePods.listSinceDeletion(CLAIM, LATER_UID)).isEmpty();
    advanceTime();
    livePods.listPods("ns");
    assertThat(livePods.listSinceDeletion(CLAIM, LATER_UID)).isPresent();
  }

  /** Claims and namespaces are deleted, some during an outage of the watch. */
  @Test
  void forget_deletedClaimsAndNamespaces_retainsNothing() throws InterruptedException {
    SortedMap<String, Integer> retainedBefore =
        RetainedElements.countFrom(livePods, SimTime.class, FaultyCluster.class);
    for (int i = 0; i < 10_000; i++) {
      ObjectKey claim = ObjectKey.of("ns-" + i, "c");
      livePods.listSinceDeletion(claim, UID);
      livePods.recordDeletion(claim, UID);
      advanceTime();
      if (i % 3 == 0) {
        livePods.listPods(claim.namespace());
      }
      if (i % 2 == 0) {
        livePods.forgetOtherUids(claim, LATER_UID); // the deletion of the earlier claim was missed
        livePods.forget(claim, LATER_UID);
      } else {
        livePods.forget(claim, UID);
      }
    }
    time.advance(Duration.ofSeconds(6));
    assertThat(RetainedElements.countFrom(livePods, SimTime.class, FaultyCluster.class))
        .isEqualTo(retainedBefore);
    assertThat(retainedBefore).as("what is read").containsKeys("LivePods.observedDeletions{}");
  }

  @Test
  void listSinceDeletion_oldList_isEmpty() throws InterruptedException {
    livePods.recordDeletion(CLAIM, UID);
    advanceTime();
    livePods.listPods("ns");
    time.advance(Duration.ofSeconds(6));
    assertThat(livePods.listSinceDeletion(CLAIM, UID)).isEmpty();
  }

  private void listPodsIfNeeded(ObjectKey claim) throws InterruptedException {
    if (livePods.takeListSinceRequeue(claim).isEmpty()) {
      assertThat(livePods.listPods(claim.namespace())).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void takeListSinceRequeue_claimsRequeuedTogether_listsOnce() throws InterruptedException {
    ObjectKey otherClaim = ObjectKey.of("ns", "d");
    livePods.recordRequeue(CLAIM);
    livePods.recordRequeue(otherClaim);
    advanceTime();
    listPodsIfNeeded(CLAIM);
    listPodsIfNeeded(otherClaim);
    assertThat(lists).hasValue(1);
  }

  @Test
  void takeListSinceRequeue_listBeforeRequeue_isEmpty() throws InterruptedException {
    livePods.recordRequeue(CLAIM);
    advanceTime();
    listPodsIfNeeded(CLAIM);
    advanceTime();
    livePods.recordRequeue(CLAIM); // a pod that used it was deleted
    listPodsIfNeeded(CLAIM);
    assertThat(lists).hasValue(2);
    listPodsIfNeeded(CLAIM); // no event has been seen since
    assertThat(lists).hasValue(3);
  }

  @Test
  void listPods_failure_isNotRemembered() throws InterruptedException {
    livePods.recordDeletion(CLAIM, UID);
    advanceTime();
    isFailing = true;
    assertThat(livePods.listPods("ns")).isInstanceOf(ReadResult.Failed.class);
    assertThat(livePods.listSinceDeletion(CLAIM, UID)).isEmpty();
    isFailing = false;
    assertThat(livePods.listPods("ns")).isInstanceOf(ReadResult.Found.class);
  }

  @Test
  void tryBeginListing_anotherCallerLists_runsCallbackAtEnd() throws InterruptedException {
    List<String> callbacks = new ArrayList<>();
    assertThat(livePods.tryBeginListing("ns", () -> callbacks.add("first"))).isTrue();
    assertThat(livePods.tryBeginListing("ns", () -> callbacks.add("second"))).isFalse();
    assertThat(livePods.tryBeginListing("other", () -> callbacks.add("other"))).isTrue();
    livePods.recordDeletion(CLAIM, UID);
    advanceTime();
    livePods.listPods("ns");
    assertThat(callbacks).isEmpty();
    livePods.endListing("ns");
    assertThat(callbacks).containsExactly("second");
    assertThat(livePods.listSinceDeletion(CLAIM, UID)).isPresent();
    assertThat(livePods.tryBeginListing("ns", () -> callbacks.add("third"))).isTrue();
  }
}
