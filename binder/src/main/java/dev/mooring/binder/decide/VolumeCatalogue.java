package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

/**
 * The volumes that a claim can be given, at one moment: it must not change while a decision reads
 * it. Nothing here takes longer because there are many volumes or many claims: a search that is not
 * over within its steps says so, and goes on the next time it is asked for.
 */
public interface VolumeCatalogue {
  /** How a search ended. */
  sealed interface Search {
    /** The first volume that suits. */
    record Found(Volume volume) implements Search {}

    /** None suits. */
    record Nothing() implements Search {}

    /** None that was looked at suits, and there are more: ask again. */
    record Unfinished() implements Search {}
  }

  /** The volume of that name, free or not. */
  Optional<Volume> find(String name);

  /** The volumes whose claimRef names that claim, whatever its uid, smallest first. */
  Iterable<Volume> reservedFor(ObjectKey claim);

  /**
   * Searches the free volumes for the first that the claim could be given, whatever other claims
   * want: the smallest, the oldest of equals, then by name. A search that takes several calls finds
   * what was there when it began; of what came later it misses nothing, but may prefer another.
   *
   * @param claim for whom
   * @param tiers sets of access modes, as bit sets: all volumes of one tier come before those of
   *     the next
   */
  Search search(Claim claim, List<List<Integer>> tiers);

  /** Whether other claims without a volume ask for something else, and would take this one's. */
  boolean isContested(Claim claim);

  /**
   * Of the volumes that suit the claim, in their order, the first that leaves one to every other
   * claim that could have one, as far as that is found out within the steps for it; else the first
   * of all.
   *
   * @param claim for whom
   * @param first what {@link #search} found among all access modes at once
   */
  Volume spared(Claim claim, Volume first);
}
