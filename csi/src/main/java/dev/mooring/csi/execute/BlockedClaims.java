package dev.mooring.csi.execute;

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
 * Claims whose volume cannot be asked for as long as something else is as it is, by what that is.
 * Who waits for the driver is not among them: no change of what a claim rests on ends a back-off
 * that the driver is owed. What an object's change costs does not depend on how many wait for
 * others, and who was woken is not woken again before it was looked at. Thread-safe.
 */
public final class BlockedClaims {
  /** What a claim rests on. */
  public record Input(Kind<?> kind, ObjectKey key) {
    /** A node, with the drivers that run there. */
    public static Input node(String name) {
      return new Input(Kind.NODE, ObjectKey.cluster(name));
    }

    /** Whichever node is the first. */
    public static Input anyNode() {
      return node("");
    }

    /** What a volume is filled from. */
    public static Input of(CloneSource source) {
      return switch (source.type()) {
        case CLAIM -> new Input(Kind.CLAIM, source.key());
        case SNAPSHOT -> new Input(Kind.SNAPSHOT, source.key());
      };
    }

    /** The objects of the kind in a namespace, whichever they are. */
    public static Input in(Kind<?> kind, String namespace) {
      return new Input(kind, ObjectKey.of(namespace, ""));
    }
  }

  /** A look at what a claim's volume is to be asked for. */
  private static final class Look {
    private final ClaimRef claim;
    private final Set<Input> inputs = new HashSet<>();
    private boolean over;
    private boolean changed; // since it has begun: what it saw may be past

    Look(ClaimRef claim) {
      this.claim = claim;
    }
  }

  private final Map<Uid, Look> looks = new HashMap<>(); // by claim
  private final Map<Input, Set<Look>> byInput = new HashMap<>(); // in the order in which they came
  private volatile Consumer<ClaimRef> wake = claim -> {};

  /** Nobody waits. */
  public BlockedClaims() {}

  /** From now on that is called for claims that may wait in vain; it is quick. */
  public void onChange(Consumer<ClaimRef> listener) {
    wake = listener;
  }

  /** Finds out what is to be done about an order. */
  @FunctionalInterface
  interface Planning {
    /** Does so. */
    Plan plan() throws InterruptedException;
  }

  /** Who cannot be planned for waits for what that rested on. */
  Plan during(Order order, Planning planning) throws InterruptedException {
    Claim claim = order.claim();
    begins(claim);
    restsOn(claim, new Input(Kind.STORAGE_CLASS, order.storageClass().key()));
    boolean waits = true; // for an error as well
    try {
      Plan plan = planning.plan();
      waits =
          switch (plan) {
            case Plan.Not _, Plan.Unknown _ -> true;
            case Plan.Ask _, Plan.Left _, Plan.Never _ -> false;
          };
      return plan;
    } finally {
      if (waits) {
        waits(claim);
      } else {
        ends(claim.meta().uid());
      }
    }
  }

  private synchronized void begins(Claim claim) {
    ends(claim.meta().uid());
    looks.put(claim.meta().uid(), new Look(new ClaimRef(claim.key(), claim.meta().uid())));
  }

  /** That depends on this, which is read afterwards: so that no change of it is missed. */
  synchronized void restsOn(Claim claim, Input input) {
    Look look = looks.get(claim.meta().uid());
    if (look != null && look.inputs.add(input)) {
      byInput.computeIfAbsent(input, i -> new LinkedHashSet<>()).add(look);
    }
  }

  /** That is as it has to be: no other change of it is waited for. */
  synchronized void restsNoMoreOn(Claim claim, Input input) {
    Look look = looks.get(claim.meta().uid());
    if (look != null && look.inputs.remove(input)) {
      remove(look, input);
    }
  }

  private void remove(Look look, Input input) {
    byInput.computeIfPresent(
        input,
        (i, all) -> {
          all.remove(look);
          return all.isEmpty() ? null : all;
        });
  }

  /** It cannot be asked for. */
  private void waits(Claim claim) {
    ClaimRef again = null;
    synchronized (this) {
      Look look = looks.get(claim.meta().uid());
      if (look != null) {
        look.over = true;
        if (look.changed) {
          ends(claim.meta().uid());
          again = look.claim;
        }
      }
    }
    if (again != null) {
      wake.accept(again);
    }
  }

  /** It waits for nothing of the kind, or is gone. */
  synchronized void ends(Uid claim) {
    Look look = looks.remove(claim);
    if (look != null) {
      look.inputs.forEach(input -> remove(look, input));
    }
  }

  /** It is not as it was: who waits for it is told. */
  public void changed(Input input) {
    List<ClaimRef> told = new ArrayList<>();
    synchronized (this) {
      for (Look look : List.copyOf(byInput.getOrDefault(input, Set.of()))) {
        if (look.over) {
          ends(look.claim.uid());
          told.add(look.claim);
        } else {
          look.changed = true;
        }
      }
    }
    told.forEach(wake);
  }
}
