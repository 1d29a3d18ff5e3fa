package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.ListWatchException.Why;
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

/** Lists and watches, before a server that answers as it is told to. */
class ReflectorTest extends InformerFixture {
  /** A server that answers as it is told to, call by call. */
  private static final class Script implements ListWatch<CsiDriver> {
    interface Step {
      long run(Consumer<CsiDriver> list, Sink<CsiDriver> watch) throws ListWatchException;
    }

    private final Deque<Step> steps = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private boolean streams;
    private ListWatch.Page head = new ListWatch.Page(Long.MAX_VALUE, false);
    private List<CsiDriver> heading = List.of();

    @Override
    public Page head(int most, Consumer<CsiDriver> each) {
      asked.add("head " + most);
      heading.stream().limit(most).forEach(each);
      return head;
    }

    @Override
    public void catchUp(long from, Sink<CsiDriver> sink) throws ListWatchException {
      asked.add("catch up " + from);
      steps.remove().run(null, sink);
    }

    @Override
    public boolean streamsLists() {
      return streams;
    }

    @Override
    public long list(Consumer<CsiDriver> each) throws ListWatchException {
      asked.add("list");
      return steps.remove().run(each, null);
    }

    @Override
    public void watch(long from, boolean everything, Sink<CsiDriver> sink)
        throws ListWatchException {
      asked.add(everything ? "stream" : "watch " + from);
      steps.remove().run(null, sink);
    }
  }

  private final Script script = new Script();
  private final SimTime time = new SimTime(true);
  private final Reflector<CsiDriver> reflector = new Reflector<>(informer, script, time, () -> 0);

  private void rounds() throws InterruptedException {
    while (!script.steps.isEmpty()) {
      reflector.round();
    }
  }

  private static Script.Step fails(Why why) {
    return (list, watch) -> {
      throw new ListWatchException(why, why.toString());
    };
  }

  private static Script.Step lists(long version, CsiDriver... all) {
    return (list, watch) -> {
      List.of(all).forEach(list);
      return version;
    };
  }

  @Test
  void i6_anExpiredVersionLeadsToANewListThatLosesNothing() throws InterruptedException {
    listen();
    script.steps.add(lists(2, driver("a", 1), driver("b", 2)));
    script.steps.add(fails(Why.EXPIRED));
    script.steps.add(lists(9, driver("b", 8), driver("c", 9)));
    script.steps.add((list, watch) -> 0);
    rounds();
    assertThat(script.asked).containsExactly("list", "watch 2", "list", "watch 9");
    assertThat(told).containsExactlyInAnyOrder("+a@1", "+b@2", "-a@1", "~b@2>8", "+c@9");
  }

  @Test
  void i6_aServerThatEndsEveryWatchAtOnceIsNotHammered() throws InterruptedException {
    script.steps.add(lists(1));
    for (int i = 0; i < 12; i++) {
      script.steps.add((list, watch) -> 0);
    }
    rounds();
    assertThat(time.slept()).hasSize(12).isSorted();
    assertThat(time.slept().getFirst()).isEqualTo(Duration.ofMillis(200));
    assertThat(time.slept().getLast()).isEqualTo(Duration.ofSeconds(30));
    assertThat(script.asked.stream().filter("list"::equals)).as("one list is enough").hasSize(1);
  }

