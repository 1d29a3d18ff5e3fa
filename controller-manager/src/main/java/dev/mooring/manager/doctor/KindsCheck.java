package dev.mooring.manager.doctor;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRule.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Check of the parts that cannot run because the API server refuses kinds that controllers cache.
 *
 * @param rights rights of the mode
 * @param missing those rights that the user lacks
 */
record KindsCheck(List<RbacRule> rights, List<RbacRule> missing) {
  private static final String CHECK = "kinds";

  // The only purpose of rights that does not name a function.
  private static final String EVERYTHING = "all controllers";

  @FunctionalInterface
  interface ServedKinds {
    boolean isServed(Target resource) throws InterruptedException;
  }

  List<CheckFinding> results(ServedKinds served) throws InterruptedException {
    Map<String, Set<String>> unserved = new TreeMap<>();
    Map<String, Set<String>> forbidden = new TreeMap<>();
    Set<String> kinds = new TreeSet<>();
    for (RbacRule right : rights) {
      String resource = right.target().toString();
      if (isCached(right.target())) {
        kinds.add(resource);
        if (missing.contains(right)) {
          forbidden.computeIfAbsent(resource, r -> new TreeSet<>()).add(right.purpose());
        }
        if (right.verb() == Verb.WATCH && !served.isServed(right.target())) {
          unserved.computeIfAbsent(resource, r -> new TreeSet<>()).add(right.purpose());
        }
      }
    }
    List<CheckFinding> findings = new ArrayList<>();
    if (!forbidden.isEmpty()) {
      findings.add(
          CheckFinding.warn(
              CHECK,
              "without the right to list and watch " + describe(forbidden),
              "the parts start when the right is granted"));
    }
    if (!unserved.isEmpty()) {
      findings.add(CheckFinding.ok(CHECK, "the API server does not serve " + describe(unserved)));
    }
    if (findings.isEmpty()) {
      findings.add(
          CheckFinding.ok(CHECK, "the API server serves the " + kinds.size() + " cached kinds"));
    }
    return findings;
  }

  // Controllers cache a kind if they have the right to watch all its objects.
  private boolean isCached(Target target) {
    return !target.isNamespaced()
        && target.name().isEmpty()
        && rights.stream().anyMatch(r -> r.verb() == Verb.WATCH && r.target().equals(target));
  }

  private static String describe(Map<String, Set<String>> purposesByResource) {
    Set<String> purposes = new TreeSet<>();
    purposesByResource.values().forEach(purposes::addAll);
    purposes.remove(EVERYTHING);
    return purposesByResource.keySet().stream().collect(Collectors.joining(", "))
        + (purposes.isEmpty() ? "" : "; off: " + String.join("; ", purposes));
  }
}
