package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * Claim with its requirements, prepared for many volumes.
 *
 * @param delayed whether its binding waits for a pod
 * @param nodes nodes that may be selected for the pod
 */
record ClaimRequirements(MatchSubject subject, MatchKey key, boolean delayed, EligibleNodes nodes) {
  static ClaimRequirements by(MatchSubject subject, boolean delayed, EligibleNodes nodes) {
    return new ClaimRequirements(subject, MatchKey.of(subject), delayed, nodes);
  }

  Claim claim() {
    return subject.claim();
  }
}