  @Test
  void i6_aFailingListIsTriedAgainWithGrowingPauses() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      script.steps.add(fails(Why.FAILED));
    }
    script.steps.add(lists(1, driver("a", 1)));
    script.steps.add((list, watch) -> {
      watch.progress(2);
      return 0;
    });
    rounds();
    assertThat(time.slept())
        .containsExactly(
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(800),
            Duration.ofMillis(1600));
    assertThat(informer.isSynced()).isTrue();
    assertThat(reflector.lastFailure()).isEmpty();
  }

  /** The watch that follows a paged list in the same round is a watch, not a list. */
  @Test
  void i3_whatAWatchTellsRightAfterAPagedListIsNotLost() throws InterruptedException {
    listen();
    script.steps.add(lists(1, driver("a", 1)));
    script.steps.add((list, watch) -> {
      watch.present(driver("b", 2));
      watch.deleted(driver("a", 3));
      return 0;
    });
    rounds();
    assertThat(told).containsExactly("+a@1", "+b@2", "-a@3");
  }

  @Test
  void i6_throttlingIsHonoured() throws InterruptedException {
    script.steps.add((list, watch) -> {
      throw new ListWatchException(Why.THROTTLED, "busy", Duration.ofSeconds(7));
    });
    rounds();
    assertThat(time.slept()).containsExactly(Duration.ofSeconds(7));
  }

  private Script.Step watches(long version) {
    script.head = new ListWatch.Page(version, false);
    return (list, watch) -> 0;
  }

  /** A server says so whenever its watch cache lags, for example after its restart. */
  @Test
  void i8_aVersionTooLargeTellsNothing() throws InterruptedException {
    listen();
    script.steps.add(lists(1000, driver("a", 900), driver("b", 1000)));
    script.steps.add(fails(Why.FUTURE_VERSION));
    script.steps.add(fails(Why.FUTURE_VERSION));
    script.steps.add(lists(1001, driver("a", 900), driver("b", 1001)));
    script.steps.add(watches(1001));
    rounds();
    assertThat(script.asked).containsExactly("list", "watch 1000", "list", "list", "watch 1001");
    assertThat(told).containsExactly("+a@900", "+b@1000", "~b@1000>1001");
  }

  @ParameterizedTest
  @EnumSource(Why.class)
  void i8_noErrorInAStreamTellsAnything(Why why) throws InterruptedException {
    listen();
    script.steps.add(lists(5, driver("a", 4), driver("b", 5)));
    for (int i = 0; i < 5; i++) {
      script.steps.add(fails(why));
    }
    rounds();
    assertThat(told).containsExactly("+a@4", "+b@5");
    assertThat(informer.snapshot().size()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(Why.class)
  void i8_whateverEndsAStreamedListItIsHadInPages(Why why) throws InterruptedException {
    listen();
    script.streams = true;
    script.steps.add((list, watch) -> {
      watch.present(driver("a", 3));
      throw new ListWatchException(why, why.toString());
    });
    script.steps.add(lists(4, driver("b", 4)));
    script.steps.add(watches(4));
    rounds();
    assertThat(script.asked).containsExactly("stream", "list", "watch 4");
    assertThat(told).containsExactly("+b@4");
    assertThat(informer.isSynced()).isTrue();
  }

  @Test
  void i8_aStreamedListThatEndsBeforeItIsCompleteIsHadInPages() throws InterruptedException {
    script.streams = true;
    script.steps.add((list, watch) -> {
      watch.present(driver("a", 3));
      return 0;
    });
    script.steps.add(lists(4, driver("b", 4)));
    script.steps.add(watches(4));
    rounds();
    assertThat(script.asked).containsExactly("stream", "list", "watch 4");
  }

  /** Restored servers do not tell a watch of a version that they have yet to reach anything. */
  @Test
  void i8_versionsThatGoBackAreNoticedByAWatchThatSaysNothing() throws InterruptedException {
    listen();
    script.steps.add(lists(1000, driver("a", 1000), driver("b", 990)));
    script.steps.add(watches(500));
    script.steps.add(lists(500, driver("a", 480), driver("c", 400)));
    script.steps.add((list, watch) -> {
      watch.present(driver("a", 501));
      return 0;
    });
    rounds();
    assertThat(script.asked).containsExactly("list", "watch 1000", "head 1", "list", "watch 500");
    assertThat(told)
        .containsExactlyInAnyOrder(
            "+a@1000", "+b@990", "-b@990", "~a@1000>480", "+c@400", "~a@480>501");
  }

  @Test
  void i6_twoSilentWatchesInARowAreFollowedByAList() throws InterruptedException {
    script.steps.add(lists(1, driver("a", 1)));
    script.steps.add(fails(Why.SILENT));
    script.steps.add(fails(Why.SILENT));
    script.steps.add(lists(2, driver("b", 2)));
    script.steps.add(watches(2));
    rounds();
    assertThat(script.asked).containsExactly("list", "watch 1", "watch 1", "list", "watch 2");
  }

  @Test
  void i9_aSmallKindIsTakenAsItComes() throws InterruptedException {
    script.steps.add(lists(1, driver("a", 1)));
    script.steps.add(watches(1));
    rounds();
    listen();
    told.clear();
    script.asked.clear();
    reflector.prove();
    script.head = new ListWatch.Page(7, true);
    script.heading = List.of(driver("b", 7));
    script.steps.add((list, watch) -> {
      assertThat(told).as("before anything else").containsExactlyInAnyOrder("-a@1", "+b@7");
      return 0;
    });
    rounds();
    reflector.awaitProof();
    assertThat(script.asked).containsExactly("head 500", "watch 7");
  }

  @Test
  void i9_ofALargeKindAShortWatchTellsWhatIsMissing() throws InterruptedException {
    script.steps.add(lists(1, driver("a", 1)));
    script.steps.add(watches(1));
    rounds();
    script.asked.clear();
    reflector.prove();
    script.head = new ListWatch.Page(7, false);
    script.heading = List.of(driver("a", 1));
    script.steps.add((list, watch) -> {
      watch.present(driver("b", 5));
      watch.progress(8);
      return 0;
    });
    script.steps.add((list, watch) -> 0);
    rounds();
    reflector.awaitProof();
    assertThat(script.asked).containsExactly("head 500", "catch up 1", "watch 8");
    assertThat(informer.snapshot().size()).isEqualTo(2);
  }

  @Test
  void i9_aShortWatchThatDoesNotGetThereIsFollowedByAList() throws InterruptedException {
    script.steps.add(lists(1, driver("a", 1)));
    script.steps.add(watches(1));
    rounds();
    script.asked.clear();
    reflector.prove();
    script.head = new ListWatch.Page(7, false);
    script.steps.add((list, watch) -> {
      watch.progress(6);
      return 0;
    });
    script.steps.add(lists(8, driver("b", 8)));
    script.steps.add((list, watch) -> 0);
    rounds();
    reflector.awaitProof();
    assertThat(script.asked).containsExactly("head 500", "catch up 1", "list", "watch 8");
  }

  /** A peer asks a restored server for ever for a version that it does not have. */
  @Test
  void i6_aServerRestoredFromABackupIsListedAnew() throws InterruptedException {
    script.steps.add(lists(1000, driver("a", 1000)));
    script.steps.add(fails(Why.FUTURE_VERSION));
    script.steps.add(lists(10, driver("a", 5)));
    script.steps.add((list, watch) -> 0);
    rounds();
    assertThat(script.asked).containsExactly("list", "watch 1000", "list", "watch 10");
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(5L);
  }

  /** Deletions are held before a handler sees an intent that the restore brought back. */
  @Test
  void restoredServer_versionsWentBack_tellsTheListenerBeforeTheHandlers()
      throws InterruptedException {
    informer.onRestore((kind, before, now) -> told.add("restored " + before + ">" + now));
    script.steps.add(lists(20, driver("a", 20)));
    script.steps.add(fails(Why.FUTURE_VERSION));
    script.steps.add(lists(9, driver("a", 8)));
    script.steps.add((list, watch) -> 0);
    listen();
    rounds();
    assertThat(told).containsExactly("+a@20", "restored 20>9", "~a@20>8");
  }

  @Test
  void i6_aStreamedListReplacesWhatWasKnownWhenItIsComplete() throws InterruptedException {
    replaced(List.of(driver("gone", 1)), 1);
    listen();
    script.streams = true;
    script.steps.add((list, watch) -> {
      watch.present(driver("a", 3));
      assertThat(informer.snapshot().get(ObjectKey.cluster("gone")))
          .as("not before it is complete")
          .isPresent();
      watch.complete(4);
      watch.present(driver("b", 5));
      return 0;
    });
    rounds();
    assertThat(script.asked).containsExactly("stream");
    assertThat(told).containsExactly("+gone@1", "-gone@1", "+a@3", "+b@5");
  }
}
