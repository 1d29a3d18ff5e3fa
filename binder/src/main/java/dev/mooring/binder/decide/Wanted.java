package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * A claim, and what it asks for, prepared for many volumes.
 *
 * @param subject the claim, and how it is decided
 * @param key what it asks for
 * @param delayed whether its binding waits for a pod
 * @param nodes the nodes that may be chosen for the pod
 */
record Wanted(MatchSubject subject, MatchKey key, boolean delayed, EligibleNodes nodes) {
  static Wanted by(MatchSubject subject, boolean delayed, EligibleNodes nodes) {
    return new Wanted(subject, MatchKey.of(subject), delayed, nodes);
  }

  Claim claim() {
    return subject.claim();
  }
}
