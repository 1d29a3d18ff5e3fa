package dev.mooring.testkit;

import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;

/** Builder of a Lease. Default: no holder. */
public final class LeaseBuilder extends ObjectBuilder<Lease, LeaseBuilder> {
  private String holder = "";
  private int durationSeconds = 15;
  private long renewedMicros = 0;
  private long acquiredMicros = 0;
  private int transitions = 0;

  LeaseBuilder(ObjectKey key) {
    super(key);
  }

  public LeaseBuilder holder(String value) {
    this.holder = value;
    return this;
  }

  public LeaseBuilder durationSeconds(int value) {
    this.durationSeconds = value;
    return this;
  }

  public LeaseBuilder renewedMicros(long value) {
    this.renewedMicros = value;
    return this;
  }

  public LeaseBuilder acquiredMicros(long value) {
    this.acquiredMicros = value;
    return this;
  }

  public LeaseBuilder transitions(int value) {
    this.transitions = value;
    return this;
  }

  @Override
  public Lease build() {
    return new Lease(meta(), holder, durationSeconds, renewedMicros, acquiredMicros, transitions);
  }
}
