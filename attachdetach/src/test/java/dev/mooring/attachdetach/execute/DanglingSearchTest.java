package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.RecordingRequeue;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
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
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private @Nullable String silentNode; // node about which it does not answer
    private boolean reportsEverything; // answers yes to every name
    private Runnable duringAnswer = () -> {}; // runs during an answer

    @Override
    public String name() {
      return PLUGIN;
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("hostPath");
    }

    @Override
    public Optional<Attacher> attacher() {
      return Optional.of(this);
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return Optional.of(source.attribute("path").substring("/dev/".length()));
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
      requests.add(node + " " + new TreeSet<>(volumeNames));
      duringAnswer.run();
      if (reportsEverything) {
        return Attempt.done(volumeNames);
      }
      if (node.equals(silentNode)) {
        return new Attempt.Failed<>(new Failure.Unreachable("no answer"));
      }
      Set<String> attachedNames = new TreeSet<>(attached.getOrDefault(node, Set.of()));
      attachedNames.retainAll(volumeNames);
      return Attempt.done(attachedNames);
    }
  }

  private final Disks disks = new Disks();
  private final Map<String, Long> generations = new HashMap<>(Map.of(PLUGIN, 1L));
  private boolean isLoaded = true;
  private final LoadedPlugins plugins =
      new LoadedPlugins() {
        @Override
        public Optional<VolumePlugin> find(String name) {
          return isLoaded && name.equals(PLUGIN) ? Optional.of(disks) : Optional.empty();
        }

        @Override
        public List<VolumePlugin> findSupporting(VolumeSource source) {
          return isLoaded && disks.supports(source) ? List.of(disks) : List.of();
        }

        @Override
        public Map<String, Long> generations() {
          return generations;
        }
      };
  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private final StateOfWorld state = new StateOfWorld();
  private final ActualStateOfWorld actual = state.actual();
  private final RecordingRequeue queues = new RecordingRequeue();
  private final List<VolumeNode> requeuedVolumes = queues.volumes;
  private final VolumeResolver resolver = new VolumeResolver(cluster.caches(), plugins);
  private final AttachBackends backends =
      new AttachBackends(
          new VolumeAttachments(
              cluster.attachments, cluster.ports(time), Duration.ofMinutes(2), Compat.MOORING),
          plugins,
          new PluginAnswers(resolver, queues));
  private final DanglingSearch search =
      new DanglingSearch(
          new PluginInventory(
              actual,
              resolver,
              backends,
              new PodReporter(
                  cluster::recordEvent,
                  state.desired(),
                  new AttachStats(),
                  time,
                  AttachEventStyle.EXPLAINING),
              queues),
          cluster.nodes,
          Optional.of(Duration.ofMinutes(6)),
          Compat.MOORING,
          time);

  private static VolumeId id(String name) {
    return VolumeId.of(PLUGIN, name);
  }

  private void putVolume(String name, VolumeSource source) {
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume(ObjectKey.cluster(name))
            .source(source)
            .accessModes(
                AccessModes.of(name.startsWith("shared") ? "ReadWriteMany" : "ReadWriteOnce"))
            .build());
  }

  private AttachTarget putDisk(String name) {
    VolumeSource source = VolumeSource.hostPath("/dev/" + name);
    putVolume(name, source);
    return new AttachTarget(id(name), name, !name.startsWith("shared"), name, source, Map.of());
  }

  @BeforeEach
  void putTwoNodes() {
    cluster.node("n1");
    cluster.node("n2");
  }

  private void attachUnrecorded(String node, String... names) {
    disks.attached.put(node, new TreeSet<>(List.of(names)));
  }

  @Test
  void findObjection_unrecordedAttachment_namesOtherNode() throws InterruptedException {
    AttachTarget v = putDisk("v");
    AttachTarget w = putDisk("w");
    attachUnrecorded("n1", "v");
    assertThat(search.findObjection(v, "n2"))
        .contains("node n1 has it, according to plugin \"example.com/disk\"");
    assertThat(actual.attachState(id("v"), "n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(requeuedVolumes)
        .as("requeued for the detach")
        .containsExactly(new VolumeNode(id("v"), "n1"));
    assertThat(search.findObjection(v, "n1")).as("the holder may keep it").isEmpty();
    assertThat(search.findObjection(w, "n2")).isEmpty();
    actual.remove(id("v"), "n1");
    assertThat(search.findObjection(v, "n2")).as("once it is detached").isEmpty();
    assertThat(disks.requests)
        .as("once")
        .containsExactly("n1 [mooring-no-volume, v, w]", "n2 [mooring-no-volume, v, w]");
  }

  @Test
  void findObjection_sharedVolume_isEmptyWithoutSearch() throws InterruptedException {
    AttachTarget shared = putDisk("shared");
    attachUnrecorded("n1", "shared");
    assertThat(search.findObjection(shared, "n2")).isEmpty();
    assertThat(disks.requests).isEmpty();
    search.searchAll();
    assertThat(requeuedVolumes).containsExactly(new VolumeNode(id("shared"), "n1"));
  }

  @Test
  void findObjection_pluginSilent_namesPlugin() throws InterruptedException {
    AttachTarget v = putDisk("v");
    attachUnrecorded("n2", "v");
    disks.silentNode = "n2";
    assertThat(search.findObjection(v, "n1"))
        .contains(
            "plugin \"example.com/disk\" has not answered yet which volumes nodes have; node n2: no"
                + " answer");
    assertThat(search.findObjection(putDisk("shared"), "n1"))
        .as("others may have it too")
        .isEmpty();
    disks.silentNode = null;
    assertThat(search.findObjection(v, "n1")).isPresent();
    assertThat(actual.attachState(id("v"), "n2")).isEqualTo(AttachState.UNCERTAIN);
  }

  @Test
  void findObjection_pluginSilentForTimeout_isEmpty() throws InterruptedException {
    AttachTarget v = putDisk("v");
    AttachTarget w = putDisk("w");
    attachUnrecorded("n2", "w");
    disks.silentNode = "n1";
    assertThat(search.findObjection(v, "n2")).isPresent();
    assertThat(requeuedVolumes)
        .as("other nodes are searched")
        .containsExactly(new VolumeNode(id("w"), "n2"));
    time.advance(Duration.ofMinutes(6));
    for (int i = 2; i <= 3; i++) {
      assertThat(search.findObjection(v, "n2")).as("asked %d times", i).isPresent();
    }
    assertThat(search.findObjection(v, "n2")).isEmpty();
    assertThat(search.findObjection(w, "n1")).as("known holder").isPresent();
    assertThat(disks.requests).filteredOn(call -> call.startsWith("n2")).hasSize(1);
    attachUnrecorded("n1", "v");
    disks.silentNode = null;
    search.searchAll();
    assertThat(requeuedVolumes)
        .as("still searched from time to time")
        .contains(new VolumeNode(id("v"), "n1"));
  }

  @Test
  void findObjection_concurrentCallers_shareOnePass() throws Exception {
    AttachTarget v = putDisk("v");
    CountDownLatch askedLatch = new CountDownLatch(1);
    CountDownLatch answerLatch = new CountDownLatch(1);
    disks.silentNode = "n1";
    disks.duringAnswer =
        () -> {
          askedLatch.countDown();
          try {
            answerLatch.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    List<FutureTask<Optional<String>>> searches = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      FutureTask<Optional<String>> task = new FutureTask<>(() -> search.findObjection(v, "n2"));
      searches.add(task);
      threads.add(Thread.ofPlatform().start(task));
      askedLatch.await();
    }
    TestWait.until(
        "every search waits for the pass",
        () ->
            threads.stream()
                .map(Thread::getState)
                .allMatch(s -> s == Thread.State.WAITING || s == Thread.State.TIMED_WAITING));
    answerLatch.countDown();
    for (Future<Optional<String>> task : searches) {
      assertThat(task.get()).isPresent();
    }
    assertThat(disks.requests).as("shared passes").hasSizeLessThan(20);
  }

  @Test
  void findObjection_implausibleAnswer_isEmpty() throws InterruptedException {
    AttachTarget v = putDisk("v");
    disks.reportsEverything = true;
    assertThat(search.findObjection(v, "n2")).isEmpty();
    assertThat(requeuedVolumes).isEmpty();
    assertThat(actual.attachState(id("v"), "n1")).isEqualTo(AttachState.DETACHED);
  }

  @Test
  void searchAll_unmanagedNode_isNotAsked() throws InterruptedException {
    putDisk("v");
    cluster.unmanagedNode("n3");
    attachUnrecorded("n3", "v");
    search.searchAll();
    assertThat(requeuedVolumes).isEmpty();
    assertThat(disks.requests).noneMatch(call -> call.startsWith("n3"));
  }

  @Test
  void searchAll_recordedAttachment_isNotAsked() throws InterruptedException {
    AttachTarget v = putDisk("v");
    AttachTarget shared = putDisk("shared");
    actual.setAttached(id("v"), "n1", "", v);
    actual.setAttached(id("shared"), "n1", "", shared);
    search.searchAll();
    assertThat(disks.requests).containsExactly("n2 [mooring-no-volume, shared]");
    assertThat(actual.attachState(id("v"), "n1")).isEqualTo(AttachState.ATTACHED);
  }

  @Test
  void searchAll_attachStarts_recordsAttachment() throws InterruptedException {
    AttachTarget v = putDisk("v");
    attachUnrecorded("n1", "v");
    actual.startAttach(v, "n1");
    search.searchAll();
    assertThat(search.hasFound(id("v"), "n1")).as("remembered in case the attach fails").isTrue();
    actual.remove(id("v"), "n1");
    actual.startAttach(v, "n1");
    assertThat(search.hasFound(id("v"), "n1")).as("detached since").isFalse();
  }

  @Test
  void searchAll_changeDuringAnswer_asksAgain() throws InterruptedException {
    AttachTarget v = putDisk("v");
    attachUnrecorded("n1", "v");
    actual.startAttach(v, "n1");
    disks.duringAnswer = () -> actual.remove(id("v"), "n1");
    search.searchAll();
    assertThat(actual.attachState(id("v"), "n1")).isEqualTo(AttachState.DETACHED);
    disks.duringAnswer = () -> {};
    search.searchAll();
    assertThat(actual.attachState(id("v"), "n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(disks.requests)
        .containsExactly(
            "n1 [mooring-no-volume, v]", "n2 [mooring-no-volume, v]", "n1 [mooring-no-volume, v]");
  }

  @Test
  void searchAll_deletedVolumeInUse_recordsAttachment() throws InterruptedException {
    cluster.node("n2", id("gone").text(), "nonsense", "no.such/plugin/x");
    attachUnrecorded("n2", "gone");
    search.searchAll();
    assertThat(requeuedVolumes).containsExactly(new VolumeNode(id("gone"), "n2"));
    assertThat(disks.requests).containsExactly("n2 [gone, mooring-no-volume]");
  }

  @Test
  void searchAll_afterPluginLoads_runsOnce() throws InterruptedException {
    isLoaded = false;
    putDisk("v");
    attachUnrecorded("n1", "v");
    search.searchAll();
    assertThat(disks.requests).isEmpty();
    isLoaded = true;
    generations.put(PLUGIN, 2L);
    search.searchAll();
    assertThat(requeuedVolumes).hasSize(1);
    generations.put(PLUGIN, 3L);
    search.searchAll();
    assertThat(disks.requests).as("later attaches are recorded").hasSize(2);
  }

  @Test
  void findObjection_csiVolume_isEmptyWithoutSearch() throws InterruptedException {
    putVolume("c", VolumeSource.csi("d", "h"));
    AttachTarget csi =
        new AttachTarget(
            VolumeId.csi("d", "h"), "c", true, "c", VolumeSource.csi("d", "h"), Map.of());
    assertThat(search.findObjection(csi, "n1")).isEmpty();
    search.searchAll();
    assertThat(disks.requests).isEmpty();
  }
}
