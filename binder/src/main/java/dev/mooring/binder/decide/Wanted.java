package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * Claim with its requirements, prepared for many volumes.
 *
 * @param delayed whether its binding waits for a pod
 * @param nodes nodes that may be selected for the pod
 */
record Wanted(MatchSubject subject, MatchKey key, boolean delayed, EligibleNodes nodes) {
  static Wanted by(MatchSubject subject, boolean delayed, EligibleNodes nodes) {
    return new Wanted(subject, MatchKey.of(subject), delayed, nodes);
  }

  Claim claim() {
    return subject.claim();
  }
}
