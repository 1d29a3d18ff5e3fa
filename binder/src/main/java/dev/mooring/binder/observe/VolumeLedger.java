package dev.mooring.binder.observe;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.VolumeCatalogue;
import dev.mooring.binder.decide.VolumeMatcher;
import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who has which volume. Keeps the index that claims are matched with, and hands a volume out
 * together with the decision for it, under one lock: two claims decided at once never get the same
 * one. Whoever writes a volume holds it meanwhile, so that claim and volume workers do not run into
 * each other. Thread-safe.
 *
 * <p>Guarantees: <b>L1</b> a volume is held by one at a time; <b>L2</b> a volume that a claim holds
 * is offered to no other; <b>L3</b> whoever found a volume held is woken when it is released.
 */
public final class VolumeLedger {
  /** What came of a decision. */
  public sealed interface Handed {
    /** The decision; if it is a binding, the volume is held until {@link #release}. */
    record Decided(ClaimDecision decision) implements Handed {}

    /** The volume is being written by somebody else; the claim will be woken. */
    record Busy() implements Handed {}
  }

  private record Size(Quantity storage, long created, String name) implements Comparable<Size> {
    static Size of(Volume volume) {
      return new Size(volume.storage(), volume.meta().created(), volume.meta().name());
    }

    @Override
    public int compareTo(Size other) {
      int bySize = storage.compareTo(other.storage);
      if (bySize != 0) {
        return bySize;
      }
      int byAge = Long.compare(created, other.created);
      return byAge != 0 ? byAge : name.compareTo(other.name);
    }
  }

  private static final int SAMPLE = 500;

  private final boolean likeKubernetes;
  private final Consumer<ObjectKey> wakeClaim;
  private final Consumer<ObjectKey> wakeVolume;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Volume> byName = new HashMap<>();
  private final Map<VolumeCatalogue.Shelf, TreeMap<Size, Volume>> shelves = new HashMap<>();
  private final Map<ObjectKey, TreeMap<Size, Volume>> reserved = new HashMap<>();
  private final Set<String> heldByClaim = new HashSet<>();
  private final Set<String> heldByVolume = new HashSet<>();
  private final Map<String, Set<ObjectKey>> waitingForHold = new HashMap<>();
  private final WaitingClaims waiting = new WaitingClaims();
  private final Rivals rivals = new Rivals();
  private final Catalogue catalogue = new Catalogue();

  /**
   * Empty.
   *
   * @param wakeClaim called with the key of a claim that should be looked at; must be quick
   * @param wakeVolume called with the key of a volume that should be looked at; must be quick
   * @param likeKubernetes whether a claimRef that names nobody takes a volume out of service, and
   *     one that has no phase yet is not to be had
   */
  public VolumeLedger(
      Consumer<ObjectKey> wakeClaim, Consumer<ObjectKey> wakeVolume, boolean likeKubernetes) {
    this.likeKubernetes = likeKubernetes;
    this.wakeClaim = wakeClaim;
    this.wakeVolume = wakeVolume;
  }

  /** A volume came, changed or went. Wakes the claims that it concerns. */
  public void observed(Change<Volume> change) {
    List<ObjectKey> toWake = new ArrayList<>();
    lock.lock();
    try {
      Volume before = byName.remove(change.key().name());
      if (before != null) {
        unshelve(before);
      }
      switch (change) {
        case Change.Added<Volume>(Volume now) -> enter(now, toWake);
        case Change.Updated<Volume>(Volume old, Volume now) -> {
          enter(now, toWake);
          if (old.claimRef() != null && !old.claimRef().equals(now.claimRef())) {
            toWake.add(old.claimRef().claim()); // it has lost the volume, or a reservation
          }
        }
        case Change.Deleted<Volume>(Volume last) -> {
          if (last.claimRef() != null) {
            toWake.add(last.claimRef().claim());
          }
        }
      }
    } finally {
      lock.unlock();
    }
    toWake.forEach(wakeClaim);
  }

