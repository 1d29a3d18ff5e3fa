package dev.mooring.csi.execute;

import dev.mooring.csi.decide.StatusCodeMeanings;
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
 * Remembers the driver's last answers as far as the next request depends on them. After a restart
 * the driver is called once more. Thread-safe.
 */
final class ResizeMemory {
  private final Time time;
  private final Duration slowness;
  private final Set<ObjectKey> finallyRefused = ConcurrentHashMap.newKeySet();
  private final Set<Uid> notInUse = ConcurrentHashMap.newKeySet();
  private final Set<Uid> calling = ConcurrentHashMap.newKeySet();
  private final Map<ObjectKey, Long> slow = new ConcurrentHashMap<>();
  private final Map<Uid, String> notCalled = new ConcurrentHashMap<>();

  ResizeMemory(Time time, Duration slowness) {
    this.time = time;
    this.slowness = slowness;
  }

  boolean finallyRefused(Claim claim) {
    return finallyRefused.contains(claim.key());
  }

  // Returns the remaining pause before the same size is requested again. The pause starts with the
  // third request.
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

  boolean recordNotCalled(Claim claim, String why) {
    slow.remove(claim.key());
    return !why.equals(notCalled.put(claim.meta().uid(), why));
  }

  // The request is known again: the API server answered.
  void requestKnown(Claim claim) {
    notCalled.remove(claim.meta().uid());
  }

  boolean refusesInUse(Claim claim) {
    return notInUse.contains(claim.meta().uid());
  }

  boolean mayRefuseInUse(Claim claim) {
    return refusesInUse(claim) || calling.contains(claim.meta().uid());
  }

  void callStarted(Claim claim) {
    calling.add(claim.meta().uid());
  }

  /**
   * The volume is unused: earlier refusals and running calls no longer matter.
   *
   * @return whether any did
   */
  boolean clearInUse(Claim claim) {
    boolean wasCalling = calling.remove(claim.meta().uid());
    return notInUse.remove(claim.meta().uid()) || wasCalling;
  }

  // Another version of the driver may answer from now on.
  void clearInUse() {
    calling.clear();
    notInUse.clear();
  }

  void refused(Claim claim, StatusCode code) {
    boolean now = calling.remove(claim.meta().uid());
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(StatusCodeMeanings.Call.EXPAND, code);
    if (!meaning.isFinal()) {
      finallyRefused.remove(claim.key());
      slow.remove(claim.key());
      return;
    }
    finallyRefused.add(claim.key());
    if (meaning.next() != StatusCodeMeanings.Next.SLOWLY) {
      slow.remove(claim.key());
    }
    if (code == StatusCode.FAILED_PRECONDITION && now) {
      notInUse.add(claim.meta().uid());
    }
  }

  void succeeded(Claim claim) {
    clearInUse(claim);
    finallyRefused.remove(claim.key());
    slow.remove(claim.key());
  }

  void forget(Claim claim) {
    succeeded(claim);
    notCalled.remove(claim.meta().uid());
  }
}
