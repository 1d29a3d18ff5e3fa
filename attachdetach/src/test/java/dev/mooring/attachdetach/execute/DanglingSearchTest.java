package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.RecordingRequeue;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.PluginAnswers;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attachments that a killed process requested from a plugin and did not record. */
class DanglingSearchTest {
  private static final String PLUGIN = "example.com/disk";

  /** Backend that knows the real attachments. */
  private static final class Disks implements VolumePlugin, Attacher {
    private final Map<String, Set<String>> attached = new HashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private @Nullable String silentNode; // node about which it does not answer
    private boolean answersYes; // answers yes to every name
    private Runnable meanwhile = () -> {}; // runs during an answer

    @Override
    public String name() {
      return PLUGIN;
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("disk");
    }

    @Override
    public Optional<Attacher> attacher() {
      return Optional.of(this);
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return Optional.of(source.attribute("name"));
    }

    @Override
    public Attempt<Attached> attach(Request request) {
      attached.computeIfAbsent(request.node(), n -> new TreeSet<>()).add(request.volumeName());
      return Attempt.done(new Attached(""));
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      attached.getOrDefault(node, new TreeSet<>()).remove(volumeName);
      return Attempt.done(new Detached());
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      asked.add(node + " " + new TreeSet<>(volumeNames));
      meanwhile.run();
      if (answersYes) {
        return Attempt.done(volumeNames);
      }
      if (node.equals(silentNode)) {
        return new Attempt.Failed<>(new Failure.Unreachable("no answer"));
      }
      Set<String> there = new TreeSet<>(attached.getOrDefault(node, Set.of()));
      there.retainAll(volumeNames);
      return Attempt.done(there);
    }
  }

  private final Disks disks = new Disks();
  private final Map<String, Long> generations = new HashMap<>(Map.of(PLUGIN, 1L));
  private boolean loaded = true;
  private final LoadedPlugins plugins =
      new LoadedPlugins() {
        @Override
        public Optional<VolumePlugin> named(String name) {
          return loaded && name.equals(PLUGIN) ? Optional.of(disks) : Optional.empty();
        }

        @Override
        public List<VolumePlugin> supporting(VolumeSource source) {
          return loaded && disks.supports(source) ? List.of(disks) : List.of();
        }

        @Override
        public Map<String, Long> generations() {
          return generations;
        }
      };
  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private final StateOfWorld worlds = new StateOfWorld();
  private final ActualStateOfWorld actual = worlds.actual();
  private final RecordingRequeue requeue = new RecordingRequeue();
  private final List<VolumeNode> woken = requeue.volumes;
  private final VolumeResolver resolver = new VolumeResolver(cluster.caches(), plugins);
  private final AttachBackends backends =
      new AttachBackends(
          new VolumeAttachments(
              cluster.attachments, cluster.ports(time), Duration.ofMinutes(2), Compat.MOORING),
          plugins,
          new PluginAnswers(resolver, requeue));
  private final DanglingSearch search =
      new DanglingSearch(
          new PluginInventory(
              actual,
              resolver,
              backends,
              new PodReporter(
                  cluster::tell,
                  worlds.desired(),
                  new AttachStats(),
                  time,
                  AttachEventStyle.EXPLAINING),
              requeue),
          cluster.nodes,
          Optional.of(Duration.ofMinutes(6)),
          Compat.MOORING,
          time);

  private static VolumeId id(String name) {
    return VolumeId.of(PLUGIN, name);
  }

