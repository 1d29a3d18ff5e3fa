package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeCatalogue.Search;

/** Which of the volumes that suit a claim it gets: part of a {@link Policy}. */
public enum MatchOrder {
  /**
   * One that is reserved for the claim, else the smallest sufficient free one over all sets of
   * access modes; the oldest of equals, then the first by name. Where other claims wait that could
   * get no other volume, the claim takes the next one that suits it, if there is one.
   */
  SMALLEST_FIRST {
    @Override
    Search best(MatchSubject subject, boolean delayed, VolumeCatalogue volumes) {
      return VolumeMatcher.smallest(subject, delayed, volumes);
    }

    @Override
    public boolean sparesOthers() {
      return true;
    }
  },

  /** Set by set, the narrowest first, and of the first set that has any, as in Kubernetes. */
  NARROWEST_SET_FIRST {
    @Override
    Search best(MatchSubject subject, boolean delayed, VolumeCatalogue volumes) {
      return VolumeMatcher.narrowestSetFirst(subject, delayed, volumes);
    }

    @Override
    public boolean sparesOthers() {
      return false;
    }
  };

  /**
   * The best volume for a claim that takes any.
   *
   * @param delayed whether its binding waits for a pod: it gets none then but one reserved for it
   */
  abstract Search best(MatchSubject subject, boolean delayed, VolumeCatalogue volumes);

  /** Whether it matters to a claim that others wait. */
  public abstract boolean sparesOthers();
}
