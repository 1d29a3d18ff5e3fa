package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.csi.observe.OrphanEventHandlers;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.informer.Change;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Seeded histories of two clusters on one backend. {@code -Dmooring.orphans=100000} plays 100,000,
 * {@code -Dmooring.orphans.first=N} begins with seed N.
 */
class OrphanHistoriesTest {
  private static final int HISTORIES = Integer.getInteger("mooring.orphans", 200);
  private static final int FIRST = Integer.getInteger("mooring.orphans.first", 1);
  private static final int STEPS = 40;
  private static final String DRIVER = "d";
  private static final Instant MADE = Instant.parse("2026-11-28T20:00:00Z");
  private static final Logger LOGS = Logger.getLogger("dev.mooring");

  @BeforeAll
  static void silenceLogs() {
    LOGS.setLevel(Level.OFF);
  }

  @AfterAll
  static void restoreLogs() {
    LOGS.setLevel(null);
  }

  /** Storage of both clusters: the node that each volume is published to, or "". */
  private static final class Backend {
    final Map<String, String> volumes = new TreeMap<>();
    final Set<String> creations = new HashSet<>(); // volumes that no administrator knows yet

    void unpublish(String handle, TestCluster cluster) {
      volumes.computeIfPresent(
          handle, (h, node) -> node.equals("node-" + cluster.name) ? "" : node);
    }

    Map<String, ListedVolume> list() {
      Map<String, ListedVolume> listed = new HashMap<>();
      volumes.forEach((handle, node) ->
          listed.put(handle, new ListedVolume(7, node.isEmpty() ? List.of() : List.of(node))));
      return listed;
    }
  }

  private static final class TestCluster {
    final String name;
    final InMemoryCluster api = new InMemoryCluster();
    final List<ClusterEvent> events = new ArrayList<>();
    final Set<String> lies = new HashSet<>(); // confirmed deletions of volumes that stay
    final Set<String> leaks = new HashSet<>(); // objects that were removed by force
    final Set<String> deletions = new HashSet<>(); // whose objects still exist
    OrphanMemory memory = new OrphanMemory(true);

    TestCluster(String name) {
      this.name = name;
      api.put(
          Kind.CSI_NODE,
          new CsiNode(
              TestObjects.metaOf(ObjectKey.cluster(name)).meta(),
              List.of(new CsiNode.Driver(DRIVER, "node-" + name, List.of(), -1))));
      api.informers()
          .of(Kind.VOLUME)
          .onChange(change -> new OrphanEventHandlers(DRIVER, memory).volumeChanged(change));
    }

    OrphanMonitor monitor() {
      return new OrphanMonitor(
          new DriverSession(DRIVER, new FakeDriver(), new SimTime(), new OperationStats()),
          api.informers(),
          api,
          new OrphanReporter(events::add, DRIVER, api.informers().of(Kind.STORAGE_CLASS)),
          memory,
          0);
    }

    List<Volume> volumes() {
      List<Volume> volumes = new ArrayList<>();
      api.informers().of(Kind.VOLUME).snapshot().objects().forEach(volumes::add);
      volumes.sort((a, b) -> a.meta().name().compareTo(b.meta().name()));
      return volumes;
    }

    boolean hasObject(String handle) {
      return volumes().stream().anyMatch(v -> handleOf(v).equals(handle));
    }

    boolean isUsing(String handle) {
      return hasObject(handle) && !deletions.contains(handle);
    }

    void restart() {
      memory = new OrphanMemory(true);
      lies.clear();
      leaks.clear();
    }
  }

  private static String handleOf(Volume volume) {
    return volume.source().attribute("volumeHandle");
  }

  private static final class History {
    final Random random;
    final Backend backend = new Backend();
    final List<TestCluster> clusters = List.of(new TestCluster("a"), new TestCluster("b"));
    final List<String> log = new ArrayList<>();
    int count;

    History(long seed) {
      random = new Random(seed);
    }

    private Volume original(String handle, String uid, ReclaimPolicy policy) {
      return TestObjects.volume(
              TestObjects.metaOf(ObjectKey.cluster("pvc-" + uid))
                  .uid("pv-" + ++count)
                  .created(MADE.getEpochSecond())
                  .annotation(VolumeOrigin.PROVISIONED_BY, DRIVER)
                  .annotation(VolumeOrigin.MADE_AT, MADE.toString())
                  .meta())
          .source(VolumeSource.csi(DRIVER, handle))
          .claimRef(ObjectKey.of("ns", "c" + uid), uid)
          .storageClass("fast")
          .reclaimPolicy(policy)
          .build();
    }

