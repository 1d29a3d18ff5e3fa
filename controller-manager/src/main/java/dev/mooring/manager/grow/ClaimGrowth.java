package dev.mooring.manager.grow;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.decide.ResizeConditions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

public record ClaimGrowth(Claim claim, Quantity size) {
  public enum State {
    UNREQUESTED,
    GROWING,
    /** The volume is grown; the kubelet grows the file system when a pod uses the claim. */
    NODE_PENDING,
    GROWN
  }

  private static final Set<String> ERRORS =
      Set.of(ResizeConditions.CONTROLLER_ERROR, "NodeResizeError");
  private static final Set<ResizeState> INFEASIBLE =
      Set.of(ResizeState.CONTROLLER_INFEASIBLE, ResizeState.NODE_INFEASIBLE);

  State state() {
    if (!claim.request().equals(size)) {
      return State.UNREQUESTED;
    }
    // an unbound claim gets a volume of its size
    if (claim.phase() != ClaimPhase.BOUND || claim.status().storage().covers(size)) {
      return State.GROWN;
    }
    return isTarget() && isNodePending() ? State.NODE_PENDING : State.GROWING;
  }

  // the status may still describe an earlier growth
  private boolean isTarget() {
    Quantity allocated = claim.status().resize().allocated();
    return allocated != null && allocated.covers(size);
  }

  private boolean isNodePending() {
    return claim.status().resize().state() == ResizeState.NODE_PENDING
        || claim.status().conditions().stream()
            .anyMatch(condition ->
                condition.type().equals(ResizeConditions.NODE_PENDING)
                    && condition.status().equals("True"));
  }

  private boolean isInfeasible() {
    return INFEASIBLE.contains(claim.status().resize().state());
  }

  /**
   * Returns why the claim cannot grow to the size; empty if nothing prevents it.
   *
   * @param classes classes by name; a class that is not listed is not checked
   */
  Optional<String> problem(Map<String, ReadResult<StorageClass>> classes) {
    String name = "claim " + claim.key();
    if (claim.meta().deleted() != 0) {
      return Optional.of(name + " is being deleted: wait until it is gone");
    }
    int difference = claim.request().compareTo(size);
    if (difference == 0) {
      return infeasible(name);
    }
    if (difference > 0) {
      return tooLarge(name);
    }
    if (claim.phase() != ClaimPhase.BOUND) {
      return Optional.of(
          "%s requests %s and is not Bound, so it cannot grow: wait until it is Bound, or delete it"
              .formatted(name, claim.request()));
    }
    return classProblem(name, classes);
  }

  private Optional<String> infeasible(String name) {
    Quantity allocated = claim.status().resize().allocated();
    if (!isInfeasible()
        || allocated == null
        || !allocated.equals(size)
        || claim.status().storage().covers(size)) {
      return Optional.empty();
    }
    String reason =
        claim.status().conditions().stream()
            .filter(condition -> ERRORS.contains(condition.type()))
            .map(condition -> condition.message().strip())
            .filter(message -> !message.isEmpty())
            .findFirst()
            .orElse("its driver refuses the size");
    return Optional.of(
        "%s cannot grow to %s: %s: specify a smaller --size above %s, or remove the cause and run the command again"
            .formatted(name, size, reason, claim.status().storage()));
  }

  // A refused growth may be reduced, but not below the current capacity.
  private Optional<String> tooLarge(String name) {
    Quantity capacity = claim.status().storage();
    if (isInfeasible()) {
      return size.compareTo(capacity) > 0
          ? Optional.empty()
          : Optional.of(
              "%s has %s, not less than --size %s: specify a larger --size"
                  .formatted(name, capacity, size));
    }
    return Optional.of(
        "%s requests %s, more than --size %s, and claims cannot shrink: specify at least --size %s"
            .formatted(name, claim.request(), size, claim.request()));
  }

  private Optional<String> classProblem(
      String name, Map<String, ReadResult<StorageClass>> classes) {
    String className = claim.className();
    if (className.isEmpty()) {
      return Optional.of(
          name
              + " has no StorageClass, and only a class can allow growth: copy its data to a new claim");
    }
    return switch (classes.get(className)) {
      case ReadResult.Found<StorageClass>(StorageClass found) ->
          found.allowsExpansion()
              ? Optional.empty()
              : Optional.of(
                  "StorageClass %s of %s does not allow growth: set its allowVolumeExpansion to true if the driver can grow volumes"
                      .formatted(className, name));
      case ReadResult.Absent<StorageClass> _ ->
          Optional.of(
              "StorageClass %s of %s does not exist: create it with allowVolumeExpansion: true"
                  .formatted(className, name));
      case ReadResult.Failed<StorageClass> _ -> Optional.empty();
      case null -> Optional.empty();
    };
  }
}
