package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.WaitingCondition;
import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeDocuments;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.Condemnation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a binding in order: volume, claim, the volume's status, the claim's status. It skips
 * writes that change nothing, so the same code completes a binding after a crash. The claim names
 * the volume before the volume is Bound. So a volume that was never Bound was never used, whatever
 * its claimRef contains.
 */
final class BindingWriter {
  private final ClusterWriter writer;
  private final BinderReporter reporter;
  private final SavedVolumes savedVolumes;

  /**
   * Creates the writer.
   *
   * @param savedVolumes claims whose volume a provisioner of this process has saved
   */
  BindingWriter(ClusterWriter writer, BinderReporter reporter, SavedVolumes savedVolumes) {
    this.writer = writer;
    this.reporter = reporter;
    this.savedVolumes = savedVolumes;
  }

  Outcome write(Claim claim, Volume volume) throws InterruptedException {
    boolean wasBound = claim.phase() == ClaimPhase.BOUND;
    WriteResult<Volume> claimRefResult = writeClaimRef(claim, volume);
    if (!(claimRefResult instanceof WriteResult.Written<Volume>(Volume referringVolume))) {
      return WriteOutcomes.outcome("binding volume " + volume.meta().name(), claimRefResult);
    }
    WriteResult<Claim> volumeNameResult = writeVolumeName(claim, referringVolume);
    if (!(volumeNameResult instanceof WriteResult.Written<Claim>(Claim namingClaim))) {
      return WriteOutcomes.outcome("binding claim " + claim.key(), volumeNameResult);
    }
    WriteResult<Volume> phaseResult = writePhase(referringVolume, VolumePhase.BOUND, "");
    if (!(phaseResult instanceof WriteResult.Written<Volume>(Volume boundVolume))) {
      return WriteOutcomes.outcome("binding volume " + volume.meta().name(), phaseResult);
    }
    if (namingClaim.phase() != ClaimPhase.BOUND && !boundVolume.capacity().containsKey("storage")) {
      return new Outcome.Retry(
          new Failure.Rejected(
              "PersistentVolume \""
                  + boundVolume.meta().name()
                  + "\" is without a storage capacity"));
    }
    WriteResult<Claim> statusResult = writeStatus(namingClaim, boundVolume);
    if (!(statusResult instanceof WriteResult.Written<Claim>(Claim boundClaim))) {
      return WriteOutcomes.outcome("binding claim " + claim.key(), statusResult);
    }
    if (!wasBound) {
      reporter.reportBound(boundClaim, boundVolume);
    }
    return Outcome.SETTLED;
  }

  private WriteResult<Volume> writeClaimRef(Claim claim, Volume volume)
      throws InterruptedException {
    ClaimRef ref = volume.claimRef();
    if (ref != null && ref.claim().equals(claim.key()) && ref.uid().equals(claim.meta().uid())) {
      return new WriteResult.Written<>(volume);
    }
    Document patch = VolumeDocuments.setClaimRef(claim, Document.patchOf(volume.meta()));
    boolean reservedByUser = ref != null && ref.isFor(claim.key(), claim.meta().uid());
    if (!reservedByUser && !volume.meta().hasAnnotation(BinderMarks.BOUND_BY_CONTROLLER)) {
      patch.set("yes", "metadata", "annotations", BinderMarks.BOUND_BY_CONTROLLER);
    }
    return writer.patch(Kind.VOLUME, volume.key(), patch);
  }

  WriteResult<Volume> writePhase(Volume volume, VolumePhase phase, String message)
      throws InterruptedException {
    if (volume.phase() == phase) {
      return new WriteResult.Written<>(volume);
    }
    Document patch =
        Document.patchOf(volume.meta())
            .set(phase.toString(), "status", "phase")
            .set(message.isEmpty() ? null : message, "status", "message");
    return writer.patchStatus(Kind.VOLUME, volume.key(), patch);
  }

