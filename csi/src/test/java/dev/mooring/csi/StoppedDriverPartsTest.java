package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.state.ContentTwins;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.informer.Reflector;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.ControllerGroup;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.GroupSpec;
import dev.mooring.reconcile.StoppedPart;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which parts of a driver run if the API server refuses one kind. */
class StoppedDriverPartsTest {
  private static final String ATTACHER = "csi-attacher-d";
  private static final String RESIZER = "csi-resizer-d";
  private static final String CLONES = "csi-clones-d";
  private static final String SOURCES = "csi-sources-d";
  private static final String HEALTH = "csi-health-d";
  private static final String OUTAGE = "csi-outage-d";
  private static final String SNAPSHOTTER = "csi-snapshotter-d";
  private static final String GROUPS = "csi-group-snapshotter-d";

  /** Connects the driver. Without it no controller calls the driver. */
  private static final String SESSION = "csi-session-d";

  private static final Map<Kind<?>, Set<String>> STOPPED_PARTS =
      Map.ofEntries(
          Map.entry(Kind.CLAIM, Set.of(RESIZER, CLONES, SOURCES, HEALTH, OUTAGE)),
          Map.entry(Kind.VOLUME, Set.of(ATTACHER, RESIZER, SOURCES, HEALTH)),
          Map.entry(Kind.STORAGE_CLASS, Set.of(SOURCES, SESSION)),
          Map.entry(Kind.NODE, Set.of(SOURCES, SESSION)),
          Map.entry(Kind.CSI_NODE, Set.of(SOURCES, SESSION)),
          Map.entry(Kind.ATTACHMENT, Set.of(ATTACHER, RESIZER, OUTAGE, SESSION)),
          Map.entry(Kind.POD, Set.of(RESIZER)),
          Map.entry(Kind.SNAPSHOT, Set.of("the watch of VolumeSnapshots by csi-sources-d")),
          Map.entry(Kind.SNAPSHOT_CONTENT, Set.of(SNAPSHOTTER)),
          Map.entry(Kind.SNAPSHOT_CLASS, Set.of(SNAPSHOTTER)),
          Map.entry(Kind.GROUP_SNAPSHOT_CONTENT, Set.of(GROUPS)),
          Map.entry(Kind.GROUP_SNAPSHOT_CLASS, Set.of(GROUPS)));

  private final SystemTime time = new SystemTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final FakeDriver driver = new FakeDriver();
  private final List<Reflector<?>> reflectors = new ArrayList<>();

  static Stream<Arguments> cases() {
    return STOPPED_PARTS.keySet().stream()
        .flatMap(kind ->
            Stream.of(Reason.FORBIDDEN, Reason.NO_SUCH_RESOURCE)
                .map(reason -> Arguments.of(kind, reason)));
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
    time.close();
  }

  private <T extends Resource> void fill(Informer<T> cache, Optional<Reason> refusal) {
    Reflector<T> reflector =
        new Reflector<>(
            cache,
            new GivenListWatch<>(() -> {
              if (refusal.isPresent()) {
                throw new ListWatchException(refusal.get(), "refused");
              }
              return List.of();
            }),
            time,
            () -> 0);
    reflectors.add(reflector);
    reflector.start();
  }

  private ControllerGroup createGroup() {
    DriverBridge bridge =
        new DriverBridge(
            new CsiBridge.Driver(
                "d",
                driver,
                CsiConfig.DEFAULTS.with(
                    new CsiConfig.Snapshots(
                        DriverNames.OF_SNAPSHOTS, Optional.of(DriverNames.OF_GROUPS))),
                DriverNames.OF_VOLUMES),
            GivenListWatch.empty(),
            cluster.informers(),
            TestPorts.of(cluster, cluster, time),
            new DeletionBreaker(0, Duration.ofMinutes(10), time));
    return new ControllerGroup(
        GroupSpec.of(
            CsiBridge.NAME,
            bridge.controllers(
                storage -> ControllerSpec.builder("csi-provisioner-d").build(), "host")),
        time);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void start_oneKindRefused_onlyPartsThatReadItStayOff(Kind<?> kind, Reason reason)
      throws InterruptedException {
    ControllerGroup group = createGroup();
    group
        .reads()
        .forEach(cache ->
            fill(cache, cache.kind().equals(kind) ? Optional.of(reason) : Optional.empty()));
    group.start();
    Set<String> expectedNames = new TreeSet<>(STOPPED_PARTS.get(kind));
    TestWait.until(
        () -> names(group) + " instead of " + expectedNames,
        () -> names(group).equals(expectedNames));
    if (expectedNames.contains(SESSION)) {
      assertThat(driver.probes).hasValue(0);
    } else {
      TestWait.until("the driver is probed", () -> driver.probes.get() > 0);
    }
    assertThat(group.stop(Duration.ofSeconds(10))).isTrue();
  }

  private static Set<String> names(ControllerGroup group) {
    return group.stoppedParts().stream()
        .map(StoppedPart::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void cases_controllersOfOneDriver_coverEveryCachedKind() {
    Set<Kind<?>> kinds = new HashSet<>();
    createGroup().reads().forEach(cache -> kinds.add(cache.kind()));
    assertThat(kinds).isEqualTo(STOPPED_PARTS.keySet());
  }

  // An incomplete cache of groups must not look like a cluster without groups.
  @ParameterizedTest
  @CsvSource({"FORBIDDEN, false", "NO_SUCH_RESOURCE, true"})
  void twins_groupContentsRefused_areKnownOnlyIfNotServed(Reason reason, boolean areKnown)
      throws InterruptedException {
    SharedInformers informers = new SharedInformers();
    ContentTwins twins = new ContentTwins(informers, true);
    assertThat(twins.areGroupsKnown()).as("before the first answer").isFalse();
    Informer<GroupSnapshotContent> contents = informers.of(Kind.GROUP_SNAPSHOT_CONTENT);
    fill(contents, Optional.of(reason));
    contents.awaitAnswer();
    assertThat(twins.areGroupsKnown()).isEqualTo(areKnown);
    assertThat(new ContentTwins(new SharedInformers(), false).areGroupsKnown()).isTrue();
  }
}
