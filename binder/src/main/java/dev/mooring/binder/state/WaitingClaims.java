package dev.mooring.binder.state;

import dev.mooring.binder.decide.LabelQuery;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.VolumeCriterion;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Pending claims, indexed by the changes that can end their wait. Not thread-safe: the
 * reservations' lock guards it.
 */
public final class WaitingClaims {
  /**
   * Claim in the order of offers: the largest request first, then the oldest, then the first by
   * name.
   */
  record WaitingPosition(Quantity request, long created, ObjectKey claim)
      implements Comparable<WaitingPosition> {
    private static final Comparator<WaitingPosition> ORDER =
        Comparator.comparing(WaitingPosition::request, Comparator.reverseOrder())
            .thenComparing(WaitingPosition::created)
            .thenComparing(WaitingPosition::claim);

    static WaitingPosition first(Quantity request) {
      return new WaitingPosition(request, Long.MIN_VALUE, ObjectKey.cluster(""));
    }

    @Override
    public int compareTo(WaitingPosition other) {
      return ORDER.compare(this, other);
    }
  }

  private record IndexKey(ExactKey exact, int accessModes, String label)
      implements Comparable<IndexKey> {
    private static final Comparator<IndexKey> ORDER =
        Comparator.comparing(IndexKey::label)
            .thenComparing(IndexKey::accessModes)
            .thenComparing(IndexKey::exact);

    @Override
    public int compareTo(IndexKey other) {
      return ORDER.compare(this, other);
    }
  }

  private record IndexedClaim(Claim claim, MatchKey key, boolean takesAnyVolume) {
    WaitingPosition position() {
      return new WaitingPosition(key.request(), claim.meta().created(), claim.key());
    }
  }

  private static final char VALUE = '=';
  private static final String ANY_CLASS = "*"; // not a valid name of a class

  private final Map<ObjectKey, IndexedClaim> indexedClaims = new HashMap<>();
  private final Map<IndexKey, NavigableSet<WaitingPosition>> positionsByIndexKey = new HashMap<>();
  private final Map<String, Set<ObjectKey>> byVolumeName = new HashMap<>();
  private final Map<String, Set<ObjectKey>> byClass = new HashMap<>();

  WaitingClaims() {}

  void put(Claim claim, MatchKey key, boolean takesAnyVolume) {
    IndexedClaim previous = indexedClaims.get(claim.key());
    if (previous != null
        && previous.claim() == claim
        && previous.takesAnyVolume() == takesAnyVolume) {
      return;
    }
    remove(claim.key());
    IndexedClaim indexed = new IndexedClaim(claim, key, takesAnyVolume);
    indexedClaims.put(claim.key(), indexed);
    if (takesAnyVolume) {
      for (IndexKey indexKey : indexKeys(key)) {
        positionsByIndexKey.computeIfAbsent(indexKey, q -> new TreeSet<>()).add(indexed.position());
      }
    }
    addTo(byVolumeName, claim.volumeName(), claim.key());
    addTo(byClass, indexedClassName(claim), claim.key());
  }

  private static void addTo(Map<String, Set<ObjectKey>> index, String term, ObjectKey claim) {
    index.computeIfAbsent(term, t -> new LinkedHashSet<>()).add(claim);
  }

  private static void removeFrom(Map<String, Set<ObjectKey>> index, String term, ObjectKey claim) {
    index.computeIfPresent(
        term,
        (t, claims) -> {
          claims.remove(claim);
          return claims.isEmpty() ? null : claims;
        });
  }

  private static String indexedClassName(Claim claim) {
    return claim.storageClass() == null ? ANY_CLASS : claim.className();
  }

  private static List<IndexKey> indexKeys(MatchKey key) {
    ExactKey exact = ExactKey.of(key);
    LabelQuery labels = key.labels();
    if (labels == null || labels.terms().isEmpty()) {
      return List.of(new IndexKey(exact, key.accessModes(), ""));
    }
    LabelQuery.RequiredLabel term = labels.terms().getFirst();
    if (term.values().isEmpty()) {
      return List.of(new IndexKey(exact, key.accessModes(), term.key()));
    }
    return term.values().stream()
        .map(value -> new IndexKey(exact, key.accessModes(), term.key() + VALUE + value))
        .toList();
  }

  void remove(ObjectKey claim) {
    IndexedClaim indexed = indexedClaims.remove(claim);
    if (indexed == null) {
      return;
    }
    if (indexed.takesAnyVolume()) {
      removePositions(indexed);
    }
    removeFrom(byVolumeName, indexed.claim().volumeName(), claim);
    removeFrom(byClass, indexedClassName(indexed.claim()), claim);
  }

  void stopOffering(ObjectKey claim) {
    IndexedClaim indexed = indexedClaims.get(claim);
    if (indexed != null && indexed.takesAnyVolume()) {
      removePositions(indexed);
      indexedClaims.put(claim, new IndexedClaim(indexed.claim(), indexed.key(), false));
    }
  }

  private void removePositions(IndexedClaim indexed) {
    for (IndexKey indexKey : indexKeys(indexed.key())) {
      NavigableSet<WaitingPosition> positions = positionsByIndexKey.get(indexKey);
      if (positions != null && positions.remove(indexed.position()) && positions.isEmpty()) {
        positionsByIndexKey.remove(indexKey);
      }
    }
  }

  boolean contains(ObjectKey claim) {
    return indexedClaims.containsKey(claim);
  }

  List<ObjectKey> claimsNaming(String volume) {
    return volume.isEmpty() ? List.of() : List.copyOf(byVolumeName.getOrDefault(volume, Set.of()));
  }

  List<ObjectKey> claimsOfClass(String indexedClassName) {
    List<ObjectKey> claims = new ArrayList<>(byClass.getOrDefault(indexedClassName, Set.of()));
    claims.addAll(byClass.getOrDefault(ANY_CLASS, Set.of()));
    return claims;
  }

  int steps(ObjectKey claim, Volume volume) {
    IndexedClaim indexed = indexedClaims.get(claim);
    return indexed == null ? 1 : indexed.key().stepsFor(volume);
  }

  boolean suits(ObjectKey claim, Volume volume) {
    IndexedClaim indexed = indexedClaims.get(claim);
    return indexed != null && indexed.key().suits(volume);
  }

  List<NavigableSet<WaitingPosition>> candidateSets(Volume volume, StepBudget steps) {
    ExactKey exact = ExactKey.of(volume);
    Set<String> labels = new HashSet<>(Set.of(""));
    volume
        .meta()
        .labels()
        .forEach((key, value) -> {
          labels.add(key);
          labels.add(key + VALUE + value);
        });
    List<NavigableSet<WaitingPosition>> candidateSets = new ArrayList<>();
    for (int modes = 0; modes < AccessModes.MASKS; modes++) {
      if (VolumeCriterion.offers(volume.accessModes().mask(), modes)) {
        steps.take(labels.size());
        for (String label : labels) {
          NavigableSet<WaitingPosition> positions =
              positionsByIndexKey.get(new IndexKey(exact, modes, label));
          if (positions != null) {
            candidateSets.add(positions);
          }
        }
      }
    }
    return candidateSets;
  }
}
