package dev.mooring.reconcile;

import dev.mooring.informer.ListRefusal;
import dev.mooring.informer.ListRefusal.Cause;
import dev.mooring.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A controller, or an optional part of one, that does not run because the API server refuses kinds
 * that it reads. It starts as soon as every kind has been listed.
 *
 * @param name name of the controller or part
 * @param kinds refused kinds, at least one
 */
public record StoppedPart(String name, List<RefusedKind> kinds) {
  public StoppedPart {
    kinds = List.copyOf(kinds);
  }

  public record RefusedKind(Kind<?> kind, ListRefusal refusal) {
    private String resource() {
      return kind.plural() + (kind.group().isEmpty() ? "" : "." + kind.group());
    }
  }

  // Otherwise the API server does not serve the kinds.
  public boolean lacksRights() {
    return !resources(Cause.FORBIDDEN).isEmpty();
  }

  public String describe() {
    List<String> reasons = new ArrayList<>();
    String forbidden = resources(Cause.FORBIDDEN);
    if (!forbidden.isEmpty()) {
      reasons.add("no right to list and watch " + forbidden);
    }
    String unserved = resources(Cause.NOT_SERVED);
    if (!unserved.isEmpty()) {
      reasons.add("the API server does not serve " + unserved);
    }
    return name + " does not run: " + String.join(", and ", reasons);
  }

  String remedy() {
    return lacksRights()
        ? "it starts when the right is granted; 'mooring rights' with the flags of this run prints the roles"
        : "it starts when the API server serves the kind";
  }

  private String resources(Cause cause) {
    return kinds.stream()
        .filter(kind -> kind.refusal().cause() == cause)
        .map(RefusedKind::resource)
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
