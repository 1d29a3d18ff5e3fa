package dev.mooring.provisioner.state;

import dev.mooring.cluster.ReportedNotes;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.ObservedClaims;
import dev.mooring.storage.ProtectionHandover;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the process remembers about the volumes of one storage and their claims. Thread-safe. */
public final class VolumeMemory {
  private final UnboundVolumes unboundVolumes;
  private final ObservedClaims claims;
  private final ProtectionHandover handover;
  // storage is deleted, the object is not yet; prevents a second call
  private final Set<Uid> destroyed = ConcurrentHashMap.newKeySet();
  // on other nodes, where volumes stay
  private final Set<Uid> volumesElsewhere = ConcurrentHashMap.newKeySet();
  private final FailedAttempts failedAttempts;
  private final ReportedNotes<Uid> failures = new ReportedNotes<>();

  /**
   * Creates a memory.
   *
   * @param threshold number of retries of failed deletions; 0 = unlimited
   */
  public VolumeMemory(
      UnboundVolumes unboundVolumes,
      ObservedClaims claims,
      ProtectionHandover handover,
      int threshold) {
    this.failedAttempts = new FailedAttempts(threshold);
    this.unboundVolumes = unboundVolumes;
    this.claims = claims;
    this.handover = handover;
  }

  public UnboundVolumes unboundVolumes() {
    return unboundVolumes;
  }

  public ObservedClaims claims() {
    return claims;
  }

  public ProtectionHandover handover() {
    return handover;
  }

  public boolean isDestroyed(Volume volume) {
    return destroyed.contains(volume.meta().uid());
  }

  public void addDestroyed(Volume volume) {
    destroyed.add(volume.meta().uid());
  }

  public boolean isElsewhere(Volume volume) {
    return volumesElsewhere.contains(volume.meta().uid());
  }

  public void addElsewhere(Volume volume) {
    volumesElsewhere.add(volume.meta().uid());
  }

  public FailedAttempts failedAttempts() {
    return failedAttempts;
  }

  public ReportedNotes<Uid> failures() {
    return failures;
  }

  public void forget(Volume volume) {
    destroyed.remove(volume.meta().uid());
    volumesElsewhere.remove(volume.meta().uid());
    failedAttempts.forget(volume.meta().uid());
    failures.forget(volume.meta().uid());
  }
}