    private String newUid() {
      return "00000000-0000-4000-8000-%012d".formatted(++count);
    }

    private void createVolume(TestCluster cluster) {
      String handle = "h" + ++count;
      backend.volumes.put(handle, random.nextInt(3) == 0 ? "node-" + cluster.name : "");
      cluster.memory.forget(handle);
      cluster.api.put(
          Kind.VOLUME,
          original(
              handle,
              newUid(),
              random.nextInt(3) == 0 ? ReclaimPolicy.RETAIN : ReclaimPolicy.DELETE));
    }

    private void removeObject(TestCluster cluster, Volume volume) {
      cluster.api.remove(Kind.VOLUME, volume.key());
    }

    private void deleteVolume(TestCluster cluster, Volume volume, boolean isLie) {
      if (volume.reclaimPolicy() != ReclaimPolicy.DELETE) {
        return;
      }
      String handle = handleOf(volume);
      cluster.deletions.add(handle);
      cluster.memory.recordDeleted(AbandonedVolume.of(volume, handle, true));
      if (isLie) {
        backend.unpublish(handle, cluster);
        cluster.lies.add(handle);
      } else {
        backend.volumes.remove(handle);
      }
      if (random.nextInt(4) == 0) {
        search(cluster); // before the object is gone
      }
      if (isLie && cluster.hasObject(handle)) {
        cluster.leaks.add(handle); // what a restart during the search has not forgotten
      }
      removeObject(cluster, volume);
      cluster.deletions.remove(handle);
    }

    /** The administrator keeps the storage, and perhaps gives it to the other cluster. */
    private void retain(TestCluster cluster, Volume volume) {
      Volume retained =
          TestObjects.volume(volume.meta())
              .source(volume.source())
              .claimRef(volume.claimRef())
              .storageClass(volume.storageClass())
              .reclaimPolicy(ReclaimPolicy.RETAIN)
              .build();
      cluster.api.put(Kind.VOLUME, retained);
      removeObject(cluster, retained);
      if (random.nextBoolean()) {
        importVolume(random.nextBoolean() ? cluster : other(cluster), handleOf(volume));
      }
    }

    private TestCluster other(TestCluster cluster) {
      return clusters.get(1 - clusters.indexOf(cluster));
    }

    private void importVolume(TestCluster cluster, String handle) {
      if (backend.volumes.containsKey(handle)
          && !backend.creations.contains(handle)
          && clusters.stream().noneMatch(c -> c.hasObject(handle))) {
        backend.volumes.put(handle, "node-" + cluster.name);
        cluster.lies.remove(handle);
        cluster.leaks.remove(handle);
        cluster.api.put(
            Kind.VOLUME,
            TestObjects.volume(
                    TestObjects.metaOf(ObjectKey.cluster("imported-" + ++count))
                        .uid("pv-" + count)
                        .meta())
                .source(VolumeSource.csi(DRIVER, handle))
                .reclaimPolicy(random.nextBoolean() ? ReclaimPolicy.DELETE : ReclaimPolicy.RETAIN)
                .build());
      }
    }

    /** The object vanishes with its finalizers; the storage stays. */
    private void removeByForce(TestCluster cluster, Volume volume) {
      String handle = handleOf(volume);
      backend.unpublish(handle, cluster);
      if (volume.reclaimPolicy() == ReclaimPolicy.DELETE && VolumeOrigin.isOriginal(volume)) {
        cluster.leaks.add(handle);
      }
      removeObject(cluster, volume);
    }

    /** A watch breaks, and the next list lacks an object whose policy had become Retain. */
    private void missDeletion(TestCluster cluster, Volume volume) {
      OrphanMemory memory = cluster.memory;
      cluster.memory = new OrphanMemory(false);
      removeObject(cluster, volume);
      cluster.memory = memory;
      new OrphanEventHandlers(DRIVER, memory).volumeChanged(new Change.Deleted<>(volume, true));
      backend.unpublish(handleOf(volume), cluster);
    }

