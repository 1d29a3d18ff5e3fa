package dev.mooring.snapshots.decide;

import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.model.migration.DriverVolumes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides the next step for a snapshot that is not being deleted. */
public final class SnapshotDecider {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private SnapshotDecider() {}

  public static SnapshotStep decide(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (snapshot.isGroupMember() && !view.membership().isServed()) {
      return CommonStep.NO_ACTION;
    }
    Optional<SnapshotContent> markedContent =
        view.content()
            .filter(content -> content.belongsTo(snapshot))
            .filter(content -> content.meta().hasAnnotation(SnapshotContent.BEING_DELETED));
    if (markedContent.isPresent()) {
      return new CommonStep.UnmarkContent(markedContent.get());
    }
    if (snapshot.isGroupMember()) {
      return decideMember(view);
    }
    if (snapshot.sourceClaim().isEmpty() == snapshot.sourceContent().isEmpty()) {
      return new CommonStep.ReportError(
          "SnapshotValidationError",
          "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified",
          true);
    }
    List<String> finalizers = completeFinalizers(view);
    if (!finalizers.equals(snapshot.meta().finalizers())) {
      return new CommonStep.SetFinalizers(finalizers);
    }
    boolean isBound = !snapshot.status().content().isEmpty();
    if (isBound && snapshot.status().ready()) {
      SnapshotStep step = checkBinding(view);
      return step == CommonStep.NO_ACTION && hasUnwrittenGroup(view)
          ? decideStatus(view, view.content().orElseThrow())
          : step;
    }
    return snapshot.sourceContent().isEmpty() ? decideDynamic(view) : decidePreProvisioned(view);
  }

  // The group may become known after everything else was written.
  private static boolean hasUnwrittenGroup(SnapshotView view) {
    return view.snapshot().status().group().isEmpty() && !view.membership().group().isEmpty();
  }

  // The group creates the content of a member.
  private static SnapshotStep decideMember(SnapshotView view) {
    if (view.snapshot().status().content().isEmpty()) {
      return CommonStep.NO_ACTION; // the group binds it
    }
    List<String> finalizers = completeFinalizers(view);
    if (!finalizers.equals(view.snapshot().meta().finalizers())) {
      return new CommonStep.SetFinalizers(finalizers);
    }
    SnapshotStep step = checkBinding(view);
    return step == CommonStep.NO_ACTION ? decideStatus(view, view.content().orElseThrow()) : step;
  }

  // Finalizers are only added while the snapshot is not being deleted.
  private static List<String> completeFinalizers(SnapshotView view) {
    List<String> finalizers = new ArrayList<>(view.snapshot().meta().finalizers());
    addIfAbsent(finalizers, VolumeSnapshot.SOURCE_PROTECTION);
    boolean hasDeletePolicy =
        view.content()
            .filter(content -> content.policy() == ReclaimPolicy.DELETE)
            .filter(content -> content.belongsTo(view.snapshot()))
            .isPresent();
    if (hasDeletePolicy && !view.snapshot().status().content().isEmpty()) {
      addIfAbsent(finalizers, VolumeSnapshot.BOUND_PROTECTION);
    }
    return List.copyOf(finalizers);
  }

  private static void addIfAbsent(List<String> finalizers, String finalizer) {
    if (!finalizers.contains(finalizer)) {
      finalizers.add(finalizer);
    }
  }

  private static SnapshotStep checkBinding(SnapshotView view) {
    if (view.content().isEmpty()) {
      return SnapshotTerms.SNAPSHOT.missingContentError();
    }
    return view.content().get().belongsTo(view.snapshot())
        ? CommonStep.NO_ACTION
        : SnapshotTerms.SNAPSHOT.wrongBindingError();
  }

  private static SnapshotStep decidePreProvisioned(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (view.content().isEmpty()) {
      return SnapshotTerms.SNAPSHOT.missingContentError();
    }
    SnapshotContent content = view.content().get();
    if (content.source().snapshotHandle().isEmpty()) {
      return SnapshotTerms.SNAPSHOT.dynamicContentError();
    }
    if (!content.mayBelongTo(snapshot)) {
      return SnapshotTerms.SNAPSHOT.misboundContentError(content.meta().name());
    }
    if (content.meta().isBeingDeleted() && !content.belongsTo(snapshot)) {
      return SnapshotTerms.SNAPSHOT.deletedContentError(content.meta().name());
    }
    boolean setsClass = content.className().isEmpty() && !snapshot.className().isEmpty();
    return content.snapshot().uid().isNone() || setsClass
        ? new CommonStep.Bind(content, setsClass ? snapshot.className() : "")
        : decideStatus(view, content);
  }

  private static SnapshotStep decideDynamic(SnapshotView view) {
    if (view.content().isPresent()) {
      SnapshotContent content = view.content().get();
      if (content.source().volumeHandle().isEmpty()) {
        return SnapshotTerms.SNAPSHOT.preProvisionedContentError(content.meta().name());
      }
      return content.belongsTo(view.snapshot())
          ? decideExisting(view, content)
          : SnapshotTerms.SNAPSHOT.misboundContentError(content.meta().name());
    }
    if (view.snapshot().status().created() != 0) {
      return SnapshotTerms.SNAPSHOT
          .missingContentError(); // a new content would contain the volume's current data
    }
    return view.snapshot().className().isEmpty() ? chooseDefaultClass(view) : decideCreation(view);
  }

