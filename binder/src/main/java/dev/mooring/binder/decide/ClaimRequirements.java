package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * Claim with its requirements, prepared for many volumes.
 *
 * @param isDelayed whether its binding waits for a pod
 * @param nodes nodes that may be selected for the pod
 */
record ClaimRequirements(
    MatchSubject subject, MatchKey key, boolean isDelayed, EligibleNodes nodes) {
  static ClaimRequirements of(MatchSubject subject, boolean isDelayed, EligibleNodes nodes) {
    return new ClaimRequirements(subject, MatchKey.of(subject), isDelayed, nodes);
  }

  Claim claim() {
    return subject.claim();
  }
}
