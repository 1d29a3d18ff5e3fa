package dev.mooring.binder.execute;

import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.EventRepetition;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.EventMemory;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that the reason of a pending claim stays visible as an event. */
class RepeatedEventsTest {
  private static final Claim CLAIM = claim("1Gi");
  private static final Duration LOOK = Duration.ofSeconds(15);

  private final SimTime time = new SimTime();
  private final List<ClusterEvent> events = new ArrayList<>();
  private boolean losing;

  private final EventSink sink =
      new EventSink() {
        @Override
        public void emit(ClusterEvent event) {
          events.add(event);
        }

        @Override
        public void emit(ClusterEvent event, Runnable sendFailure) {
          emit(event);
          if (losing) {
            sendFailure.run();
          }
        }
      };

  private BinderReporter reporter(EventStyle style) {
    EventMemory memory = new EventMemory(time, style == EventStyle.AS_KUBERNETES);
    return new BinderReporter(sink, memory, style, false);
  }

  private void syncRepeatedly(BinderReporter reporter, Duration during) {
    for (Duration start = Duration.ZERO; start.compareTo(during) < 0; start = start.plus(LOOK)) {
      reporter.reportWaiting(CLAIM, Reason.NO_VOLUME, "none", () -> "v is too small");
      time.advance(LOOK);
    }
  }

  @Test
  void reportWaiting_sameReason_isEmittedOnceAnHour() {
    syncRepeatedly(reporter(EventStyle.EXPLAINING), Duration.ofMinutes(49));
    assertThat(events).hasSize(1);
    syncRepeatedly(reporter(EventStyle.EXPLAINING), Duration.ofHours(24));
    assertThat(events.size() - 1).isBetween(24, 30);
  }

  @Test
  void reportWaiting_lostEvent_isEmittedAgainSoon() {
    BinderReporter reporter = reporter(EventStyle.EXPLAINING);
    losing = true;
    syncRepeatedly(reporter, Duration.ofMinutes(2));
    assertThat(events).hasSizeBetween(3, 5);
    losing = false;
    int eventsBefore = events.size();
    syncRepeatedly(reporter, Duration.ofMinutes(40));
    assertThat(events).hasSize(eventsBefore + 1);
  }

  @Test
  void reportWaiting_kubernetesStyle_isEmittedAtEverySync() {
    syncRepeatedly(reporter(EventStyle.AS_KUBERNETES), Duration.ofMinutes(1));
    assertThat(events).hasSize(4);
  }

  /** Any event about a Failed volume was emitted before. */
  @Test
  void reportDeletionFailure_kubernetesStyleFailedVolume_emitsNothing() {
    BinderReporter reporter = reporter(EventStyle.AS_KUBERNETES);
    Volume failed = volume("v", "1Gi", v -> v.phase(VolumePhase.FAILED));
    reporter.reportRecyclingFailure(failed, Reason.NO_RECYCLER, "none");
    reporter.reportDeletionFailure(failed, Reason.NO_DELETER, "none");
    assertThat(events).isEmpty();
    reporter.reportRecyclingFailure(volume("w", "1Gi"), Reason.NO_RECYCLER, "none");
    assertThat(events).hasSize(1);
    reporter(EventStyle.EXPLAINING).reportRecyclingFailure(failed, Reason.NO_RECYCLER, "none");
    assertThat(events).hasSize(2);
  }

  @Test
  void reportWaiting_simultaneousClaims_repeatAtDifferentTimes() {
    List<Duration> periods =
        IntStream.range(0, 1000).mapToObj(i -> EventRepetition.period(Uid.of("u" + i))).toList();
    assertThat(periods)
        .allMatch(p -> p.compareTo(Duration.ofMinutes(50)) >= 0)
        .allMatch(p -> p.compareTo(Duration.ofHours(1)) < 0);
    assertThat(periods.stream().distinct().count()).isGreaterThan(300);
  }
}