  private void enter(Volume now, List<ObjectKey> toWake) {
    byName.put(now.meta().name(), now);
    ClaimRef holder = holder(now);
    if (holder != null) {
      reserved.computeIfAbsent(holder.claim(), k -> new TreeMap<>()).put(Size.of(now), now);
      if (waiting.contains(holder.claim())) {
        toWake.add(holder.claim());
      }
    } else if (isFree(now)) {
      shelves.computeIfAbsent(shelf(now), s -> new TreeMap<>()).put(Size.of(now), now);
      toWake.addAll(waiting.thatWouldTake(now));
    }
    toWake.addAll(waiting.thatName(now.meta().name()));
  }

  /** Whom the volume is reserved for; null for nobody. */
  private @Nullable ClaimRef holder(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.isEmpty() && !likeKubernetes ? null : ref;
  }

  /** A volume that nobody has looked at yet is as good as an Available one. */
  private boolean hasPhaseOfFree(Volume volume) {
    return switch (volume.phase()) {
      case AVAILABLE -> true;
      case UNSET, PENDING -> !likeKubernetes;
      case BOUND, RELEASED, FAILED -> false;
    };
  }

  private boolean isFree(Volume volume) {
    return holder(volume) == null && hasPhaseOfFree(volume) && !volume.meta().isBeingDeleted();
  }

  private static VolumeCatalogue.Shelf shelf(Volume volume) {
    return new VolumeCatalogue.Shelf(
        volume.storageClass(),
        volume.volumeMode(),
        volume.attributesClass(),
        volume.accessModes().mask());
  }

  private void unshelve(Volume volume) {
    ClaimRef holder = holder(volume);
    if (holder != null) {
      drop(reserved, holder.claim(), volume);
    } else if (isFree(volume)) {
      drop(shelves, shelf(volume), volume);
    }
  }

  private static <K> void drop(Map<K, TreeMap<Size, Volume>> from, K key, Volume volume) {
    TreeMap<Size, Volume> present = from.get(key);
    if (present != null) {
      present.remove(Size.of(volume));
      if (present.isEmpty()) {
        from.remove(key);
      }
    }
  }

  /**
   * Decides for a claim and takes hold of the volume that the decision binds it to, in one step
   * (L2). A claim that is left waiting is noted, to be woken by what it waits for.
   */
  public Handed decide(WaitingClaims.Wish wish, Function<VolumeCatalogue, ClaimDecision> decider) {
    lock.lock();
    try {
      ClaimDecision decision = decider.apply(catalogue);
      if (decision instanceof ClaimDecision.Bind(Volume volume)) {
        String name = volume.meta().name();
        if (heldByClaim.contains(name) || heldByVolume.contains(name)) {
          waitingForHold.computeIfAbsent(name, n -> new HashSet<>()).add(wish.claim());
          return new Handed.Busy();
        }
        heldByClaim.add(name);
        waiting.remove(wish.claim());
        rivals.remove(wish.claim());
      } else {
        waiting.put(wish);
      }
      return new Handed.Decided(decision);
    } finally {
      lock.unlock();
    }
  }

  /** A claim's binding is over, well or not: the volume is to be had again (L3), and looked at. */
  public void release(String volume) {
    List<ObjectKey> toWake;
    lock.lock();
    try {
      heldByClaim.remove(volume);
      toWake = takeWaiting(volume);
    } finally {
      lock.unlock();
    }
    toWake.forEach(wakeClaim);
    wakeVolume.accept(ObjectKey.cluster(volume));
  }

  private List<ObjectKey> takeWaiting(String volume) {
    Set<ObjectKey> keys = waitingForHold.remove(volume);
    return keys == null ? List.of() : List.copyOf(keys);
  }

  /**
   * Takes hold of a volume in order to write it for its own sake; false if a claim is being bound
   * to it, whose end wakes the volume.
   */
  public boolean hold(String volume) {
    lock.lock();
    try {
      return !heldByClaim.contains(volume) && heldByVolume.add(volume);
    } finally {
      lock.unlock();
    }
  }

