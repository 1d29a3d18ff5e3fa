package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.testkit.TestGuards;
import dev.mooring.time.Time;
import java.time.Duration;

/** States of a binder that has seen nothing, without a limit of deletions. */
final class GivenState {
  private GivenState() {}

  static BinderState of(Time time) {
    return of(new DeletionBreaker(0, Duration.ofMinutes(1), time), time);
  }

  static BinderState of(DeletionBreaker breaker, Time time) {
    return new BinderState(
        BinderPolicy.DEFAULTS, time, TestGuards.of(breaker, time), RequeueTarget.NONE);
  }
}
