package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs lists and watches against a scripted server. */
class ReflectorTest extends InformerFixture {
  /** A server that answers with one scripted step per call. */
  private static final class ScriptedServer implements ListWatch<CsiDriver> {
    interface Step {
      long run(Consumer<CsiDriver> list, Sink<CsiDriver> watch) throws ListWatchException;
    }

    private final Deque<Step> steps = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    private boolean streams;
    private ListWatch.Page head = new ListWatch.Page(Long.MAX_VALUE, false);
    private List<CsiDriver> headPage = List.of();

    @Override
    public Page listFirstPage(int limit, Consumer<CsiDriver> consumer) {
      calls.add("head " + limit);
      headPage.stream().limit(limit).forEach(consumer);
      return head;
    }

    @Override
    public void catchUp(long sinceVersion, Sink<CsiDriver> sink) throws ListWatchException {
      calls.add("catch up " + sinceVersion);
      steps.remove().run(null, sink);
    }

    @Override
    public boolean streamsLists() {
      return streams;
    }

    @Override
    public long list(Consumer<CsiDriver> consumer) throws ListWatchException {
      calls.add("list");
      return steps.remove().run(consumer, null);
    }

    @Override
    public void watch(long sinceVersion, boolean sendInitialEvents, Sink<CsiDriver> sink)
        throws ListWatchException {
      calls.add(sendInitialEvents ? "stream" : "watch " + sinceVersion);
      steps.remove().run(null, sink);
    }
  }

  private final ScriptedServer server = new ScriptedServer();
  private final SimTime time = new SimTime(true);
  private final Reflector<CsiDriver> reflector = new Reflector<>(informer, server, time, () -> 0);

  private void runRounds() throws InterruptedException {
    while (!server.steps.isEmpty()) {
      reflector.runRound();
    }
  }

  private static ScriptedServer.Step failWith(Reason why) {
    return (list, watch) -> {
      throw new ListWatchException(why, why.toString());
    };
  }

  private static ScriptedServer.Step returnList(long version, CsiDriver... objects) {
    return (list, watch) -> {
      List.of(objects).forEach(list);
      return version;
    };
  }

  @Test
  void i6_expiredVersion_listsAgainWithoutLoss() throws InterruptedException {
    recordChanges();
    server.steps.add(returnList(2, driver("a", 1), driver("b", 2)));
    server.steps.add(failWith(Reason.EXPIRED));
    server.steps.add(returnList(9, driver("b", 8), driver("c", 9)));
    server.steps.add((list, watch) -> 0);
    runRounds();
    assertThat(server.calls).containsExactly("list", "watch 2", "list", "watch 9");
    assertThat(received).containsExactlyInAnyOrder("+a@1", "+b@2", "?-a@1", "~b@2>8", "+c@9");
  }

  @Test
  void i6_watchesEndAtOnce_pausesGrow() throws InterruptedException {
    server.steps.add(returnList(1));
    for (int i = 0; i < 12; i++) {
      server.steps.add((list, watch) -> 0);
    }
    runRounds();
    assertThat(time.sleeps()).hasSize(12).isSorted();
    assertThat(time.sleeps().getFirst()).isEqualTo(Duration.ofMillis(200));
    assertThat(time.sleeps().getLast()).isEqualTo(Duration.ofSeconds(30));
    assertThat(server.calls.stream().filter("list"::equals)).as("number of lists").hasSize(1);
  }

