package dev.mooring.csi.state;

import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
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
public final class ResizeMemory {
  private final Time time;
  private final Duration slowness;
  private final boolean waitsWhileInUse;
  private final Set<Uid> finallyRefused = ConcurrentHashMap.newKeySet();
  private final Set<Uid> notInUse = ConcurrentHashMap.newKeySet();
  private final Set<Uid> calling = ConcurrentHashMap.newKeySet();
  private final Map<Uid, Long> slow = new ConcurrentHashMap<>();
  private final Map<Uid, String> notCalled = new ConcurrentHashMap<>();

  /**
   * @param slowness pause after a request that cannot succeed unchanged
   * @param waitsWhileInUse whether growth waits until the volume is unused, if the driver refused
   */
  public ResizeMemory(Time time, Duration slowness, boolean waitsWhileInUse) {
    this.time = time;
    this.slowness = slowness;
    this.waitsWhileInUse = waitsWhileInUse;
  }

  public Duration slowness() {
    return slowness;
  }

  public boolean finallyRefused(Claim claim) {
    return finallyRefused.contains(claim.meta().uid());
  }

  // Returns the remaining pause before the same size is requested again. The pause starts with the
  // third request.
  public Optional<Duration> pause(Claim claim) {
    Long until = slow.get(claim.meta().uid());
    long now = time.nanos();
    if (until != null && until - now > 0) {
      return Optional.of(Duration.ofNanos(until - now));
    }
    if (claim.status().resize().state() == ResizeState.CONTROLLER_INFEASIBLE) {
      slow.put(claim.meta().uid(), now + slowness.toNanos());
    } else {
      slow.remove(claim.meta().uid());
    }
    return Optional.empty();
  }

  public boolean recordNotCalled(Claim claim, String why) {
    slow.remove(claim.meta().uid());
    return !why.equals(notCalled.put(claim.meta().uid(), why));
  }

  // The request is known again: the API server answered.
  public void requestKnown(Claim claim) {
    notCalled.remove(claim.meta().uid());
  }

  public boolean refusesInUse(Claim claim) {
    return notInUse.contains(claim.meta().uid());
  }

  public boolean mayRefuseInUse(Claim claim) {
    return refusesInUse(claim) || calling.contains(claim.meta().uid());
  }

  public void callStarted(Claim claim) {
    if (waitsWhileInUse) {
      calling.add(claim.meta().uid());
    }
  }

  /**
   * The volume is unused: earlier refusals and running calls no longer matter.
   *
   * @return whether any did
   */
  public boolean clearInUse(Claim claim) {
    boolean wasCalling = calling.remove(claim.meta().uid());
    return notInUse.remove(claim.meta().uid()) || wasCalling;
  }

  // Another version of the driver may answer from now on.
  public void clearInUse() {
    calling.clear();
    notInUse.clear();
  }

  public void refused(Claim claim, StatusCode code) {
    boolean now = calling.remove(claim.meta().uid());
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(StatusCodeMeanings.Call.EXPAND, code);
    if (!meaning.isFinal()) {
      finallyRefused.remove(claim.meta().uid());
      slow.remove(claim.meta().uid());
      return;
    }
    finallyRefused.add(claim.meta().uid());
    if (meaning.next() != StatusCodeMeanings.Next.SLOWLY) {
      slow.remove(claim.meta().uid());
    }
    if (code == StatusCode.FAILED_PRECONDITION && now) {
      notInUse.add(claim.meta().uid());
    }
  }

  public void succeeded(Claim claim) {
    clearInUse(claim);
    finallyRefused.remove(claim.meta().uid());
    slow.remove(claim.meta().uid());
  }

  public void forget(Claim claim) {
    succeeded(claim);
    notCalled.remove(claim.meta().uid());
  }
}
