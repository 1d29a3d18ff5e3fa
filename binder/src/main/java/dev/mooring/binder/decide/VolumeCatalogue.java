package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

/**
 * Volumes that a claim can get. The catalogue must not change while a decision reads it. No call
 * takes longer with more volumes or claims: a search that exceeds its steps returns {@link
 * SearchResult.Unfinished} and continues with the next call.
 */
public interface VolumeCatalogue {
  sealed interface SearchResult {
    record Found(Volume volume) implements SearchResult {}

    record Nothing() implements SearchResult {}

    record Unfinished() implements SearchResult {}
  }

  Optional<Volume> find(String name);

  Iterable<Volume> reservedFor(ObjectKey claim);

  /**
   * Searches for the first free volume that suits the claim, regardless of other claims: the
   * smallest, then the oldest, then the first by name. A search of several calls covers all volumes
   * that existed when it began. It misses no later volume, but may not prefer it.
   *
   * @param tiers sets of access modes, as bit sets, in order of preference
   */
  SearchResult search(Claim claim, List<List<Integer>> tiers);

  boolean isContested(Claim claim);

  /**
   * Returns the first suitable volume that leaves a volume for every other claim that could have
   * one, as far as the steps suffice; else the first of all.
   *
   * @param first result of {@link #search} over all access modes
   */
  Volume findSparingVolume(Claim claim, Volume first);
}