  @Test
  void i6_listFails_retriesWithGrowingPauses() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      server.steps.add(failWith(Reason.FAILED));
    }
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add((list, watch) -> {
      watch.bookmark(2);
      return 0;
    });
    runRounds();
    assertThat(time.sleeps())
        .containsExactly(
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(800),
            Duration.ofMillis(1600));
    assertThat(informer.isSynced()).isTrue();
    assertThat(reflector.lastFailure()).isEmpty();
  }

  /** A watch directly after a paged list must forward its events, not collect them. */
  @Test
  void i3_watchAfterPagedList_deliversEvents() throws InterruptedException {
    recordChanges();
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add((list, watch) -> {
      watch.present(driver("b", 2));
      watch.deleted(driver("a", 3));
      return 0;
    });
    runRounds();
    assertThat(received).containsExactly("+a@1", "+b@2", "-a@3");
  }

  @Test
  void i6_watchForbidden_listsAgain() throws InterruptedException {
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add(failWith(Reason.FORBIDDEN));
    server.steps.add(returnList(2, driver("a", 1), driver("b", 2)));
    server.steps.add((list, watch) -> {
      watch.bookmark(3);
      return 0;
    });
    runRounds();
    assertThat(server.calls).containsExactly("list", "watch 1", "list", "watch 2");
    assertThat(informer.snapshot().size()).isEqualTo(2);
    assertThat(informer.refusal()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"FORBIDDEN", "NO_SUCH_RESOURCE"})
  void i8_listRefused_recordsRefusalUntilListed(Reason reason) throws InterruptedException {
    List<String> answers = new ArrayList<>();
    informer.onAnswer(() -> answers.add(informer.refusal().isPresent() ? "refused" : "listed"));
    server.steps.add(failWith(reason));
    server.steps.add(failWith(reason));
    runRounds();
    informer.awaitAnswer();
    assertThat(informer.isSynced()).isFalse();
    assertThat(informer.refusal())
        .hasValueSatisfying(refusal ->
            assertThat(refusal.cause() == ListRefusal.Cause.FORBIDDEN)
                .isEqualTo(reason == Reason.FORBIDDEN));
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add((list, watch) -> 0);
    runRounds();
    assertThat(informer.refusal()).isEmpty();
    assertThat(answers).containsExactly("refused", "listed");
  }

  @Test
  void failures_kindNotServed_areNotCounted() throws InterruptedException {
    server.steps.add(failWith(Reason.NO_SUCH_RESOURCE));
    runRounds();
    assertThat(reflector.failures()).isZero();
    server.steps.add(failWith(Reason.FORBIDDEN));
    runRounds();
    assertThat(reflector.failures()).isOne();
  }

  @Test
  void awaitFreshness_kindRefusedAndNeverListed_doesNotWait() throws InterruptedException {
    server.steps.add(failWith(Reason.FORBIDDEN));
    runRounds();
    reflector.requestFreshness();
    reflector.awaitFreshness();
    assertThat(informer.isSynced()).isFalse();
  }

  @Test
  void i6_throttled_pausesAsRequested() throws InterruptedException {
    server.steps.add((list, watch) -> {
      throw new ListWatchException(Reason.THROTTLED, "busy", Duration.ofSeconds(7));
    });
    runRounds();
    assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(7));
  }

  private ScriptedServer.Step endWatch(long version) {
    server.head = new ListWatch.Page(version, false);
    return (list, watch) -> 0;
  }

  /** A server reports this whenever its watch cache lags, for example after a restart. */
  @Test
  void i8_futureVersion_deliversNothing() throws InterruptedException {
    recordChanges();
    server.steps.add(returnList(1000, driver("a", 900), driver("b", 1000)));
    server.steps.add(failWith(Reason.FUTURE_VERSION));
    server.steps.add(failWith(Reason.FUTURE_VERSION));
    server.steps.add(returnList(1001, driver("a", 900), driver("b", 1001)));
    server.steps.add(endWatch(1001));
    runRounds();
    assertThat(server.calls).containsExactly("list", "watch 1000", "list", "list", "watch 1001");
    assertThat(received).containsExactly("+a@900", "+b@1000", "~b@1000>1001");
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void i8_errorInWatch_deliversNothing(Reason why) throws InterruptedException {
    recordChanges();
    server.steps.add(returnList(5, driver("a", 4), driver("b", 5)));
    for (int i = 0; i < 5; i++) {
      server.steps.add(failWith(why));
    }
    runRounds();
    assertThat(received).containsExactly("+a@4", "+b@5");
    assertThat(informer.snapshot().size()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void i8_streamedListFails_listsInPages(Reason why) throws InterruptedException {
    recordChanges();
    server.streams = true;
    server.steps.add((list, watch) -> {
      watch.present(driver("a", 3));
      throw new ListWatchException(why, why.toString());
    });
    server.steps.add(returnList(4, driver("b", 4)));
    server.steps.add(endWatch(4));
    runRounds();
    assertThat(server.calls).containsExactly("stream", "list", "watch 4");
    assertThat(received).containsExactly("+b@4");
    assertThat(informer.isSynced()).isTrue();
  }

  @Test
  void i8_streamedListIncomplete_listsInPages() throws InterruptedException {
    server.streams = true;
    server.steps.add((list, watch) -> {
      watch.present(driver("a", 3));
      return 0;
    });
    server.steps.add(returnList(4, driver("b", 4)));
    server.steps.add(endWatch(4));
    runRounds();
    assertThat(server.calls).containsExactly("stream", "list", "watch 4");
  }

  /** A restored server sends no events to a watch with a version that it has not reached yet. */
  @Test
  void i8_versionsDecrease_silentWatchLeadsToList() throws InterruptedException {
    recordChanges();
    server.steps.add(returnList(1000, driver("a", 1000), driver("b", 990)));
    server.steps.add(endWatch(500));
    server.steps.add(returnList(500, driver("a", 480), driver("c", 400)));
    server.steps.add((list, watch) -> {
      watch.present(driver("a", 501));
      return 0;
    });
    runRounds();
    assertThat(server.calls).containsExactly("list", "watch 1000", "head 1", "list", "watch 500");
    assertThat(received)
        .containsExactlyInAnyOrder(
            "+a@1000", "+b@990", "?-b@990", "~a@1000>480", "+c@400", "~a@480>501");
  }

  @Test
  void i6_twoSilentWatches_listsAgain() throws InterruptedException {
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add(failWith(Reason.SILENT));
    server.steps.add(failWith(Reason.SILENT));
    server.steps.add(returnList(2, driver("b", 2)));
    server.steps.add(endWatch(2));
    runRounds();
    assertThat(server.calls).containsExactly("list", "watch 1", "watch 1", "list", "watch 2");
  }

  @Test
  void i9_smallKind_isReplacedByFirstPage() throws InterruptedException {
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add(endWatch(1));
    runRounds();
    recordChanges();
    received.clear();
    server.calls.clear();
    reflector.requestFreshness();
    server.head = new ListWatch.Page(7, true);
    server.headPage = List.of(driver("b", 7));
    server.steps.add((list, watch) -> {
      assertThat(received)
          .as("changes before the watch")
          .containsExactlyInAnyOrder("?-a@1", "+b@7");
      return 0;
    });
    runRounds();
    reflector.awaitFreshness();
    assertThat(server.calls).containsExactly("head 500", "watch 7");
  }

  @Test
  void i9_largeKind_catchesUpByShortWatch() throws InterruptedException {
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add(endWatch(1));
    runRounds();
    server.calls.clear();
    reflector.requestFreshness();
    server.head = new ListWatch.Page(7, false);
    server.headPage = List.of(driver("a", 1));
    server.steps.add((list, watch) -> {
      watch.present(driver("b", 5));
      watch.bookmark(8);
      return 0;
    });
    server.steps.add((list, watch) -> 0);
    runRounds();
    reflector.awaitFreshness();
    assertThat(server.calls).containsExactly("head 500", "catch up 1", "watch 8");
    assertThat(informer.snapshot().size()).isEqualTo(2);
  }

  @Test
  void i9_shortWatchIncomplete_listsAgain() throws InterruptedException {
    server.steps.add(returnList(1, driver("a", 1)));
    server.steps.add(endWatch(1));
    runRounds();
    server.calls.clear();
    reflector.requestFreshness();
    server.head = new ListWatch.Page(7, false);
    server.steps.add((list, watch) -> {
      watch.bookmark(6);
      return 0;
    });
    server.steps.add(returnList(8, driver("b", 8)));
    server.steps.add((list, watch) -> 0);
    runRounds();
    reflector.awaitFreshness();
    assertThat(server.calls).containsExactly("head 500", "catch up 1", "list", "watch 8");
  }

  /** Other implementations request the version that a restored server lacks without end. */
  @Test
  void i6_restoredServer_listsAgain() throws InterruptedException {
    server.steps.add(returnList(1000, driver("a", 1000)));
    server.steps.add(failWith(Reason.FUTURE_VERSION));
    server.steps.add(returnList(10, driver("a", 5)));
    server.steps.add((list, watch) -> 0);
    runRounds();
    assertThat(server.calls).containsExactly("list", "watch 1000", "list", "watch 10");
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(5L);
  }

  /**
   * The listener can stop deletions before a handler sees an intent that the restore brought back.
   */
  @Test
  void list_serverRestored_callsListenerBeforeHandlers() throws InterruptedException {
    informer.onRestore((kind, before, now) -> received.add("restored " + before + ">" + now));
    server.steps.add(returnList(20, driver("a", 20)));
    server.steps.add(failWith(Reason.FUTURE_VERSION));
    server.steps.add(returnList(9, driver("a", 8)));
    server.steps.add((list, watch) -> 0);
    recordChanges();
    runRounds();
    assertThat(received).containsExactly("+a@20", "restored 20>9", "~a@20>8");
  }

  @Test
  void i6_streamedListComplete_replacesContents() throws InterruptedException {
    replaceAll(List.of(driver("gone", 1)), 1);
    recordChanges();
    server.streams = true;
    server.steps.add((list, watch) -> {
      watch.present(driver("a", 3));
      assertThat(informer.snapshot().get(ObjectKey.cluster("gone")))
          .as("incomplete stream")
          .isPresent();
      watch.initialEventsEnded(4);
      watch.present(driver("b", 5));
      return 0;
    });
    runRounds();
    assertThat(server.calls).containsExactly("stream");
    assertThat(received).containsExactly("+gone@1", "?-gone@1", "+a@3", "+b@5");
  }
}
