package dev.mooring.binder.state;

import dev.mooring.binder.decide.LabelQuery;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.VolumeTest;
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
 * Pending claims, indexed by the changes that can end their wait. Not thread-safe: the reservations'
 * lock guards it.
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

  private record FilingKey(ExactKey exact, int accessModes, String label)
      implements Comparable<FilingKey> {
    private static final Comparator<FilingKey> ORDER =
        Comparator.comparing(FilingKey::label)
            .thenComparing(FilingKey::accessModes)
            .thenComparing(FilingKey::exact);

    @Override
    public int compareTo(FilingKey other) {
      return ORDER.compare(this, other);
    }
  }

  private record FiledClaim(Claim claim, MatchKey key, boolean takesAnyVolume) {
    WaitingPosition position() {
      return new WaitingPosition(key.request(), claim.meta().created(), claim.key());
    }
  }

  private static final char VALUE = '=';
  private static final String ANY_CLASS = "*"; // not a valid name of a class

  private final Map<ObjectKey, FiledClaim> filedClaims = new HashMap<>();
  private final Map<FilingKey, NavigableSet<WaitingPosition>> positionsByFilingKey =
      new HashMap<>();
  private final Map<String, Set<ObjectKey>> byVolumeName = new HashMap<>();
  private final Map<String, Set<ObjectKey>> byClass = new HashMap<>();

  WaitingClaims() {}

  void put(Claim claim, MatchKey key, boolean takesAnyVolume) {
    FiledClaim previous = filedClaims.get(claim.key());
    if (previous != null
        && previous.claim() == claim
        && previous.takesAnyVolume() == takesAnyVolume) {
      return;
    }
    remove(claim.key());
    FiledClaim filed = new FiledClaim(claim, key, takesAnyVolume);
    filedClaims.put(claim.key(), filed);
    if (takesAnyVolume) {
      for (FilingKey filingKey : filingKeys(key)) {
        positionsByFilingKey.computeIfAbsent(filingKey, q -> new TreeSet<>()).add(filed.position());
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

  private static List<FilingKey> filingKeys(MatchKey key) {
    ExactKey exact = ExactKey.of(key);
    LabelQuery labels = key.labels();
    if (labels == null || labels.terms().isEmpty()) {
      return List.of(new FilingKey(exact, key.accessModes(), ""));
    }
    LabelQuery.RequiredLabel term = labels.terms().getFirst();
    if (term.values().isEmpty()) {
      return List.of(new FilingKey(exact, key.accessModes(), term.key()));
    }
    return term.values().stream()
        .map(value -> new FilingKey(exact, key.accessModes(), term.key() + VALUE + value))
        .toList();
  }

  void remove(ObjectKey claim) {
    FiledClaim filed = filedClaims.remove(claim);
    if (filed == null) {
      return;
    }
    if (filed.takesAnyVolume()) {
      removePositions(filed);
    }
    removeFrom(byVolumeName, filed.claim().volumeName(), claim);
    removeFrom(byClass, indexedClassName(filed.claim()), claim);
  }

  void stopOffering(ObjectKey claim) {
    FiledClaim filed = filedClaims.get(claim);
    if (filed != null && filed.takesAnyVolume()) {
      removePositions(filed);
      filedClaims.put(claim, new FiledClaim(filed.claim(), filed.key(), false));
    }
  }

  private void removePositions(FiledClaim filed) {
    for (FilingKey filingKey : filingKeys(filed.key())) {
      NavigableSet<WaitingPosition> positions = positionsByFilingKey.get(filingKey);
      if (positions != null && positions.remove(filed.position()) && positions.isEmpty()) {
        positionsByFilingKey.remove(filingKey);
      }
    }
  }

  boolean contains(ObjectKey claim) {
    return filedClaims.containsKey(claim);
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
    FiledClaim filed = filedClaims.get(claim);
    return filed == null ? 1 : filed.key().stepsFor(volume);
  }

  boolean suits(ObjectKey claim, Volume volume) {
    FiledClaim filed = filedClaims.get(claim);
    return filed != null && filed.key().suits(volume);
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
      if (VolumeTest.offers(volume.accessModes().mask(), modes)) {
        steps.take(labels.size());
        for (String label : labels) {
          NavigableSet<WaitingPosition> positions =
              positionsByFilingKey.get(new FilingKey(exact, modes, label));
          if (positions != null) {
            candidateSets.add(positions);
          }
        }
      }
    }
    return candidateSets;
  }
}