  // The claim is kept until the snapshot is ready, even if its finalizer was removed.
  private static SnapshotStep decideExisting(SnapshotView view, SnapshotContent content) {
    return content.status().ready()
        ? decideStatus(view, content)
        : holdClaimFirst(view, decideStatus(view, content));
  }

  private static SnapshotStep holdClaimFirst(SnapshotView view, SnapshotStep next) {
    return view.claim()
        .filter(claim -> !claim.meta().isBeingDeleted())
        .filter(claim -> !claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
        .<SnapshotStep>map(CommonStep.HoldClaim::new)
        .orElse(next);
  }

  private static SnapshotStep decideCreation(SnapshotView view) {
    String className = view.snapshot().className();
    Optional<SnapshotClass> snapshotClass =
        view.classes().stream().filter(c -> c.meta().name().equals(className)).findFirst();
    if (snapshotClass.isEmpty()) {
      return new CommonStep.ReportError(
          "GetSnapshotClassFailed",
          "Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io \""
              + className
              + "\" not found",
          false);
    }
    SourceClaim source = sourceClaim(view);
    String flaw = source.findFlaw(SnapshotTerms.SNAPSHOT);
    if (flaw.isEmpty() && !source.isHeld()) {
      flaw = source.findDeletionFlaw(); // a claim with our finalizer keeps its volume
    }
    if (!flaw.isEmpty()) {
      return reportFailure(flaw);
    }
    SnapshotStep creation = createContent(view, snapshotClass.get());
    return creation instanceof SnapshotStep.CreateContent
        ? holdClaimFirst(view, creation)
        : creation;
  }

  private static SnapshotStep reportFailure(String reason) {
    return new CommonStep.ReportError(
        "SnapshotContentCreationFailed",
        "Failed to create snapshot content with error " + reason,
        true);
  }

  private static SnapshotStep decideStatus(SnapshotView view, SnapshotContent content) {
    return decideStatus(view.snapshot().status(), content, view.membership().group());
  }

  private static SourceClaim sourceClaim(SnapshotView view) {
    return new SourceClaim(view.snapshot().sourceClaim(), view.claim(), view.volume());
  }

  // Chooses the default class of the volume's driver.
  private static SnapshotStep chooseDefaultClass(SnapshotView view) {
    String flaw = sourceClaim(view).findFlaw(SnapshotTerms.SNAPSHOT);
    if (!flaw.isEmpty()) {
      return SnapshotTerms.SNAPSHOT.defaultClassError(flaw);
    }
    Volume volume = view.volume().orElseThrow();
    return SnapshotTerms.SNAPSHOT.chooseDefault(
        view.classes().stream()
            .filter(SnapshotClass::isDefault)
            .filter(c -> DriverVolumes.handle(volume, c.driver()).isPresent())
            .map(c -> c.meta().name())
            .toList());
  }

  // The step that creates the content, or the reason for a refusal.
  private static SnapshotStep createContent(SnapshotView view, SnapshotClass snapshotClass) {
    Volume volume = view.volume().orElseThrow();
    Optional<String> handle = DriverVolumes.handle(volume, snapshotClass.driver());
    if (handle.isEmpty()) {
      return reportFailure(
          "volume %s does not belong to CSI driver %s of class %s"
              .formatted(
                  volume.meta().name(), snapshotClass.driver(), snapshotClass.meta().name()));
    }
    if (snapshotClass.policy() == ReclaimPolicy.UNKNOWN) {
      return reportFailure("class " + snapshotClass.meta().name() + " has no known deletionPolicy");
    }
    if (view.nodeChoice().isRequired() && view.nodeChoice().node().isEmpty()) {
      return reportFailure("no node matches the node affinity of volume " + volume.meta().name());
    }
    VolumeSnapshot snapshot = view.snapshot();
    String name = snapshot.generatedContentName();
    Secret secret =
        SnapshotParameters.secret(
            snapshotClass.parameters(), Purpose.SNAPSHOTTER, name, Optional.of(snapshot.key()));
    return secret.flaw().isEmpty()
        ? new SnapshotStep.CreateContent(
            name, snapshotClass, volume, handle.get(), secret, view.nodeChoice().node())
        : reportFailure(secret.flaw());
  }

  private static SnapshotStep decideStatus(
      VolumeSnapshot.Status oldStatus, SnapshotContent content, String group) {
    SnapshotContent.Status observed = content.status();
    boolean isBound = !oldStatus.content().isEmpty();
    VolumeSnapshot.Status newStatus =
        new VolumeSnapshot.Status(
            isBound ? oldStatus.content() : content.meta().name(),
            observed.ready(),
            oldStatus.created() == 0
                ? Math.floorDiv(observed.created(), NANOS_PER_SECOND)
                : oldStatus.created(),
            chooseRestoreSize(oldStatus, observed),
            observed.ready() ? Problem.NONE : observed.problem(),
            oldStatus.group().isEmpty() ? group : oldStatus.group());
    return newStatus.equals(oldStatus)
        ? CommonStep.NO_ACTION
        : new SnapshotStep.WriteStatus(
            newStatus,
            oldStatus.created() == 0 && newStatus.created() != 0,
            !oldStatus.ready() && newStatus.ready());
  }

  private static Optional<Quantity> chooseRestoreSize(
      VolumeSnapshot.Status oldStatus, SnapshotContent.Status observed) {
    boolean isKnown =
        oldStatus.restoreSize().filter(size -> !size.equals(Quantity.ZERO)).isPresent();
    return isKnown || observed.restoreSize() == 0
        ? oldStatus.restoreSize()
        : Optional.of(Quantity.ofBytes(observed.restoreSize()));
  }
}
