package dev.mooring.manager.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OutageWatchTest {
  private final SimTime time = new SimTime();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicInteger probes = new AtomicInteger();
  private final AtomicReference<String> problem = new AtomicReference<>("");
  private final List<Optional<ApiServerOutage>> notifications = new ArrayList<>();
  private final OutageWatch watch =
      new OutageWatch(
          failures::get,
          () -> {
            probes.incrementAndGet();
            return problem.get();
          },
          time);

  @Test
  void check_noFailedWatch_sendsNoProbe() {
    watch.onChange(notifications::add);
    watch.check();
    watch.check();
    assertThat(probes).hasValue(0);
    assertThat(notifications).isEmpty();
  }

  @Test
  void check_serverUnreachable_reportsOutageUntilServerAnswers() {
    watch.onChange(notifications::add);
    failures.set(3);
    problem.set("connection refused");
    watch.check();
    ApiServerOutage outage = new ApiServerOutage(time.now(), "connection refused");
    time.advance(Duration.ofSeconds(9));
    watch.check();
    assertThat(notifications).as("once").containsExactly(Optional.of(outage));
    problem.set("");
    watch.check();
    assertThat(notifications).containsExactly(Optional.of(outage), Optional.empty());
    watch.check();
    assertThat(probes).as("no further probes").hasValue(3);
  }

  @Test
  void check_failedWatchButServerAnswers_reportsNoOutage() {
    watch.onChange(notifications::add);
    failures.set(1);
    watch.check();
    watch.check();
    assertThat(notifications).isEmpty();
    assertThat(probes).hasValue(1);
  }

  @Test
  void onChange_ongoingOutage_isReportedImmediately() {
    failures.set(1);
    problem.set("away");
    watch.check();
    watch.onChange(notifications::add);
    assertThat(notifications).hasSize(1);
  }
}
