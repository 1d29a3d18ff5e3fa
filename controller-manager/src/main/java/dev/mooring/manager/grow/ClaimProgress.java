package dev.mooring.manager.grow;

import dev.mooring.model.Claim;

final class ClaimProgress {
  private final Claim first;
  private final long startNanos;
  private Claim current;
  private String cause = "no answer yet";

  ClaimProgress(Claim first, long startNanos) {
    this.first = first;
    this.startNanos = startNanos;
    this.current = first;
  }

  Claim first() {
    return first;
  }

  long startNanos() {
    return startNanos;
  }

  Claim current() {
    return current;
  }

  void setCurrent(Claim claim) {
    current = claim;
  }

  String cause() {
    return cause;
  }

  void setCause(String text) {
    cause = text;
  }
}
