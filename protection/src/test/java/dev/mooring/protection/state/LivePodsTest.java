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
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class LivePodsTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  private static final Uid UID = Uid.of("u");
  private static final Uid LATER = Uid.of("later");

  private final SimTime time = new SimTime();
  private final AtomicInteger lists = new AtomicInteger();
  private volatile boolean failing;
  private final FaultyCluster server =
      new FaultyCluster()
          .onRead(request -> {
            assertThat(request.toString()).startsWith("list Pod ");
            lists.incrementAndGet();
            return failing ? new ReadResult.Failed<>("no") : null;
          });
  private final LivePods live = new LivePods(server, time);

  private void pass() {
    time.advance(Duration.ofMillis(1));
  }

  @Test
  void remembered_oneList_servesAllEarlierDeletions() throws InterruptedException {
    live.noteDeleting(CLAIM, UID);
    pass();
    assertThat(live.remembered(CLAIM, UID)).isEmpty();
    live.now("ns");
    assertThat(live.remembered(CLAIM, UID)).isPresent();
    assertThat(live.remembered(ObjectKey.of("other", "c"), UID)).isEmpty();
  }

  @Test
  void remembered_listBeforeTheDeletion_provesNothing() throws InterruptedException {
    live.now("ns");
    pass();
    live.noteDeleting(CLAIM, UID);
    assertThat(live.remembered(CLAIM, UID)).isEmpty();
  }

  @Test
  void remembered_listBeforeTheLaterClaimsDeletion_provesNothing() throws InterruptedException {
    live.noteDeleting(CLAIM, UID);
    pass();
    live.now("ns");
    pass();
    live.noteDeleting(CLAIM, LATER); // the deletion of the earlier claim was missed
    live.forget(CLAIM, UID);
    assertThat(live.remembered(CLAIM, LATER)).isEmpty();
    pass();
    live.now("ns");
    assertThat(live.remembered(CLAIM, LATER)).isPresent();
  }

  /** Claims and namespaces are deleted, some during an outage of the watch. */
  @Test
  void forget_deletedClaimsAndNamespaces_leavesNothing() throws InterruptedException {
    SortedMap<String, Integer> before =
        RetainedElements.by(live, SimTime.class, FaultyCluster.class);
    for (int i = 0; i < 10_000; i++) {
      ObjectKey claim = ObjectKey.of("ns-" + i, "c");
      live.remembered(claim, UID);
      live.noteDeleting(claim, UID);
      pass();
      if (i % 3 == 0) {
        live.now(claim.namespace());
      }
      if (i % 2 == 0) {
        live.forgetOthers(claim, LATER); // the deletion of the earlier claim was missed
        live.forget(claim, LATER);
      } else {
        live.forget(claim, UID);
      }
    }
    time.advance(Duration.ofSeconds(6));
    assertThat(RetainedElements.by(live, SimTime.class, FaultyCluster.class)).isEqualTo(before);
    assertThat(before).as("what is read").containsKeys("LivePods.deleting{}");
  }

  @Test
  void remembered_oldList_isForgotten() throws InterruptedException {
    live.noteDeleting(CLAIM, UID);
    pass();
    live.now("ns");
    time.advance(Duration.ofSeconds(6));
    assertThat(live.remembered(CLAIM, UID)).isEmpty();
  }

  private void list(ObjectKey claim) throws InterruptedException {
    if (live.takeSinceWoken(claim).isEmpty()) {
      assertThat(live.now(claim.namespace())).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void takeSinceWoken_claimsWokenTogether_shareAList() throws InterruptedException {
    ObjectKey other = ObjectKey.of("ns", "d");
    live.noteWoken(CLAIM);
    live.noteWoken(other);
    pass();
    list(CLAIM);
    list(other);
    assertThat(lists).hasValue(1);
  }

  @Test
  void takeSinceWoken_listBeforeTheWake_provesNothing() throws InterruptedException {
    live.noteWoken(CLAIM);
    pass();
    list(CLAIM);
    pass();
    live.noteWoken(CLAIM); // a pod that used it was deleted
    list(CLAIM);
    assertThat(lists).hasValue(2);
    list(CLAIM); // no event has been seen since
    assertThat(lists).hasValue(3);
  }

  @Test
  void now_failure_isNotRemembered() throws InterruptedException {
    live.noteDeleting(CLAIM, UID);
    pass();
    failing = true;
    assertThat(live.now("ns")).isInstanceOf(ReadResult.Failed.class);
    assertThat(live.remembered(CLAIM, UID)).isEmpty();
    failing = false;
    assertThat(live.now("ns")).isInstanceOf(ReadResult.Found.class);
  }

  @Test
  void begins_whileOneLists_defersOthersAndCallsThemBack() throws InterruptedException {
    List<String> called = new ArrayList<>();
    assertThat(live.tryBegin("ns", () -> called.add("first"))).isTrue();
    assertThat(live.tryBegin("ns", () -> called.add("second"))).isFalse();
    assertThat(live.tryBegin("other", () -> called.add("other"))).isTrue();
    live.noteDeleting(CLAIM, UID);
    pass();
    live.now("ns");
    assertThat(called).isEmpty();
    live.endListing("ns");
    assertThat(called).containsExactly("second");
    assertThat(live.remembered(CLAIM, UID)).isPresent();
    assertThat(live.tryBegin("ns", () -> called.add("third"))).isTrue();
  }
}
