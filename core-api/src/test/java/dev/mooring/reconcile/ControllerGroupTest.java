package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.reconcile.GroupSpec.JoinableGroup;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
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

/** Initial members are a, b and c; later members are d and e. */
class ControllerGroupTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final SimTime time = new SimTime();
  private final List<String> actions = new CopyOnWriteArrayList<>();

  // members whose start blocks until released
  private final Set<String> blockedStarts = ConcurrentHashMap.newKeySet();

  private final CountDownLatch released = new CountDownLatch(1);

  // members that exceed the grace period
  private final Set<String> slowStops = ConcurrentHashMap.newKeySet();

  // Records the beginning and end of its start, and the grace of its stop.
  private ControllerSpec member(String name) {
    return ControllerSpec.builder(name)
        .once(() -> {
          actions.add(name);
          if (blockedStarts.contains(name)) {
            released.await();
          }
          actions.add(name + " runs");
        })
        .work(
            new SlowWork() {
              @Override
              public boolean isQuiet() {
                return true;
              }

              @Override
              public boolean close(Duration grace) {
                actions.add(name + " stops in " + grace.toSeconds());
                return !slowStops.contains(name);
              }
            })
        .build();
  }

  private ControllerGroup group(GroupSpec.MemberSource source) {
    return new ControllerGroup(
        new GroupSpec("group", List.of(), List.of(member("a"), member("b"), member("c")), source),
        time);
  }

  private List<String> running() {
    return actions.stream().filter(action -> action.endsWith(" runs")).map(this::memberOf).toList();
  }

  private List<String> stopped() {
    return actions.stream()
        .filter(action -> action.contains(" stops "))
        .map(this::memberOf)
        .toList();
  }

  private String memberOf(String action) {
    return action.substring(0, 1);
  }

  private static Thread runInBackground(ControllerSpec.Action action) {
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
  void start_initialAndLaterMembers_startInOrder() throws InterruptedException {
    ControllerGroup group = group(joinableGroup -> joinableGroup.join(member("d")));
    assertThat(actions).as("before the start").isEmpty();
    group.start();
    assertThat(actions).containsExactly("a", "a runs", "b", "b runs", "c", "c runs", "d", "d runs");
  }

  @ParameterizedTest
  @CsvSource({
    "'',   a30 b30 c30 d30, true",
    "a,    a30 b0 c0 d0,    false",
    "b,    a30 b30 c0 d0,   false",
    "d,    a30 b30 c30 d30, false",
    "b c,  a30 b30 c0 d0,   false",
  })
  void stop_memberExceedsGrace_leavesNoneForFollowing(
      String exceeding, String graces, boolean clean) throws InterruptedException {
    slowStops.addAll(List.of(exceeding.split(" ")));
    ControllerGroup group = group(joinableGroup -> joinableGroup.join(member("d")));
    group.start();
    actions.clear();
    assertThat(group.stop(GRACE)).isEqualTo(clean);
    assertThat(actions)
        .containsExactlyElementsOf(
            Stream.of(graces.split(" "))
                .map(g -> g.charAt(0) + " stops in " + g.substring(1))
                .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "a, '',    a b c",
    "b, a,     a b c",
    "c, a b,   a b c",
    "d, a b c, a b c d",
  })
  void stop_interruptedStart_stopsEveryMember(String member, String runs, String stops)
      throws InterruptedException {
    blockedStarts.add(member);
    ControllerGroup group = group(joinableGroup -> joinableGroup.join(member("d")));
    Thread starting = runInBackground(group::start);
    TestWait.until("start of " + member, () -> actions.contains(member));
    starting.interrupt();
    starting.join();
    assertThat(String.join(" ", running())).isEqualTo(runs);
    assertThat(group.stop(GRACE)).isTrue();
    assertThat(String.join(" ", stopped())).isEqualTo(stops);
  }

  // A start may never end, for example if a plugin hangs.
  @ParameterizedTest
  @CsvSource({
    "a, a,       a b c",
    "b, a b,     a b c",
    "c, a b c,   a b c",
    "d, a b c d, a b c d",
  })
  void stop_duringStart_doesNotWaitAndStartsNoMore(String member, String starts, String stops)
      throws InterruptedException {
    blockedStarts.add(member);
    ControllerGroup group =
        group(joinableGroup -> {
          actions.add("followed");
          joinableGroup.join(member("d"));
          joinableGroup.join(member("e"));
        });
    Thread starting = runInBackground(group::start);
    TestWait.until("start of " + member, () -> actions.contains(member));
    assertThat(group.stop(GRACE)).isTrue();
    assertThat(starting.isAlive()).as("start in progress").isTrue();
    assertThat(String.join(" ", stopped())).isEqualTo(stops);
    released.countDown();
    starting.join();
    assertThat(actions.stream().filter(action -> action.length() == 1))
        .containsExactly(starts.split(" "));
    assertThat(actions.contains("followed")).as("later members").isEqualTo(member.equals("d"));
  }

  @Test
  void stop_beforeStart_stopsMembers() throws InterruptedException {
    ControllerGroup group = group(joinableGroup -> joinableGroup.join(member("d")));
    assertThat(group.stop(GRACE)).isTrue();
    assertThat(stopped()).containsExactly("a", "b", "c");
    group.start();
    assertThat(running()).as("started after the stop").isEmpty();
  }

  @Test
  void join_afterStart_startsAndStopsMember() throws InterruptedException {
    AtomicReference<JoinableGroup> joinableGroup = new AtomicReference<>();
    ControllerGroup group = group(joinableGroup::set);
    group.start();
    joinableGroup.get().join(member("d"));
    assertThat(running()).containsExactly("a", "b", "c", "d");
    group.stop(GRACE);
    assertThat(stopped()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void join_afterStop_doesNotStart() throws InterruptedException {
    AtomicReference<JoinableGroup> joinableGroup = new AtomicReference<>();
    ControllerGroup group = group(joinableGroup::set);
    group.start();
    group.stop(GRACE);
    joinableGroup.get().join(member("d"));
    assertThat(running()).containsExactly("a", "b", "c");
    assertThat(stopped()).as("not started").doesNotContain("d");
  }

  @Test
  void join_otherStartHangs_startsAtOnce() throws InterruptedException {
    AtomicReference<JoinableGroup> joinableGroup = new AtomicReference<>();
    ControllerGroup group = group(joinableGroup::set);
    group.start();
    blockedStarts.add("d");
    Thread blocked = runInBackground(() -> joinableGroup.get().join(member("d")));
    TestWait.until("d hangs", () -> actions.contains("d"));
    joinableGroup.get().join(member("e"));
    assertThat(running()).containsExactly("a", "b", "c", "e");
    blocked.interrupt();
    blocked.join();
    group.stop(GRACE);
    assertThat(stopped()).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void reads_groupAndMembers_returnsDistinctCaches() {
    Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
    Informer<Volume> volumes = new Informer<>(Kind.VOLUME, List.of());
    ControllerSpec reading =
        ControllerSpec.builder("a")
            .reads(claims)
            .uses("part of a", new Informer<>(Kind.POD, List.of()))
            .build();
    ControllerGroup group =
        new ControllerGroup(
            new GroupSpec(
                "group",
                List.of(volumes, claims),
                List.of(reading, reading),
                GroupSpec.MemberSource.NONE),
            time);
    assertThat(group.reads()).hasSize(3).startsWith(volumes, claims);
    assertThat(group.name()).isEqualTo("group");
  }

  @Test
  void isIdle_allMembersIdle_isTrue() throws InterruptedException {
    assertThat(new ControllerGroup(GroupSpec.of("none", List.of()), time).isIdle())
        .as("without members")
        .isTrue();
    WorkQueue<String> queue = new WorkQueue<>("queue", time);
    ControllerSpec busy =
        ControllerSpec.builder("busy").loop(queue, key -> Outcome.SETTLED, 1).build();
    ControllerGroup group =
        new ControllerGroup(GroupSpec.of("group", List.of(member("a"), busy)), time);
    assertThat(group.isIdle()).as("before the start").isFalse();
    assertThat(group.queueStats()).extracting("name").containsExactly("queue");
    queue.add("key");
    group.start();
    TestWait.until("idle group", group::isIdle);
    assertThat(group.stop(GRACE)).isTrue();
  }

  @Test
  void queueStats_laterMember_isIncluded() throws InterruptedException {
    WorkQueue<String> queue = new WorkQueue<>("later", time);
    ControllerGroup group =
        group(joinableGroup ->
            joinableGroup.join(
                ControllerSpec.builder("d").loop(queue, key -> Outcome.SETTLED, 1).build()));
    assertThat(group.queueStats()).isEmpty();
    group.start();
    assertThat(group.queueStats()).extracting("name").containsExactly("later");
    assertThat(group.stop(GRACE)).isTrue();
  }
}
