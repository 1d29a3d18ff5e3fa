package dev.mooring.provisioner.state;

import dev.mooring.cluster.ReportedNotes;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.SeenClaims;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the process remembers about the volumes of one storage and their claims. Thread-safe. */
public final class VolumeMemory {
  private final UnboundVolumes volumes;
  private final SeenClaims claims;
  // storage is deleted, the object is not yet; prevents a second call
  private final Set<Uid> destroyed = ConcurrentHashMap.newKeySet();
  // on other nodes, where volumes stay
  private final Set<Uid> elsewhere = ConcurrentHashMap.newKeySet();
  private final ReportedNotes<Uid> failures = new ReportedNotes<>();

  public VolumeMemory(UnboundVolumes volumes, SeenClaims claims) {
    this.volumes = volumes;
    this.claims = claims;
  }

  public UnboundVolumes volumes() {
    return volumes;
  }

  public SeenClaims claims() {
    return claims;
  }

  public boolean isDestroyed(Volume volume) {
    return destroyed.contains(volume.meta().uid());
  }

  public void addDestroyed(Volume volume) {
    destroyed.add(volume.meta().uid());
  }

  public boolean isElsewhere(Volume volume) {
    return elsewhere.contains(volume.meta().uid());
  }

  public void addElsewhere(Volume volume) {
    elsewhere.add(volume.meta().uid());
  }

  public ReportedNotes<Uid> failures() {
    return failures;
  }

  public void forget(Volume volume) {
    destroyed.remove(volume.meta().uid());
    elsewhere.remove(volume.meta().uid());
    failures.forget(volume.meta().uid());
  }
}