  /** Ends {@link #hold}. */
  public void unhold(String volume) {
    List<ObjectKey> toWake;
    lock.lock();
    try {
      heldByVolume.remove(volume);
      toWake = takeWaiting(volume);
    } finally {
      lock.unlock();
    }
    toWake.forEach(wakeClaim);
  }

  /** Looks at the volumes, which do not change meanwhile. */
  public <T> T look(Function<VolumeCatalogue, T> eyes) {
    lock.lock();
    try {
      return eyes.apply(catalogue);
    } finally {
      lock.unlock();
    }
  }

  /** A claim came or changed: if it needs a volume, others leave it one while it waits its turn. */
  public void observedClaim(Claim claim) {
    if (likeKubernetes) {
      return;
    }
    lock.lock();
    try {
      rivals.observed(claim);
    } finally {
      lock.unlock();
    }
  }

  /** The claim is gone. The volumes that name it should be looked at. */
  public List<ObjectKey> claimGone(ObjectKey claim) {
    lock.lock();
    try {
      waiting.remove(claim);
      rivals.remove(claim);
      return volumesOf(claim);
    } finally {
      lock.unlock();
    }
  }

  /** The volumes that name the claim. */
  public List<ObjectKey> volumesOf(ObjectKey claim) {
    lock.lock();
    try {
      TreeMap<Size, Volume> named = reserved.get(claim);
      return named == null ? List.of() : named.values().stream().map(Volume::key).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the claim waits for something. */
  public boolean isWaiting(ObjectKey claim) {
    lock.lock();
    try {
      return waiting.contains(claim);
    } finally {
      lock.unlock();
    }
  }

  /** The claims that wait for that class, or for any class to become the default. */
  public List<ObjectKey> waitingForClass(String className) {
    lock.lock();
    try {
      return waiting.ofClass(className);
    } finally {
      lock.unlock();
    }
  }

  /** The index; only to be read under the lock. */
  private final class Catalogue implements VolumeCatalogue, Rivals.Market {
    @Override
    public Optional<Volume> find(String name) {
      return Optional.ofNullable(byName.get(name));
    }

    @Override
    public Iterable<Volume> reservedFor(ObjectKey claim) {
      TreeMap<Size, Volume> present = reserved.get(claim);
      return present == null ? List.of() : present.values();
    }

    @Override
    public Iterator<Volume> free(Shelf shelf, Quantity atLeast) {
      TreeMap<Size, Volume> present = shelves.get(shelf);
      if (present == null) {
        return Collections.emptyIterator();
      }
      return new Unheld(
          present.tailMap(new Size(atLeast, Long.MIN_VALUE, ""), true).values().iterator());
    }

    @Override
    public boolean isContested(Claim claim) {
      return rivals.compete(claim);
    }

    @Override
    public Optional<Volume> spared(Claim claim) {
      return rivals.spared(claim, this);
    }

    @Override
    public Iterator<Volume> suitable(Claim claim) {
      return new Suitable(claim, this);
    }

    @Override
    public Iterator<Volume> inOrder(Claim claim) {
      return VolumeMatcher.inOrder(claim, this);
    }

    @Override
    public boolean isFree(Volume volume) {
      String name = volume.meta().name();
      return volume.equals(byName.get(name)) && !heldByClaim.contains(name);
    }

    @Override
    public boolean hasReservation(ObjectKey claim) {
      return reserved.containsKey(claim);
    }

    @Override
    public Iterable<Volume> sample() {
      return byName.size() <= SAMPLE
          ? byName.values()
          : byName.values().stream().limit(SAMPLE).toList();
    }
  }

  private final class Unheld extends LookingAhead<Volume> {
    private final Iterator<Volume> all;

    Unheld(Iterator<Volume> all) {
      this.all = all;
    }

    @Override
    @Nullable Volume look() {
      while (all.hasNext()) {
        Volume candidate = all.next();
        if (!heldByClaim.contains(candidate.meta().name())) {
          return candidate;
        }
      }
      return null;
    }
  }
}
