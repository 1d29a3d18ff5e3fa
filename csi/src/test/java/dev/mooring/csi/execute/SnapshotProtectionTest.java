package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.reconcile.Outcome;
import dev.mooring.testkit.FaultyCluster;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots that may not be listed count as absent; an unanswered list does not. */
class SnapshotProtectionTest {
  private record FailingLists(Why why) implements ListWatch<PartialObject> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<PartialObject> each) throws ListWatchException {
      throw new ListWatchException(why, "no list");
    }

    @Override
    public Page head(int most, Consumer<PartialObject> each) throws ListWatchException {
      throw new ListWatchException(why, "no list");
    }

    @Override
    public void catchUp(long from, Sink<PartialObject> sink) throws ListWatchException {
      throw new ListWatchException(why, "no watch");
    }

    @Override
    public void watch(long from, boolean everything, Sink<PartialObject> sink)
        throws ListWatchException {
      throw new ListWatchException(why, "no watch");
    }
  }

  private final FaultyCluster server = new FaultyCluster();

  private SnapshotProtection protection(Why why) {
    return new SnapshotProtection(
        server,
        new DriverFinalizers(server),
        new FailingLists(why),
        new DriverReporter(event -> {}, "d"));
  }

  @ParameterizedTest
  @EnumSource
  void listProtected_failure_isEmptyOnlyIfAnswered(Why why) throws InterruptedException {
    boolean answered = why == Why.FORBIDDEN || why == Why.NO_SUCH_RESOURCE;
    assertThat(protection(why).listProtected())
        .isEqualTo(
            answered ? new ReadResult.Found<>(List.of()) : new ReadResult.Failed<>("no list"));
  }

  /** Otherwise the snapshot would be requested for ever. */
  @ParameterizedTest
  @EnumSource
  void release_unreadable_isDoneOnlyIfKindIsGone(Why why) throws InterruptedException {
    server.onRead(request -> new ReadResult.Failed<>("no answer"));
    Outcome outcome = protection(why).release(ObjectKey.of("ns", "s"));
    if (why == Why.NO_SUCH_RESOURCE) {
      assertThat(outcome).isEqualTo(Outcome.SETTLED);
    } else {
      assertThat(outcome).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(server.writes()).isEmpty();
  }
}
