package dev.mooring.manager.grow;

import dev.mooring.model.Claim;

/** The growth of one claim, from the request to the size. Not thread-safe. */
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

  /** Returns the claim before its growth. */
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

  /** Returns why the claim does not have its size. */
  String cause() {
    return cause;
  }

  void setCause(String text) {
    cause = text;
  }
}
