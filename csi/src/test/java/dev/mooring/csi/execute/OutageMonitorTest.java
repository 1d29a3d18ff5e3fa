package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.decide.OutageRules;
import dev.mooring.csi.state.OutageMemory;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.operation.OperationStats;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutageMonitorTest {
  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";

  private final SimTime time = new SimTime();
  private final List<ClusterEvent> events = new ArrayList<>();

  // never started, so it stays not ready
  private final DriverSession session =
      new DriverSession("d", new FakeDriver(), time, new OperationStats());

  private OutageMonitor monitor(Optional<String> onlyNode) {
    return new OutageMonitor(
        session,
        new OutageRules("d", onlyNode),
        new OutageMonitor.WaitingCaches(
            Informer.of(
                Kind.CLAIM,
                List.of(),
                List.of(
                    TestObjects.claim("shop", "waits").annotation(PROVISIONER, "d").build(),
                    TestObjects.claim("shop", "foreign").annotation(PROVISIONER, "e").build(),
                    TestObjects.claim("shop", "bound")
                        .annotation(PROVISIONER, "d")
                        .volumeName("pv")
                        .build())),
            Informer.of(
                Kind.ATTACHMENT,
                List.of(),
                List.of(
                    TestObjects.attachment("attaching").attacher("d").nodeName("n1").build(),
                    TestObjects.attachment("attached").attacher("d").attached(true).build()))),
        events::add,
        time);
  }

  private List<String> reportedObjects() {
    return events.stream().map(event -> event.subject().key().name()).toList();
  }

  @Test
  void check_driverAwayLongerThanGrace_reportsWaitingObjectsOnce() {
    OutageMonitor monitor = monitor(Optional.empty());
    monitor.check();
    time.advance(OutageMemory.GRACE.minusSeconds(1));
    monitor.check();
    assertThat(events).isEmpty();
    time.advance(Duration.ofSeconds(1));
    monitor.check();
    monitor.check();
    assertThat(reportedObjects()).containsExactly("waits", "attaching");
    assertThat(events.getFirst().reason()).isEqualTo("DriverUnavailable");
    assertThat(events.getFirst().note())
        .startsWith("CSI driver d is unavailable: it has not been probed yet;");
  }

  @Test
  void check_longOutage_isReportedAgain() {
    OutageMonitor monitor = monitor(Optional.empty());
    monitor.check();
    time.advance(OutageMemory.GRACE);
    monitor.check();
    time.advance(OutageMemory.REPEAT);
    monitor.check();
    assertThat(reportedObjects()).containsExactly("waits", "attaching", "waits", "attaching");
  }

  @Test
  void check_processOfOneNode_reportsOnlyItsObjects() {
    OutageMonitor monitor = monitor(Optional.of("n1"));
    monitor.check();
    time.advance(OutageMemory.GRACE);
    monitor.check();
    assertThat(reportedObjects()).containsExactly("attaching");
  }
}
