package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * A claim, and what it asks for, prepared for many volumes.
 *
 * @param request the claim, and how it is decided
 * @param key what it asks for
 * @param delayed whether its binding waits for a pod
 * @param nodes the nodes that may be chosen for the pod
 */
record Wanted(MatchRequest request, MatchKey key, boolean delayed, EligibleNodes nodes) {
  static Wanted by(MatchRequest request, boolean delayed, EligibleNodes nodes) {
    return new Wanted(request, MatchKey.of(request), delayed, nodes);
  }

  Claim claim() {
    return request.claim();
  }
}
