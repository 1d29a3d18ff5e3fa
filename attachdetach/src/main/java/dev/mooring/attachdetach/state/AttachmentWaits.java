package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Operations that wait for changes of VolumeAttachments. Thread-safe. */
public final class AttachmentWaits {
  private final Time time;
  private final Map<ObjectKey, Time.Signal> signals = new ConcurrentHashMap<>();

  // attachments that this process created, that are not attached yet, and that it never deleted
  private final Map<ObjectKey, Uid> createdUids = new ConcurrentHashMap<>();

  // attachments that are being deleted, and the attach that waits for each deletion
  private final Map<ObjectKey, VolumeNode> deletionWaits = new ConcurrentHashMap<>();

  private final AtomicInteger waiters = new AtomicInteger();

  public AttachmentWaits(Time time) {
    this.time = time;
  }

  // Wakes the operation that waits for a change of the attachment.
  public void signalChange(ObjectKey key) {
    Time.Signal signal = signals.get(key);
    if (signal != null) {
      signal.raise();
    }
  }

  /**
   * Forgets a deleted attachment.
   *
   * @return the attach that waited for the deletion; null if there is none
   */
  public @Nullable VolumeNode removeDeleted(ObjectKey key) {
    createdUids.remove(key);
    return deletionWaits.remove(key);
  }

  /**
   * Blocks until the condition holds. Changes of the attachment wake the caller.
   *
   * @return false after the maximum time
   */
  public boolean await(ObjectKey key, BooleanSupplier condition, Duration timeout)
      throws InterruptedException {
    Time.Signal signal = signals.computeIfAbsent(key, k -> time.newSignal());
    waiters.incrementAndGet();
    try {
      return signal.await(condition, timeout);
    } finally {
      waiters.decrementAndGet();
      signals.remove(key, signal);
    }
  }

  public int waiters() {
    return waiters.get();
  }

  public void awaitDeletion(ObjectKey key, VolumeNode attach) {
    deletionWaits.put(key, attach);
  }

  // Ends the wait for a deletion; returns false if the deletion has ended it before.
  public boolean endDeletionWait(ObjectKey key) {
    return deletionWaits.remove(key) != null;
  }

  public void addCreated(ObjectKey key, Uid uid) {
    createdUids.put(key, uid);
  }

  public void removeCreated(ObjectKey key) {
    createdUids.remove(key);
  }

  // Removes the attachment; returns whether this process created it and never deleted it.
  public boolean removeCreated(ObjectKey key, Uid uid) {
    return createdUids.remove(key, uid);
  }
}
