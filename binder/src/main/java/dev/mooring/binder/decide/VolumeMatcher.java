package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeCatalogue.SearchResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.List;

final class VolumeMatcher {
  // sets of access modes, fewest modes first: Kubernetes' search order
  private static final List<Integer> NARROW_FIRST =
      List.of(0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15);

  private static final List<List<List<Integer>>> SINGLE_TIERS =
      NARROW_FIRST.stream()
          .sorted()
          .map(requestedModes ->
              List.of(
                  NARROW_FIRST.stream()
                      .filter(modes -> VolumeCriterion.offers(modes, requestedModes))
                      .toList()))
          .toList();

  private VolumeMatcher() {}

  static List<Integer> offeringModeSets(int requestedModes) {
    return SINGLE_TIERS.get(requestedModes).getFirst();
  }

  static SearchResult findSmallest(
      MatchSubject subject, boolean isDelayed, VolumeCatalogue volumes) {
    Claim claim = subject.claim();
    for (Volume volume : volumes.reservedFor(claim.key())) {
      if (isReserved(subject, volume)) {
        return new SearchResult.Found(volume);
      }
    }
    if (isDelayed) {
      return new SearchResult.Nothing();
    }
    SearchResult search = volumes.search(claim, SINGLE_TIERS.get(claim.accessModes().mask()));
    return search instanceof SearchResult.Found(Volume first) && volumes.isContested(claim)
        ? new SearchResult.Found(volumes.findSparingVolume(claim, first))
        : search;
  }

  private static boolean isReserved(MatchSubject subject, Volume volume) {
    return AvailabilityRule.isReserved(subject.claim(), volume)
        && FitCheck.mismatchOfReserved(subject, volume).isEmpty();
  }

  static SearchResult findInNarrowestSet(
      MatchSubject subject, boolean isDelayed, VolumeCatalogue volumes) {
    Claim claim = subject.claim();
    List<List<Integer>> tiers = new ArrayList<>();
    for (int modes : offeringModeSets(claim.accessModes().mask())) {
      for (Volume volume : volumes.reservedFor(claim.key())) {
        if (volume.accessModes().mask() == modes && isReserved(subject, volume)) {
          SearchResult narrower = searchFree(subject, isDelayed, tiers, volumes);
          return narrower instanceof SearchResult.Nothing
              ? new SearchResult.Found(volume)
              : narrower;
        }
      }
      tiers.add(List.of(modes));
    }
    return searchFree(subject, isDelayed, tiers, volumes);
  }

  private static SearchResult searchFree(
      MatchSubject subject, boolean isDelayed, List<List<Integer>> tiers, VolumeCatalogue volumes) {
    return isDelayed || tiers.isEmpty()
        ? new SearchResult.Nothing()
        : volumes.search(subject.claim(), tiers);
  }
}
