package dev.mooring.binder;

import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Records the requeued keys in order. Thread-safe. */
public final class RequeuedKeys implements RequeueTarget {
  private final List<ObjectKey> claims = Collections.synchronizedList(new ArrayList<>());
  private final List<ObjectKey> volumes = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void requeueClaim(ObjectKey claim) {
    claims.add(claim);
  }

  @Override
  public void requeueVolume(ObjectKey volume) {
    volumes.add(volume);
  }

  /** Returns the requeued claims; the caller may remove some. */
  public List<ObjectKey> claims() {
    return claims;
  }

  public List<ObjectKey> volumes() {
    return volumes;
  }
}
