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
 * Pending claims, filed by what can end their waiting. Not thread-safe: the reservations' lock
 * guards it.
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

  private record FiledClaim(Claim claim, MatchKey key, boolean takesAny) {
    WaitingPosition waiter() {
      return new WaitingPosition(key.request(), claim.meta().created(), claim.key());
    }
  }

  private static final char VALUE = '=';
  private static final String ANY_CLASS = "*"; // not a valid name of a class

  private final Map<ObjectKey, FiledClaim> all = new HashMap<>();
  private final Map<FilingKey, NavigableSet<WaitingPosition>> byQuestion = new HashMap<>();
  private final Map<String, Set<ObjectKey>> byVolumeName = new HashMap<>();
  private final Map<String, Set<ObjectKey>> byClass = new HashMap<>();

  WaitingClaims() {}

  void put(Claim claim, MatchKey key, boolean takesAny) {
    FiledClaim before = all.get(claim.key());
    if (before != null && before.claim() == claim && before.takesAny() == takesAny) {
      return;
    }
    remove(claim.key());
    FiledClaim filed = new FiledClaim(claim, key, takesAny);
    all.put(claim.key(), filed);
    if (takesAny) {
      for (FilingKey question : questions(key)) {
        byQuestion.computeIfAbsent(question, q -> new TreeSet<>()).add(filed.waiter());
      }
    }
    file(byVolumeName, claim.volumeName(), claim.key());
    file(byClass, className(claim), claim.key());
  }

  private static void file(Map<String, Set<ObjectKey>> where, String term, ObjectKey claim) {
    where.computeIfAbsent(term, t -> new LinkedHashSet<>()).add(claim);
  }

  private static void unfile(Map<String, Set<ObjectKey>> where, String term, ObjectKey claim) {
    where.computeIfPresent(
        term,
        (t, same) -> {
          same.remove(claim);
          return same.isEmpty() ? null : same;
        });
  }

  private static String className(Claim claim) {
    return claim.storageClass() == null ? ANY_CLASS : claim.className();
  }

  private static List<FilingKey> questions(MatchKey key) {
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
    FiledClaim filed = all.remove(claim);
    if (filed == null) {
      return;
    }
    if (filed.takesAny()) {
      unlist(filed);
    }
    unfile(byVolumeName, filed.claim().volumeName(), claim);
    unfile(byClass, className(filed.claim()), claim);
  }

  void asked(ObjectKey claim) {
    FiledClaim filed = all.get(claim);
    if (filed != null && filed.takesAny()) {
      unlist(filed);
      all.put(claim, new FiledClaim(filed.claim(), filed.key(), false));
    }
  }

  private void unlist(FiledClaim filed) {
    for (FilingKey question : questions(filed.key())) {
      NavigableSet<WaitingPosition> same = byQuestion.get(question);
      if (same != null && same.remove(filed.waiter()) && same.isEmpty()) {
        byQuestion.remove(question);
      }
    }
  }

  boolean contains(ObjectKey claim) {
    return all.containsKey(claim);
  }

  List<ObjectKey> claimsNaming(String volume) {
    return volume.isEmpty() ? List.of() : List.copyOf(byVolumeName.getOrDefault(volume, Set.of()));
  }

  List<ObjectKey> claimsOfClass(String className) {
    List<ObjectKey> found = new ArrayList<>(byClass.getOrDefault(className, Set.of()));
    found.addAll(byClass.getOrDefault(ANY_CLASS, Set.of()));
    return found;
  }

  int steps(ObjectKey claim, Volume volume) {
    FiledClaim filed = all.get(claim);
    return filed == null ? 1 : filed.key().steps(volume);
  }

  boolean suits(ObjectKey claim, Volume volume) {
    FiledClaim filed = all.get(claim);
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
    List<NavigableSet<WaitingPosition>> places = new ArrayList<>();
    for (int modes = 0; modes < AccessModes.MASKS; modes++) {
      if (VolumeTest.offers(volume.accessModes().mask(), modes)) {
        steps.take(labels.size());
        for (String label : labels) {
          NavigableSet<WaitingPosition> same = byQuestion.get(new FilingKey(exact, modes, label));
          if (same != null) {
            places.add(same);
          }
        }
      }
    }
    return places;
  }
}
