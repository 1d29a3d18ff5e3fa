package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.GivenListWatch;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots that may not be listed count as absent; an unanswered list does not. */
class SnapshotProtectionTest {
  private final FaultyCluster server = new FaultyCluster();

  private SnapshotProtection protection(Reason failure) {
    return new SnapshotProtection(
        server,
        new DriverFinalizers(server),
        new GivenListWatch<>(() -> {
          throw new ListWatchException(failure, "no list");
        }),
        new DriverReporter(event -> {}, "d"));
  }

  @ParameterizedTest
  @EnumSource
  void listProtected_failure_isEmptyOnlyIfAnswered(Reason failure) throws InterruptedException {
    boolean isAnswered = failure == Reason.FORBIDDEN || failure == Reason.NO_SUCH_RESOURCE;
    assertThat(protection(failure).listProtected())
        .isEqualTo(
            isAnswered ? new ReadResult.Found<>(List.of()) : new ReadResult.Failed<>("no list"));
  }

  /** Otherwise the snapshot would be requested for ever. */
  @ParameterizedTest
  @EnumSource
  void release_unreadable_isDoneOnlyIfKindIsGone(Reason failure) throws InterruptedException {
    server.onRead(request -> new ReadResult.Failed<>("no answer"));
    Outcome outcome = protection(failure).release(ObjectKey.of("ns", "s"));
    if (failure == Reason.NO_SUCH_RESOURCE) {
      assertThat(outcome).isEqualTo(Outcome.SETTLED);
    } else {
      assertThat(outcome).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(server.writes()).isEmpty();
  }
}
