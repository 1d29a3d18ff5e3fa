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

  private static final List<List<List<Integer>>> TOGETHER =
      NARROW_FIRST.stream()
          .sorted()
          .map(asked ->
              List.of(
                  NARROW_FIRST.stream().filter(modes -> VolumeTest.offers(modes, asked)).toList()))
          .toList();

  private VolumeMatcher() {}

  static List<Integer> offering(int asked) {
    return TOGETHER.get(asked).getFirst();
  }

  static SearchResult smallest(MatchSubject subject, boolean delayed, VolumeCatalogue volumes) {
    Claim claim = subject.claim();
    for (Volume volume : volumes.reservedFor(claim.key())) {
      if (isReserved(subject, volume)) {
        return new SearchResult.Found(volume);
      }
    }
    if (delayed) {
      return new SearchResult.Nothing();
    }
    SearchResult search = volumes.search(claim, TOGETHER.get(claim.accessModes().mask()));
    return search instanceof SearchResult.Found(Volume first) && volumes.isContested(claim)
        ? new SearchResult.Found(volumes.spared(claim, first))
        : search;
  }

  private static boolean isReserved(MatchSubject subject, Volume volume) {
    return AvailabilityRule.isReserved(subject.claim(), volume)
        && FitCheck.mismatchOfReserved(subject, volume).isEmpty();
  }

  static SearchResult narrowestSetFirst(
      MatchSubject subject, boolean delayed, VolumeCatalogue volumes) {
    Claim claim = subject.claim();
    List<List<Integer>> tiers = new ArrayList<>();
    for (int modes : offering(claim.accessModes().mask())) {
      for (Volume volume : volumes.reservedFor(claim.key())) {
        if (volume.accessModes().mask() == modes && isReserved(subject, volume)) {
          SearchResult narrower = free(subject, delayed, tiers, volumes);
          return narrower instanceof SearchResult.Nothing
              ? new SearchResult.Found(volume)
              : narrower;
        }
      }
      tiers.add(List.of(modes));
    }
    return free(subject, delayed, tiers, volumes);
  }

  private static SearchResult free(
      MatchSubject subject, boolean delayed, List<List<Integer>> tiers, VolumeCatalogue volumes) {
    return delayed || tiers.isEmpty()
        ? new SearchResult.Nothing()
        : volumes.search(subject.claim(), tiers);
  }
}
