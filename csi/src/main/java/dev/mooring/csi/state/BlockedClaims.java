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
    public static Input in(Kind<?> kind, String namespace) {
      return new Input(kind, ObjectKey.of(namespace, ""));
    }
  }

  // One planning of a claim's request.
  private static final class ClaimDependencies {
    private final ClaimRef claim;
    private final Set<Input> inputs = new HashSet<>();
    private boolean isPlanned;
    private boolean changed; // since the planning started: it may have read old data

    ClaimDependencies(ClaimRef claim) {
      this.claim = claim;
    }
  }

  private final Map<Uid, ClaimDependencies> entries = new HashMap<>(); // by claim
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
    begin(claim);
    dependsOn(claim, new Input(Kind.STORAGE_CLASS, order.storageClass().key()));
    boolean blocked = true; // also after an exception
    try {
      Plan plan = planning.plan();
      blocked =
          switch (plan) {
            case Plan.Not _, Plan.Unknown _ -> true;
            case Plan.Ask _, Plan.Left _, Plan.Never _ -> false;
          };
      return plan;
    } finally {
      if (blocked) {
        block(claim);
      } else {
        forget(claim.meta().uid());
      }
    }
  }

  private synchronized void begin(Claim claim) {
    forget(claim.meta().uid());
    entries.put(
        claim.meta().uid(), new ClaimDependencies(new ClaimRef(claim.key(), claim.meta().uid())));
  }

  // Records a dependency. Call it before reading the input, so that no change is missed.
  public synchronized void dependsOn(Claim claim, Input input) {
    ClaimDependencies entry = entries.get(claim.meta().uid());
    if (entry != null && entry.inputs.add(input)) {
      byInput.computeIfAbsent(input, i -> new LinkedHashSet<>()).add(entry);
    }
  }

  public synchronized void dropDependency(Claim claim, Input input) {
    ClaimDependencies entry = entries.get(claim.meta().uid());
    if (entry != null && entry.inputs.remove(input)) {
      unindex(entry, input);
    }
  }

  private void unindex(ClaimDependencies entry, Input input) {
    byInput.computeIfPresent(
        input,
        (i, all) -> {
          all.remove(entry);
          return all.isEmpty() ? null : all;
        });
  }

  private void block(Claim claim) {
    ClaimRef requeued = null;
    synchronized (this) {
      ClaimDependencies entry = entries.get(claim.meta().uid());
      if (entry != null) {
        entry.isPlanned = true;
        if (entry.changed) {
          forget(claim.meta().uid());
          requeued = entry.claim;
        }
      }
    }
    if (requeued != null) {
      requeue.accept(requeued);
    }
  }

  public synchronized void forget(Uid claim) {
    ClaimDependencies entry = entries.remove(claim);
    if (entry != null) {
      entry.inputs.forEach(input -> unindex(entry, input));
    }
  }

  public void changed(Input input) {
    List<ClaimRef> affected = new ArrayList<>();
    synchronized (this) {
      for (ClaimDependencies entry : List.copyOf(byInput.getOrDefault(input, Set.of()))) {
        if (entry.isPlanned) {
          forget(entry.claim.uid());
          affected.add(entry.claim);
        } else {
          entry.changed = true;
        }
      }
    }
    affected.forEach(requeue);
  }
}
