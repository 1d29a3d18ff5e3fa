package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.TestObjects;
import dev.mooring.time.SystemTime;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WaitingObjectScanTest {
  private static final int OBJECTS = 400;
  private static final List<Kind<?>> KINDS =
      List.of(Kind.CLAIM, Kind.VOLUME, Kind.POD, Kind.STORAGE_CLASS);

  private static ClusterView makeClusterView() {
    List<Index<Pod, ?>> indexes = ListedClusterView.indexes(Kind.POD);
    return FixedClusterView.frozen(
        new GivenClusterView()
            .with(
                Kind.CLAIM,
                IntStream.range(0, OBJECTS).mapToObj(WaitingObjectScanTest::claim).toList())
            .with(
                Kind.VOLUME,
                IntStream.range(0, OBJECTS).mapToObj(WaitingObjectScanTest::volume).toList())
            .with(
                Informer.of(
                    Kind.POD,
                    indexes,
                    IntStream.range(0, OBJECTS).mapToObj(WaitingObjectScanTest::pod).toList()))
            .with(
                Kind.STORAGE_CLASS,
                List.of(
                    TestObjects.storageClass("late")
                        .provisioner("block.example.com")
                        .binding(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
                        .build())),
        ClusterExplainers.ALL_READ_KINDS);
  }

  private static Claim claim(int number) {
    return TestObjects.claim("ns", "claim-" + number)
        .request(1 + number % 5 + "Gi")
        .storageClass(List.of("late", "missing", "").get(number % 3))
        .phase(number % 7 == 0 ? ClaimPhase.LOST : ClaimPhase.PENDING)
        .build();
  }

  private static Volume volume(int number) {
    return TestObjects.volume("volume-" + number)
        .storage(1 + number % 3 + "Gi")
        .storageClass("")
        .phase(number % 2 == 0 ? VolumePhase.AVAILABLE : VolumePhase.FAILED)
        .build();
  }

  private static Pod pod(int number) {
    return TestObjects.pod("ns", "pod-" + number).claims("claim-" + number).build();
  }

  private static WaitingObjectScan scan(int threads, Compat compat) throws InterruptedException {
    ClusterView clusterView = makeClusterView();
    try (SystemTime time = new SystemTime()) {
      WaitingObjectScan scan =
          new WaitingObjectScan(
              clusterView, ClusterExplainers.forThreads(threads, clusterView, compat, time), "");
      for (Kind<?> kind : KINDS) {
        scan.scan(kind);
      }
      return scan;
    }
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void scan_manyThreads_findsTheSameInTheSameOrder(Compat compat) throws InterruptedException {
    WaitingObjectScan alone = scan(1, compat);
    WaitingObjectScan parallel = scan(7, compat);
    assertThat(parallel.objectCount()).isEqualTo(alone.objectCount()).isGreaterThan(2 * OBJECTS);
    assertThat(lines(parallel)).isEqualTo(lines(alone)).hasSizeGreaterThan(OBJECTS);
  }

  private static List<String> lines(WaitingObjectScan scan) {
    return Stream.of(scan.explanations()).flatMap(List::stream).map(Explanation::toString).toList();
  }
}
