package dev.mooring.csi.execute;

import dev.mooring.csi.decide.Codes;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How the driver answered, as far as the next request depends on it. Lost with the process: then
 * the driver is asked once more. Thread-safe.
 */
final class ResizeMemory {
  private final Time time;
  private final Duration slowness;
  private final Set<ObjectKey> refusedForGood = ConcurrentHashMap.newKeySet();
  private final Set<Uid> notInUse = ConcurrentHashMap.newKeySet();
  private final Set<Uid> asking = ConcurrentHashMap.newKeySet();
  private final Map<ObjectKey, Long> slow = new ConcurrentHashMap<>();
  private final Map<Uid, String> notAsked = new ConcurrentHashMap<>();

  ResizeMemory(Time time, Duration slowness) {
    this.time = time;
    this.slowness = slowness;
  }

  boolean refusedForGood(Claim claim) {
    return refusedForGood.contains(claim.key());
  }

  /** How much longer the same size is not asked for again; from the third request on. */
  Optional<Duration> pause(Claim claim) {
    Long until = slow.get(claim.key());
    long now = time.nanos();
    if (until != null && until - now > 0) {
      return Optional.of(Duration.ofNanos(until - now));
    }
    if (claim.status().resize().state() == ResizeState.CONTROLLER_INFEASIBLE) {
      slow.put(claim.key(), now + slowness.toNanos());
    } else {
      slow.remove(claim.key());
    }
    return Optional.empty();
  }

  /**
   * The driver was not asked: the API server did not say for what, or a pod uses the volume. No
   * pause begins by that.
   *
   * @return whether it was something else the last time
   */
  boolean isNews(Claim claim, String why) {
    slow.remove(claim.key());
    return !why.equals(notAsked.put(claim.meta().uid(), why));
  }

  /** The API server says what the driver is asked for. */
  void answered(Claim claim) {
    notAsked.remove(claim.meta().uid());
  }

  boolean refusesInUse(Claim claim) {
    return notInUse.contains(claim.meta().uid());
  }

  /** Whether it refuses, or may be about to. */
  boolean mayRefuseInUse(Claim claim) {
    return refusesInUse(claim) || asking.contains(claim.meta().uid());
  }

  /** The driver is asked. */
  void asks(Claim claim) {
    asking.add(claim.meta().uid());
  }

  /**
   * Nobody uses the volume any more: what the driver says to a question that is under way is past.
   *
   * @return whether it matters
   */
  boolean free(Claim claim) {
    boolean asked = asking.remove(claim.meta().uid());
    return notInUse.remove(claim.meta().uid()) || asked;
  }

  /** It may be another driver that answers from now on. */
  void freeAll() {
    asking.clear();
    notInUse.clear();
  }

  void refused(Claim claim, StatusCode code) {
    boolean now = asking.remove(claim.meta().uid());
    Codes.Meaning meaning = Codes.of(Codes.Call.EXPAND, code);
    if (!meaning.isFinal()) {
      refusedForGood.remove(claim.key());
      slow.remove(claim.key());
      return;
    }
    refusedForGood.add(claim.key());
    if (meaning.next() != Codes.Next.SLOWLY) {
      slow.remove(claim.key());
    }
    if (code == StatusCode.FAILED_PRECONDITION && now) {
      notInUse.add(claim.meta().uid());
    }
  }

  void succeeded(Claim claim) {
    free(claim);
    refusedForGood.remove(claim.key());
    slow.remove(claim.key());
  }

  void forget(Claim claim) {
    succeeded(claim);
    notAsked.remove(claim.meta().uid());
  }
}