  private void volume(String name, VolumeSource source) {
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume(ObjectKey.cluster(name))
            .source(source)
            .accessModes(
                AccessModes.of(name.startsWith("shared") ? "ReadWriteMany" : "ReadWriteOnce"))
            .build());
  }

  private AttachTarget disk(String name) {
    VolumeSource source = new VolumeSource("disk", Map.of("name", name));
    volume(name, source);
    return new AttachTarget(id(name), name, !name.startsWith("shared"), name, source, Map.of());
  }

  @BeforeEach
  void putTwoNodes() {
    cluster.node("n1");
    cluster.node("n2");
  }

  private void attachedBefore(String node, String... names) {
    disks.attached.put(node, new TreeSet<>(List.of(names)));
  }

  @Test
  void unrecordedAttachment_blocksOtherNodes() throws InterruptedException {
    AttachTarget v = disk("v");
    AttachTarget w = disk("w");
    attachedBefore("n1", "v");
    assertThat(search.objection(v, "n2"))
        .contains("node n1 has it, according to plugin \"example.com/disk\"");
    assertThat(actual.held(id("v"), "n1")).isEqualTo(Held.PERHAPS);
    assertThat(woken).as("requeued for the detach").containsExactly(new VolumeNode(id("v"), "n1"));
    assertThat(search.objection(v, "n1")).as("the holder may keep it").isEmpty();
    assertThat(search.objection(w, "n2")).isEmpty();
    actual.remove(id("v"), "n1");
    assertThat(search.objection(v, "n2")).as("once it is detached").isEmpty();
    assertThat(disks.asked)
        .as("once")
        .containsExactly("n1 [mooring-no-volume, v, w]", "n2 [mooring-no-volume, v, w]");
  }

  @Test
  void sharedVolume_needsNoSearch() throws InterruptedException {
    AttachTarget shared = disk("shared");
    attachedBefore("n1", "shared");
    assertThat(search.objection(shared, "n2")).isEmpty();
    assertThat(disks.asked).isEmpty();
    search.searchAll();
    assertThat(woken).containsExactly(new VolumeNode(id("shared"), "n1"));
  }

  @Test
  void attach_beforePluginAnswers_isBlocked() throws InterruptedException {
    AttachTarget v = disk("v");
    attachedBefore("n2", "v");
    disks.silentNode = "n2";
    assertThat(search.objection(v, "n1"))
        .contains(
            "plugin \"example.com/disk\" has not answered yet which volumes nodes have; node n2: no"
                + " answer");
    assertThat(search.objection(disk("shared"), "n1")).as("others may have it too").isEmpty();
    disks.silentNode = null;
    assertThat(search.objection(v, "n1")).isPresent();
    assertThat(actual.held(id("v"), "n2")).isEqualTo(Held.PERHAPS);
  }

  @Test
  void silentPlugin_afterPatience_blocksNoAttach() throws InterruptedException {
    AttachTarget v = disk("v");
    AttachTarget w = disk("w");
    attachedBefore("n2", "w");
    disks.silentNode = "n1";
    assertThat(search.objection(v, "n2")).isPresent();
    assertThat(woken).as("other nodes are searched").containsExactly(new VolumeNode(id("w"), "n2"));
    time.advance(Duration.ofMinutes(6));
    for (int i = 2; i <= 3; i++) {
      assertThat(search.objection(v, "n2")).as("asked %d times", i).isPresent();
    }
    assertThat(search.objection(v, "n2")).isEmpty();
    assertThat(search.objection(w, "n1")).as("known holder").isPresent();
    assertThat(disks.asked).filteredOn(call -> call.startsWith("n2")).hasSize(1);
    attachedBefore("n1", "v");
    disks.silentNode = null;
    search.searchAll();
    assertThat(woken)
        .as("still searched from time to time")
        .contains(new VolumeNode(id("v"), "n1"));
  }

  @Test
  void concurrentSearch_sharesOnePass() throws Exception {
    AttachTarget v = disk("v");
    CountDownLatch asking = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    disks.silentNode = "n1";
    disks.meanwhile =
        () -> {
          asking.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    List<FutureTask<Optional<String>>> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      FutureTask<Optional<String>> one = new FutureTask<>(() -> search.objection(v, "n2"));
      all.add(one);
      threads.add(Thread.ofPlatform().start(one));
      asking.await();
    }
    TestWait.until(
        "every search waits for the pass",
        () ->
            threads.stream()
                .map(Thread::getState)
                .allMatch(s -> s == Thread.State.WAITING || s == Thread.State.TIMED_WAITING));
    goOn.countDown();
    for (Future<Optional<String>> one : all) {
      assertThat(one.get()).isPresent();
    }
    assertThat(disks.asked).as("shared passes").hasSizeLessThan(20);
  }

  @Test
  void implausibleAnswer_isIgnored() throws InterruptedException {
    AttachTarget v = disk("v");
    disks.answersYes = true;
    assertThat(search.objection(v, "n2")).isEmpty();
    assertThat(woken).isEmpty();
    assertThat(actual.held(id("v"), "n1")).isEqualTo(Held.NO);
  }

  @Test
  void unmanagedNodes_areNotSearched() throws InterruptedException {
    disk("v");
    cluster.unmanagedNode("n3");
    attachedBefore("n3", "v");
    search.searchAll();
    assertThat(woken).isEmpty();
    assertThat(disks.asked).noneMatch(call -> call.startsWith("n3"));
  }

  @Test
  void recordedAttachments_areNotSearched() throws InterruptedException {
    AttachTarget v = disk("v");
    AttachTarget shared = disk("shared");
    actual.setAttached(id("v"), "n1", "", v);
    actual.setAttached(id("shared"), "n1", "", shared);
    search.searchAll();
    assertThat(disks.asked).containsExactly("n2 [mooring-no-volume, shared]");
    assertThat(actual.held(id("v"), "n1")).isEqualTo(Held.YES);
  }

  @Test
  void startingAttach_isFound() throws InterruptedException {
    AttachTarget v = disk("v");
    attachedBefore("n1", "v");
    actual.startAttach(v, "n1");
    search.searchAll();
    assertThat(search.hasFound(id("v"), "n1")).as("remembered in case the attach fails").isTrue();
    actual.remove(id("v"), "n1");
    actual.startAttach(v, "n1");
    assertThat(search.hasFound(id("v"), "n1")).as("detached since").isFalse();
  }

  @Test
  void staleAnswer_isAskedAgain() throws InterruptedException {
    AttachTarget v = disk("v");
    attachedBefore("n1", "v");
    actual.startAttach(v, "n1");
    disks.meanwhile = () -> actual.remove(id("v"), "n1");
    search.searchAll();
    assertThat(actual.held(id("v"), "n1")).isEqualTo(Held.NO);
    disks.meanwhile = () -> {};
    search.searchAll();
    assertThat(actual.held(id("v"), "n1")).isEqualTo(Held.PERHAPS);
    assertThat(disks.asked)
        .containsExactly(
            "n1 [mooring-no-volume, v]", "n2 [mooring-no-volume, v]", "n1 [mooring-no-volume, v]");
  }

  @Test
  void deletedVolume_inUse_isFound() throws InterruptedException {
    cluster.node("n2", id("gone").text(), "nonsense", "no.such/plugin/x");
    attachedBefore("n2", "gone");
    search.searchAll();
    assertThat(woken).containsExactly(new VolumeNode(id("gone"), "n2"));
    assertThat(disks.asked).containsExactly("n2 [gone, mooring-no-volume]");
  }

  @Test
  void searchAll_afterPluginLoads_runsOnce() throws InterruptedException {
    loaded = false;
    disk("v");
    attachedBefore("n1", "v");
    search.searchAll();
    assertThat(disks.asked).isEmpty();
    loaded = true;
    generations.put(PLUGIN, 2L);
    search.searchAll();
    assertThat(woken).hasSize(1);
    generations.put(PLUGIN, 3L);
    search.searchAll();
    assertThat(disks.asked).as("later attaches are recorded").hasSize(2);
  }

  @Test
  void csiVolumes_needNoSearch() throws InterruptedException {
    volume("c", VolumeSource.csi("d", "h"));
    AttachTarget csi =
        new AttachTarget(
            VolumeId.csi("d", "h"), "c", true, "c", VolumeSource.csi("d", "h"), Map.of());
    assertThat(search.objection(csi, "n1")).isEmpty();
    search.searchAll();
    assertThat(disks.asked).isEmpty();
  }
}
