package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.Builders;
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

class InformerTest {
  private final Index<CsiDriver, Boolean> byAttach =
      new Index<>("attach", d -> List.of(d.attachRequired()));
  private final Informer<CsiDriver> informer = new Informer<>(Kind.CSI_DRIVER, List.of(byAttach));
  private final List<String> told = new ArrayList<>();

  private static CsiDriver driver(String name, String uid, long version, boolean attach) {
    return Builders.csiDriver(ObjectKey.cluster(name))
        .uid(uid)
        .version(version)
        .created(1)
        .attachRequired(attach)
        .build();
  }

  private static CsiDriver driver(String name, long version) {
    return driver(name, "u-" + name, version, true);
  }

  /** A list that began at once. */
  private void replaced(List<CsiDriver> listed, long version) {
    informer.replaced(listed, version, informer.listBegins());
  }

  private void listen() {
    informer.addHandler(change ->
        told.add(
            switch (change) {
              case Change.Added<CsiDriver>(CsiDriver now) ->
                  "+" + now.meta().name() + "@" + now.meta().resourceVersion();
              case Change.Updated<CsiDriver>(CsiDriver before, CsiDriver now) ->
                  "~"
                      + now.meta().name()
                      + "@"
                      + before.meta().resourceVersion()
                      + ">"
                      + now.meta().resourceVersion();
              case Change.Deleted<CsiDriver>(CsiDriver last) ->
                  "-" + last.meta().name() + "@" + last.meta().resourceVersion();
            }));
  }

  @Test
  void whoListensForChangesIsNotToldOfWhatIsThere() {
    replaced(List.of(driver("a", 1)), 1);
    List<String> heard = new ArrayList<>();
    informer.onChange(change -> heard.add(change.key().name()));
    assertThat(heard).isEmpty();
    informer.observed(driver("b", 2));
    informer.observed(driver("a", "u-a", 3, false));
    assertThat(heard).containsExactly("b", "a");
  }

  @Test
  void i1_aSnapshotNeverChanges() {
    replaced(List.of(driver("a", 1)), 1);
    Snapshot<CsiDriver> before = informer.snapshot();
    informer.observed(driver("b", 2));
    informer.observed(driver("a", "u-a", 3, false));
    assertThat(before.size()).isEqualTo(1);
    assertThat(before.by(byAttach, true)).hasSize(1);
    assertThat(informer.snapshot().size()).isEqualTo(2);
    assertThat(informer.snapshot().by(byAttach, false))
        .extracting(d -> d.meta().name())
        .containsExactly("a");
    assertThat(informer.snapshot().by(byAttach, true))
        .extracting(d -> d.meta().name())
        .containsExactly("b");
  }

  @Test
  void i2_aHandlerIsToldEachChangeOnceAndInOrder() {
    replaced(List.of(driver("a", 1)), 1);
    listen();
    informer.observed(driver("a", 2));
    informer.observed(driver("a", 2));
    informer.observedDeletion(driver("a", 3));
    assertThat(told).containsExactly("+a@1", "~a@1>2", "-a@3");
  }

  /** A peer puts what a re-list finds into its cache without telling. */
  @Test
  void i3_aReListTellsWhatChangedCameAndVanished() {
    replaced(List.of(driver("a", 1), driver("b", 2)), 2);
    listen();
    told.clear();
    replaced(List.of(driver("b", 5), driver("c", 6)), 6);
    assertThat(told).containsExactlyInAnyOrder("-a@1", "~b@2>5", "+c@6");
  }

  @Test
  void i4_anOwnWriteIsVisibleAtOnceAndNoOlderEventUndoesIt() {
    replaced(List.of(driver("a", 1)), 1);
    listen();
    told.clear();
    informer.wrote(driver("a", 5));
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(5L);
    informer.observed(driver("a", 3));
    informer.observed(driver("a", 5));
    assertThat(told).containsExactly("~a@1>5");
  }

  @Test
  void i4_anOwnCreationSurvivesAnOlderList() {
    replaced(List.of(), 1);
    long list = informer.listBegins();
    informer.wrote(driver("a", 5));
    informer.replaced(List.of(), 4, list);
    assertThat(informer.snapshot().size()).isEqualTo(1);
    replaced(List.of(), 6);
    assertThat(informer.snapshot().size()).isZero();
  }

  @Test
  void i4_aLateAnswerDoesNotBringBackWhatTheWatchSawGo() {
    replaced(List.of(driver("a", 1)), 1);
    informer.observedDeletion(driver("a", 7));
    informer.wrote(driver("a", 6));
    assertThat(informer.snapshot().size()).isZero();
  }

  @Test
  void i5_anOwnDeletionIsVisibleAtOnceAndNoLateEventUndoesIt() {
    replaced(List.of(driver("a", 1)), 1);
    long list = informer.listBegins();
    informer.deleted(ObjectKey.cluster("a"), Uid.of("u-a"));
    assertThat(informer.snapshot().size()).isZero();
    informer.observed(driver("a", 2));
    informer.replaced(List.of(driver("a", 2)), 2, list);
    assertThat(informer.snapshot().size()).as("the same object, seen late").isZero();
    informer.observed(driver("a", "its successor", 4, true));
    assertThat(informer.snapshot().size()).as("another of that name").isEqualTo(1);
  }

  @Test
  void i7_aBookmarkMovesTheVersionAndNothingElse() {
    replaced(List.of(driver("a", 1)), 1);
    listen();
    told.clear();
    informer.observedVersion(9);
    assertThat(informer.watchedVersion()).isEqualTo(9);
    assertThat(told).isEmpty();
  }

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

  /** The versions have passed ours since: what is listed counts, not what is newer. */
  @Test
  void i8_aListCountsWhateverItsVersionsAre() {
    replaced(List.of(driver("a", 900), driver("b", 400)), 1000);
    replaced(List.of(driver("a", 480), driver("b", "another", 400, true)), 1200);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(480L);
    assertThat(informer.snapshot().get(ObjectKey.cluster("b")))
        .get()
        .extracting(d -> d.meta().uid())
        .isEqualTo(Uid.of("another"));
  }

  /**
   * A volume stayed Pending for ever: what it was like under the same version had been Available.
   */
  @Test
  void i8_aVersionThatARestoredServerGivesOutAgainHidesNothing() {
    replaced(List.of(driver("a", "u-a", 400, true)), 400);
    replaced(List.of(driver("a", "u-a", 400, false)), 400);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(CsiDriver::attachRequired)
        .isEqualTo(false);
  }

  @Test
  void i8_ownWritesThatARestoreHasUndoneHideNothing() {
    replaced(List.of(driver("a", 1), driver("b", 2)), 2);
    informer.wrote(driver("a", 1000));
    informer.wrote(driver("new", 1001));
    informer.deleted(ObjectKey.cluster("b"), Uid.of("u-b"));
    replaced(List.of(driver("a", 1), driver("b", 2)), 500);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(1L);
    assertThat(informer.snapshot().get(ObjectKey.cluster("b"))).isPresent();
    assertThat(informer.snapshot().get(ObjectKey.cluster("new"))).isEmpty();
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
