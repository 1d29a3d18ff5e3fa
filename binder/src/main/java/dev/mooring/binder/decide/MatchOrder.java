package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeCatalogue.SearchResult;

/**
 * Order in which the binder prefers the volumes that suit a claim: part of a {@link BinderPolicy}.
 */
public enum MatchOrder {
  /**
   * Prefers a reserved volume, then the smallest free one over all sets of access modes, then the
   * oldest, then the first by name. If other pending claims could get no other volume, the claim
   * takes the next volume that suits it, if there is one.
   */
  SMALLEST_FIRST,
  /** Searches the sets of access modes one by one, the narrowest first, as Kubernetes does. */
  NARROWEST_SET_FIRST;

  /**
   * Returns the best volume for a claim that names none.
   *
   * @param isDelayed whether its binding waits for a pod: then only a reserved volume is returned
   */
  SearchResult findBest(MatchSubject subject, boolean isDelayed, VolumeCatalogue volumes) {
    return switch (this) {
      case SMALLEST_FIRST -> VolumeMatcher.findSmallest(subject, isDelayed, volumes);
      case NARROWEST_SET_FIRST -> VolumeMatcher.findInNarrowestSet(subject, isDelayed, volumes);
    };
  }

  public boolean sparesOthers() {
    return this == SMALLEST_FIRST;
  }
}
