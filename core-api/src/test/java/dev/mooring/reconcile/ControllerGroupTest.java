package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.reconcile.GroupSpec.Joining;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members are called a, b, c; those that come later d, e. */
class ControllerGroupTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final SimTime time = new SimTime();
  private final List<String> happened = new CopyOnWriteArrayList<>();

  /** Members whose start does not end before they are released. */
  private final Set<String> hanging = ConcurrentHashMap.newKeySet();

  private final CountDownLatch released = new CountDownLatch(1);

  /** Members that do not finish in time. */
  private final Set<String> unfinished = ConcurrentHashMap.newKeySet();

  /** Notes when it starts, when that ends, and with what grace it is stopped. */
  private ControllerSpec member(String name) {
    return ControllerSpec.named(name)
        .once(() -> {
          happened.add(name);
          if (hanging.contains(name)) {
            released.await();
          }
          happened.add(name + " runs");
        })
        .work(
            new SlowWork() {
              @Override
              public boolean isQuiet() {
                return true;
              }

              @Override
              public boolean close(Duration grace) {
                happened.add(name + " stops in " + grace.toSeconds());
                return !unfinished.contains(name);
              }
            })
        .build();
  }

  private ControllerGroup group(GroupSpec.Later later) {
    return new ControllerGroup(
        new GroupSpec("group", List.of(), List.of(member("a"), member("b"), member("c")), later),
        time);
  }

  private List<String> running() {
    return happened.stream().filter(what -> what.endsWith(" runs")).map(this::first).toList();
  }

  private List<String> stopped() {
    return happened.stream().filter(what -> what.contains(" stops ")).map(this::first).toList();
  }

  private String first(String what) {
    return what.substring(0, 1);
  }

  /** Does that on a thread of its own, which an interrupt ends. */
  private static Thread aside(ControllerSpec.Action action) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            action.run();
          } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Test
  void membersStartOneAfterTheOtherAndThenThoseThatAreThereLater() throws InterruptedException {
    ControllerGroup group = group(joining -> joining.join(member("d")));
    assertThat(happened).as("before the start").isEmpty();
    group.start();
    assertThat(happened)
        .containsExactly("a", "a runs", "b", "b runs", "c", "c runs", "d", "d runs");
  }

  /** As it was while each kind of group had a stop of its own. */
  @ParameterizedTest
  @CsvSource({
    "'',   a30 b30 c30 d30, true",
    "a,    a30 b0 c0 d0,    false",
    "b,    a30 b30 c0 d0,   false",
    "d,    a30 b30 c30 d30, false",
    "b c,  a30 b30 c0 d0,   false",
  })
  void eachHasTheGraceUntilOneHasNotFinished(String notInTime, String graces, boolean clean)
      throws InterruptedException {
    unfinished.addAll(List.of(notInTime.split(" ")));
    ControllerGroup group = group(joining -> joining.join(member("d")));
    group.start();
    happened.clear();
    assertThat(group.stop(GRACE)).isEqualTo(clean);
    assertThat(happened)
        .containsExactlyElementsOf(
            Stream.of(graces.split(" "))
                .map(g -> g.charAt(0) + " stops in " + g.substring(1))
                .toList());
  }

  /** Whoever is a member, as far as the start came. */
  @ParameterizedTest
  @CsvSource({
    "a, '',    a b c",
    "b, a,     a b c",
    "c, a b,   a b c",
    "d, a b c, a b c d",
  })
  void whatIsCutShortInItsStartIsStopped(String where, String runs, String stops)
      throws InterruptedException {
    hanging.add(where);
    ControllerGroup group = group(joining -> joining.join(member("d")));
    Thread starting = aside(group::start);
    Patience.until("it is at " + where, () -> happened.contains(where));
    starting.interrupt();
    starting.join();
    assertThat(String.join(" ", running())).isEqualTo(runs);
    assertThat(group.stop(GRACE)).isTrue();
    assertThat(String.join(" ", stopped())).isEqualTo(stops);
  }

  /** Nobody waits for a start that may never end; what comes after it does not start. */
  @ParameterizedTest
  @CsvSource({
    "a, a,       a b c",
    "b, a b,     a b c",
    "c, a b c,   a b c",
    "d, a b c d, a b c d",
  })
  void aStopDoesNotWaitForAStartAndNobodyStartsAfterIt(String where, String starts, String stops)
      throws InterruptedException {
    hanging.add(where);
    ControllerGroup group =
        group(joining -> {
          happened.add("followed");
          joining.join(member("d"));
          joining.join(member("e"));
        });
    Thread starting = aside(group::start);
    Patience.until("it is at " + where, () -> happened.contains(where));
    assertThat(group.stop(GRACE)).isTrue();
    assertThat(starting.isAlive()).as("it still starts").isTrue();
    assertThat(String.join(" ", stopped())).isEqualTo(stops);
    released.countDown();
    starting.join();
    assertThat(happened.stream().filter(what -> what.length() == 1))
        .containsExactly(starts.split(" "));
    assertThat(happened.contains("followed")).as("who comes later").isEqualTo(where.equals("d"));
  }

  @Test
  void whatWasNeverStartedIsStopped() throws InterruptedException {
    ControllerGroup group = group(joining -> joining.join(member("d")));
    assertThat(group.stop(GRACE)).isTrue();
    assertThat(stopped()).containsExactly("a", "b", "c");
    group.start();
    assertThat(running()).as("started after the stop").isEmpty();
  }

  @Test
  void whoComesAfterTheStartIsStartedAtOnceAndStoppedWithTheOthers() throws InterruptedException {
    AtomicReference<Joining> open = new AtomicReference<>();
    ControllerGroup group = group(open::set);
    group.start();
    open.get().join(member("d"));
    assertThat(running()).containsExactly("a", "b", "c", "d");
    group.stop(GRACE);
    assertThat(stopped()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void whoComesAfterTheStopNeverStarts() throws InterruptedException {
    AtomicReference<Joining> open = new AtomicReference<>();
    ControllerGroup group = group(open::set);
    group.start();
    group.stop(GRACE);
    open.get().join(member("d"));
    assertThat(running()).containsExactly("a", "b", "c");
    assertThat(stopped()).as("what has not begun").doesNotContain("d");
  }

  /** A plugin that hangs while its controller starts keeps no other one out. */
  @Test
  void whoComesDoesNotWaitForAnotherWhoseStartHangs() throws InterruptedException {
    AtomicReference<Joining> open = new AtomicReference<>();
    ControllerGroup group = group(open::set);
    group.start();
    hanging.add("d");
    Thread joining = aside(() -> open.get().join(member("d")));
    Patience.until("d hangs", () -> happened.contains("d"));
    open.get().join(member("e"));
    assertThat(running()).containsExactly("a", "b", "c", "e");
    joining.interrupt();
    joining.join();
    group.stop(GRACE);
    assertThat(stopped()).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void itReadsWhatItsMembersReadAndWhatThoseWillThatCome() {
    Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
    Informer<Volume> volumes = new Informer<>(Kind.VOLUME, List.of());
    ControllerSpec reading =
        ControllerSpec.named("a").reads(claims).uses(new Informer<>(Kind.POD, List.of())).build();
    ControllerGroup group =
        new ControllerGroup(
            new GroupSpec(
                "group", List.of(volumes, claims), List.of(reading, reading), GroupSpec.Later.NONE),
            time);
    assertThat(group.reads()).hasSize(3).startsWith(volumes, claims);
    assertThat(group.name()).isEqualTo("group");
  }

  @Test
  void itIsAtRestWhenEachMemberIs() throws InterruptedException {
    assertThat(new ControllerGroup(GroupSpec.of("none", List.of()), time).isIdle())
        .as("of nobody")
        .isTrue();
    WorkQueue<String> queue = new WorkQueue<>("queue", time);
    ControllerSpec busy =
        ControllerSpec.named("busy").loop(queue, key -> Outcome.SETTLED, 1).build();
    ControllerGroup group =
        new ControllerGroup(GroupSpec.of("group", List.of(member("a"), busy)), time);
    assertThat(group.isIdle()).as("what has not begun is not at rest").isFalse();
    assertThat(group.queueStats()).extracting("name").containsExactly("queue");
    queue.add("key");
    group.start();
    Patience.until("it is done", group::isIdle);
    assertThat(group.stop(GRACE)).isTrue();
  }

  @Test
  void queuesOfWhoComesLaterAreAmongThoseOfTheGroup() throws InterruptedException {
    WorkQueue<String> queue = new WorkQueue<>("later", time);
    ControllerGroup group =
        group(joining ->
            joining.join(ControllerSpec.named("d").loop(queue, key -> Outcome.SETTLED, 1).build()));
    assertThat(group.queueStats()).isEmpty();
    group.start();
    assertThat(group.queueStats()).extracting("name").containsExactly("later");
    assertThat(group.stop(GRACE)).isTrue();
  }
}