  private WriteResult<Claim> writeVolumeName(Claim claim, Volume volume)
      throws InterruptedException {
    boolean namesOtherVolume = !claim.volumeName().equals(volume.meta().name());
    boolean isComplete = claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED);
    if (!namesOtherVolume && isComplete) {
      return new WriteResult.Written<>(claim);
    }
    Document patch = Document.patchOf(claim.meta());
    if (namesOtherVolume) {
      patch.set(volume.meta().name(), "spec", "volumeName");
      if (!claim.meta().hasAnnotation(BinderMarks.BOUND_BY_CONTROLLER)) {
        patch.set("yes", "metadata", "annotations", BinderMarks.BOUND_BY_CONTROLLER);
      }
    }
    if (!isComplete) {
      patch.set("yes", "metadata", "annotations", BinderMarks.BIND_COMPLETED);
    }
    if (ProvisionerMark.isMissing(claim, volume)) { // also if another process provisioned it
      ProvisionerMark.set(volume.meta().annotation(BinderMarks.PROVISIONED_BY), patch);
    }
    if (isProvisionedHere(claim, volume)) { // saves a write
      patch.set(claim.meta().finalizersWithout(VolumeService.BEING_MADE), "metadata", "finalizers");
      patch.set(null, "metadata", "annotations", VolumeService.BEING_MADE_BY);
    }
    return writer.patch(Kind.CLAIM, claim.key(), patch);
  }

  private boolean isProvisionedHere(Claim claim, Volume volume) {
    return savedVolumes.contains(claim.meta().uid())
        && claim.meta().finalizers().contains(VolumeService.BEING_MADE)
        && volume.meta().hasAnnotation(BinderMarks.PROVISIONED_BY)
        && volume.meta().name().endsWith("-" + claim.meta().uid());
  }

  private WriteResult<Claim> writeStatus(Claim claim, Volume volume) throws InterruptedException {
    Document patch = Document.patchOf(claim.meta());
    boolean isChanged = false;
    if (!claim.status().accessModes().equals(volume.accessModes().written())) {
      patch.set(volume.accessModes().written(), "status", "accessModes");
      isChanged = true;
    }
    if (claim.phase() != ClaimPhase.BOUND) {
      patch.set("Bound", "status", "phase");
      Map<String, String> capacity = newCapacity(claim, volume);
      if (capacity != null) {
        replaceCapacity(claim, capacity, patch);
      }
      if (claim.phase() != ClaimPhase.LOST
          && !claim.status().attributesClass().equals(volume.attributesClass())) {
        patch.set(
            volume.attributesClass().isEmpty() ? null : volume.attributesClass(),
            "status",
            "currentVolumeAttributesClassName");
      }
      if (WaitingCondition.hasCondition(claim)) { // saves a write
        ClaimConditions.set(patch, WaitingCondition.otherConditions(claim));
      }
      isChanged = true;
    }
    return isChanged
        ? writer.patchStatus(Kind.CLAIM, claim.key(), patch)
        : new WriteResult.Written<>(claim);
  }

  // Returns the capacity for the claim's status; null to leave it as it is.
  private static @Nullable Map<String, String> newCapacity(Claim claim, Volume volume) {
    String preResizeCapacity = volume.meta().annotation(BinderMarks.PRE_RESIZE_CAPACITY);
    Quantity storage = volume.storage();
    Map<String, String> capacity = new LinkedHashMap<>();
    if (volume.meta().hasAnnotation(BinderMarks.PRE_RESIZE_CAPACITY)) {
      claim
          .status()
          .capacity()
          .forEach((resource, amount) -> capacity.put(resource, amount.toString()));
      capacity.put(
          "storage",
          Quantity.parse(preResizeCapacity).map(Quantity::toString).orElse(storage.toString()));
      return capacity;
    }
    if (Objects.equals(claim.status().capacity().get("storage"), storage)) {
      return null;
    }
    volume.capacity().forEach((resource, amount) -> capacity.put(resource, amount.toString()));
    return capacity;
  }

  private static void replaceCapacity(Claim claim, Map<String, String> capacity, Document patch) {
    claim.status().capacity().keySet().stream()
        .filter(old -> !capacity.containsKey(old))
        .forEach(old -> patch.set(null, "status", "capacity", old));
    capacity.forEach((resource, amount) -> patch.set(amount, "status", "capacity", resource));
  }

  Outcome unbind(Volume volume) throws InterruptedException {
    Document patch = Document.patchOf(volume.meta());
    if (volume.meta().hasAnnotation(BinderMarks.BOUND_BY_CONTROLLER)) {
      patch
          .set(null, "spec", "claimRef")
          .set(null, "metadata", "annotations", BinderMarks.BOUND_BY_CONTROLLER);
    } else {
      patch.set(null, "spec", "claimRef", "uid");
    }
    if (volume.meta().hasAnnotation(Condemnation.UNTIL)) { // else an undo would find no data
      Condemnation.ANNOTATIONS.forEach(name -> patch.set(null, "metadata", "annotations", name));
    }
    WriteResult<Volume> result = writer.patch(Kind.VOLUME, volume.key(), patch);
    if (!(result instanceof WriteResult.Written<Volume>(Volume unbound))) {
      return WriteOutcomes.outcome("unbinding volume " + volume.meta().name(), result);
    }
    return WriteOutcomes.outcome(
        "setting volume " + volume.meta().name() + " Available",
        writePhase(unbound, VolumePhase.AVAILABLE, ""));
  }
}
