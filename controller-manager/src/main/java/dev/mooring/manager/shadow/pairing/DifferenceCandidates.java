package dev.mooring.manager.shadow.pairing;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Differences that later watch events or the writer of the change may explain. Not thread-safe. */
final class DifferenceCandidates {
  private static final class Candidate {
    private final PairedDifference finding;
    private final long version;
    private final long nanos;
    private boolean isTaken;

    Candidate(PairedDifference finding, long version, long nanos) {
      this.finding = finding;
      this.version = version;
      this.nanos = nanos;
    }
  }

  private final Set<Candidate> candidates = new LinkedHashSet<>();

  void add(PairedDifference finding, long version, long nanos) {
    candidates.add(new Candidate(finding, version, nanos));
  }

  // Returns each difference once, and keeps it.
  List<PairedDifference> takeNew() {
    List<PairedDifference> found = new ArrayList<>();
    for (Candidate candidate : candidates) {
      if (!candidate.isTaken) {
        candidate.isTaken = true;
        found.add(candidate.finding);
      }
    }
    return found;
  }

  List<PairedDifference> removeOlderThan(long nanos) {
    return remove(candidate -> candidate.nanos - nanos <= 0);
  }

  List<PairedDifference> removeLaterThan(long version) {
    return remove(candidate -> candidate.version > version);
  }

  List<PairedDifference> remove(PairedDifference finding) {
    return remove(candidate -> candidate.finding == finding);
  }

  List<PairedDifference> removeAll() {
    return remove(candidate -> true);
  }

  private List<PairedDifference> remove(Predicate<Candidate> condition) {
    List<Candidate> found = candidates.stream().filter(condition).toList();
    found.forEach(candidates::remove);
    return found.stream().map(candidate -> candidate.finding).toList();
  }
}