    /** A created volume cannot be saved, is deleted, and is created again under its handle. */
    private void retryCreation(TestCluster cluster) {
      String uid = newUid();
      String handle = "named-" + uid;
      cluster.api.put(
          Kind.CLAIM, TestObjects.claim("ns", "c" + uid).uid(uid).storageClass("fast").build());
      Volume volume = original(handle, uid, ReclaimPolicy.DELETE);
      cluster.memory.recordDeleted(
          AbandonedVolume.ofUnsaved(handle, volume.meta().name(), Uid.of(uid), "fast", 7));
      backend.volumes.put(handle, "");
      backend.creations.add(handle); // the second call has not returned
      search(cluster);
      backend.creations.remove(handle);
      cluster.memory.forget(handle);
      cluster.api.put(Kind.VOLUME, volume);
      cluster.api.remove(Kind.CLAIM, ObjectKey.of("ns", "c" + uid));
    }

    /** Searches for orphans; the world may change during the list. */
    private void search(TestCluster cluster) {
      if (random.nextInt(6) == 0) {
        return; // the list failed
      }
      List<AbandonedVolume> candidates = cluster.memory.snapshot();
      Map<String, ListedVolume> listed = backend.list();
      boolean isDisturbed = random.nextInt(4) == 0;
      if (isDisturbed) {
        change();
      }
      try {
        cluster.monitor().review(candidates, listed, true);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      Set<String> after = orphans(cluster);
      for (String handle : after) {
        boolean isOwn = cluster.lies.contains(handle) || cluster.leaks.contains(handle);
        assertThat(isOwn).as("%s reports %s", cluster.name, handle).isTrue();
        assertThat(cluster.hasObject(handle))
            .as("%s has an object of %s", cluster.name, handle)
            .isFalse();
        assertThat(isDisturbed || !other(cluster).isUsing(handle))
            .as("%s reports %s, which the other cluster uses", cluster.name, handle)
            .isTrue();
      }
      for (AbandonedVolume candidate : candidates) {
        String handle = candidate.handle();
        if (!isDisturbed
            && cluster.lies.contains(handle)
            && backend.volumes.getOrDefault(handle, "gone").isEmpty()
            && clusters.stream().noneMatch(c -> c.hasObject(handle))) {
          assertThat(after).as("lies found by the first list").contains(handle);
        }
      }
    }

    private Set<String> orphans(TestCluster cluster) {
      Set<String> handles = new HashSet<>();
      cluster.memory.orphans().forEach(volume -> handles.add(volume.handle()));
      return handles;
    }

    private void change() {
      TestCluster cluster = clusters.get(random.nextInt(2));
      List<Volume> volumes = cluster.volumes();
      int draw = random.nextInt(14);
      log.add(cluster.name + draw);
      if (draw < 4 || volumes.isEmpty()) {
        createVolume(cluster);
        return;
      }
      Volume volume = volumes.get(random.nextInt(volumes.size()));
      switch (draw) {
        case 4, 5 -> deleteVolume(cluster, volume, false);
        case 6 -> deleteVolume(cluster, volume, true);
        case 7, 8 -> retain(cluster, volume);
        case 9 -> removeByForce(cluster, volume);
        case 10 -> missDeletion(cluster, volume);
        case 11 -> retryCreation(cluster);
        case 12 -> {
          if (random.nextInt(4) == 0) {
            cluster.restart();
          }
        }
        default -> {
          List<String> handles = List.copyOf(backend.volumes.keySet());
          if (!handles.isEmpty()) {
            importVolume(cluster, handles.get(random.nextInt(handles.size())));
          }
        }
      }
    }

    private void play() {
      for (int i = 0; i < STEPS; i++) {
        change();
        if (random.nextInt(3) == 0) {
          search(clusters.get(random.nextInt(2)));
        }
      }
      for (int i = 0; i < 2 * AbandonedVolume.QUARANTINE; i++) {
        clusters.forEach(this::search);
      }
    }
  }

  @Test
  void histories_twoClustersOnOneBackend_reportOnlyOwnOrphans() {
    long reports = 0;
    for (int seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      History history = new History(seed);
      try {
        history.play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", history " + history.log, e);
      }
      reports += history.clusters.stream().mapToLong(c -> c.events.size()).sum();
    }
    assertThat(reports).as("reports").isGreaterThan(HISTORIES);
  }
}
