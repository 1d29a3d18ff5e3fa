package dev.mooring.csi.state;

import dev.mooring.csi.decide.CloneSource;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Index of claims that cannot be provisioned until one of their inputs changes, by input. Claims
 * that wait for the driver are not included: a change of an input must not shorten a back-off after
 * a driver's error. A change costs only as much as it has dependent claims. A claim that was
 * requeued is requeued again only after its next planning. Thread-safe.
 */
public final class BlockedClaims {
  public record Input(Kind<?> kind, ObjectKey key) {
    public static Input node(String name) {
      return new Input(Kind.NODE, ObjectKey.cluster(name));
    }

    public static Input anyNode() {
      return node("");
    }

    public static Input of(CloneSource source) {
      return switch (source.type()) {
        case CLAIM -> new Input(Kind.CLAIM, source.key());
        case SNAPSHOT -> new Input(Kind.SNAPSHOT, source.key());
      };
    }

    // All objects of the kind in the namespace.
    public static Input allIn(Kind<?> kind, String namespace) {
      return new Input(kind, ObjectKey.of(namespace, ""));
    }
  }

  // One planning of a claim's request.
  private static final class ClaimDependencies {
    private final ClaimRef claim;
    private final Set<Input> inputs = new HashSet<>();
    private boolean isPlanned;
    private boolean hasChangedInput; // since the planning started: it may have read old data

    ClaimDependencies(ClaimRef claim) {
      this.claim = claim;
    }
  }

  private final Map<Uid, ClaimDependencies> dependenciesByClaim = new HashMap<>(); // by claim
  private final Map<Input, Set<ClaimDependencies>> byInput = new HashMap<>(); // in order of arrival
  private volatile Consumer<ClaimRef> requeue = claim -> {};

  // Sets the callback that requeues a claim. It must not block.
  public void onChange(Consumer<ClaimRef> listener) {
    requeue = listener;
  }

  @FunctionalInterface
  public interface PlanFunction {
    Plan plan() throws InterruptedException;
  }

  // Plans an order. If that fails, keeps the inputs that the planning has read, so that their
  // change requeues the claim.
  public Plan planAndTrack(Order order, PlanFunction planning) throws InterruptedException {
    Claim claim = order.claim();
    startPlanning(claim);
    addDependency(claim, new Input(Kind.STORAGE_CLASS, order.storageClass().key()));
    boolean isBlocked = true; // also after an exception
    try {
      Plan plan = planning.plan();
      isBlocked =
          switch (plan) {
            case Plan.Blocked _, Plan.Unknown _, Plan.Conflicted _ -> true;
            case Plan.Ready _, Plan.NotResponsible _, Plan.Impossible _ -> false;
          };
      return plan;
    } finally {
      if (isBlocked) {
        block(claim);
      } else {
        forget(claim.meta().uid());
      }
    }
  }

  private synchronized void startPlanning(Claim claim) {
    forget(claim.meta().uid());
    dependenciesByClaim.put(
        claim.meta().uid(), new ClaimDependencies(new ClaimRef(claim.key(), claim.meta().uid())));
  }

  // Records a dependency. Call it before reading the input, so that no change is missed.
  public synchronized void addDependency(Claim claim, Input input) {
    ClaimDependencies dependencies = dependenciesByClaim.get(claim.meta().uid());
    if (dependencies != null && dependencies.inputs.add(input)) {
      byInput.computeIfAbsent(input, i -> new LinkedHashSet<>()).add(dependencies);
    }
  }

  public synchronized void dropDependency(Claim claim, Input input) {
    ClaimDependencies dependencies = dependenciesByClaim.get(claim.meta().uid());
    if (dependencies != null && dependencies.inputs.remove(input)) {
      unindex(dependencies, input);
    }
  }

  private void unindex(ClaimDependencies dependencies, Input input) {
    byInput.computeIfPresent(
        input,
        (i, claims) -> {
          claims.remove(dependencies);
          return claims.isEmpty() ? null : claims;
        });
  }

  private void block(Claim claim) {
    ClaimRef claimToRequeue = null;
    synchronized (this) {
      ClaimDependencies dependencies = dependenciesByClaim.get(claim.meta().uid());
      if (dependencies != null) {
        dependencies.isPlanned = true;
        if (dependencies.hasChangedInput) {
          forget(claim.meta().uid());
          claimToRequeue = dependencies.claim;
        }
      }
    }
    if (claimToRequeue != null) {
      requeue.accept(claimToRequeue);
    }
  }

  public synchronized void forget(Uid claim) {
    ClaimDependencies dependencies = dependenciesByClaim.remove(claim);
    if (dependencies != null) {
      dependencies.inputs.forEach(input -> unindex(dependencies, input));
    }
  }

  public void inputChanged(Input input) {
    List<ClaimRef> affected = new ArrayList<>();
    synchronized (this) {
      for (ClaimDependencies dependencies : List.copyOf(byInput.getOrDefault(input, Set.of()))) {
        if (dependencies.isPlanned) {
          forget(dependencies.claim.uid());
          affected.add(dependencies.claim);
        } else {
          dependencies.hasChangedInput = true;
        }
      }
    }
    affected.forEach(requeue);
  }
}
