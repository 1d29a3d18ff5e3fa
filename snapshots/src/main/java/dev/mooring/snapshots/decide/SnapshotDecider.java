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
  private static final long SECOND = 1_000_000_000L;

  private SnapshotDecider() {}

  public static SnapshotStep decide(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (snapshot.isGroupMember() && !view.membership().served()) {
      return CommonStep.NO_ACTION;
    }
    Optional<SnapshotContent> marked =
        view.content()
            .filter(content -> content.belongsTo(snapshot))
            .filter(content -> content.meta().hasAnnotation(SnapshotContent.BEING_DELETED));
    if (marked.isPresent()) {
      return new CommonStep.UnmarkContent(marked.get());
    }
    if (snapshot.isGroupMember()) {
      return member(view);
    }
    if (snapshot.sourceClaim().isEmpty() == snapshot.sourceContent().isEmpty()) {
      return new CommonStep.ReportError(
          "SnapshotValidationError",
          "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified",
          true);
    }
    List<String> finalizers = finalizers(view);
    if (!finalizers.equals(snapshot.meta().finalizers())) {
      return new CommonStep.SetFinalizers(finalizers);
    }
    boolean bound = !snapshot.status().content().isEmpty();
    if (bound && snapshot.status().ready()) {
      SnapshotStep step = ready(view);
      return step == CommonStep.NO_ACTION && groupBecameKnown(view)
          ? status(view, view.content().orElseThrow())
          : step;
    }
    return snapshot.sourceContent().isEmpty() ? dynamic(view) : preProvisioned(view);
  }

  // The group may become known after everything else was written.
  private static boolean groupBecameKnown(SnapshotView view) {
    return view.snapshot().status().group().isEmpty() && !view.membership().group().isEmpty();
  }

  // The group creates the content of a member.
  private static SnapshotStep member(SnapshotView view) {
    if (view.snapshot().status().content().isEmpty()) {
      return CommonStep.NO_ACTION; // the group binds it
    }
    List<String> finalizers = finalizers(view);
    if (!finalizers.equals(view.snapshot().meta().finalizers())) {
      return new CommonStep.SetFinalizers(finalizers);
    }
    SnapshotStep step = ready(view);
    return step == CommonStep.NO_ACTION ? status(view, view.content().orElseThrow()) : step;
  }

  // Finalizers are only added while the snapshot is not being deleted.
  private static List<String> finalizers(SnapshotView view) {
    List<String> all = new ArrayList<>(view.snapshot().meta().finalizers());
    add(all, VolumeSnapshot.SOURCE_PROTECTION);
    boolean isDeletedToo =
        view.content()
            .filter(content -> content.policy() == ReclaimPolicy.DELETE)
            .filter(content -> content.belongsTo(view.snapshot()))
            .isPresent();
    if (isDeletedToo && !view.snapshot().status().content().isEmpty()) {
      add(all, VolumeSnapshot.BOUND_PROTECTION);
    }
    return List.copyOf(all);
  }

  private static void add(List<String> all, String finalizer) {
    if (!all.contains(finalizer)) {
      all.add(finalizer);
    }
  }

  private static SnapshotStep ready(SnapshotView view) {
    if (view.content().isEmpty()) {
      return SnapshotTerms.SNAPSHOT.missing();
    }
    return view.content().get().belongsTo(view.snapshot())
        ? CommonStep.NO_ACTION
        : SnapshotTerms.SNAPSHOT.notBound();
  }

  private static SnapshotStep preProvisioned(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (view.content().isEmpty()) {
      return SnapshotTerms.SNAPSHOT.missing();
    }
    SnapshotContent content = view.content().get();
    if (content.source().snapshotHandle().isEmpty()) {
      return SnapshotTerms.SNAPSHOT.dynamicContent();
    }
    if (!content.mayBelongTo(snapshot)) {
      return SnapshotTerms.SNAPSHOT.misbound(content.meta().name());
    }
    if (content.meta().isBeingDeleted() && !content.belongsTo(snapshot)) {
      return SnapshotTerms.SNAPSHOT.beingDeleted(content.meta().name());
    }
    boolean getsClass = content.className().isEmpty() && !snapshot.className().isEmpty();
    return content.snapshot().uid().isNone() || getsClass
        ? new CommonStep.Bind(content, getsClass ? snapshot.className() : "")
        : status(view, content);
  }

  private static SnapshotStep dynamic(SnapshotView view) {
    if (view.content().isPresent()) {
      SnapshotContent content = view.content().get();
      if (content.source().volumeHandle().isEmpty()) {
        return SnapshotTerms.SNAPSHOT.preProvisionedContent(content.meta().name());
      }
      return content.belongsTo(view.snapshot())
          ? created(view, content)
          : SnapshotTerms.SNAPSHOT.misbound(content.meta().name());
    }
    if (view.snapshot().status().created() != 0) {
      return SnapshotTerms.SNAPSHOT
          .missing(); // a new content would contain the volume's current data
    }
    return view.snapshot().className().isEmpty() ? defaultClass(view) : create(view);
  }

  // The claim is kept until the snapshot is ready, even if its finalizer was removed.
  private static SnapshotStep created(SnapshotView view, SnapshotContent content) {
    return content.status().ready()
        ? status(view, content)
        : afterHold(view, status(view, content));
  }

  private static SnapshotStep afterHold(SnapshotView view, SnapshotStep next) {
    return view.claim()
        .filter(claim -> !claim.meta().isBeingDeleted())
        .filter(claim -> !claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
        .<SnapshotStep>map(CommonStep.HoldClaim::new)
        .orElse(next);
  }

  private static SnapshotStep create(SnapshotView view) {
    String className = view.snapshot().className();
    Optional<SnapshotClass> found =
        view.classes().stream().filter(c -> c.meta().name().equals(className)).findFirst();
    if (found.isEmpty()) {
      return new CommonStep.ReportError(
          "GetSnapshotClassFailed",
          "Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io \""
              + className
              + "\" not found",
          false);
    }
    SourceClaim source = sourceOf(view);
    String flaw = source.flaw(SnapshotTerms.SNAPSHOT);
    if (flaw.isEmpty() && !source.isHeld()) {
      flaw = source.deletionFlaw(); // a claim with our finalizer keeps its volume
    }
    if (!flaw.isEmpty()) {
      return failed(flaw);
    }
    SnapshotStep created = createContent(view, found.get());
    return created instanceof SnapshotStep.CreateContent ? afterHold(view, created) : created;
  }

  private static SnapshotStep failed(String why) {
    return new CommonStep.ReportError(
        "SnapshotContentCreationFailed",
        "Failed to create snapshot content with error " + why,
        true);
  }

  private static SnapshotStep status(SnapshotView view, SnapshotContent content) {
    return statusStep(view.snapshot().status(), content, view.membership().group());
  }

  private static SourceClaim sourceOf(SnapshotView view) {
    return new SourceClaim(view.snapshot().sourceClaim(), view.claim(), view.volume());
  }

  // Chooses the default class of the volume's driver.
  private static SnapshotStep defaultClass(SnapshotView view) {
    String flaw = sourceOf(view).flaw(SnapshotTerms.SNAPSHOT);
    if (!flaw.isEmpty()) {
      return SnapshotTerms.SNAPSHOT.noDefault(flaw);
    }
    Volume volume = view.volume().orElseThrow();
    return SnapshotTerms.SNAPSHOT.setDefault(
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
      return failed(
          "volume %s does not belong to CSI driver %s of class %s"
              .formatted(
                  volume.meta().name(), snapshotClass.driver(), snapshotClass.meta().name()));
    }
    if (snapshotClass.policy() == ReclaimPolicy.UNKNOWN) {
      return failed("class " + snapshotClass.meta().name() + " has no known deletionPolicy");
    }
    VolumeSnapshot snapshot = view.snapshot();
    String name = snapshot.generatedContentName();
    Secret secret =
        SnapshotParameters.secret(
            snapshotClass.parameters(), Purpose.SNAPSHOTTER, name, Optional.of(snapshot.key()));
    return secret.flaw().isEmpty()
        ? new SnapshotStep.CreateContent(name, snapshotClass, volume, handle.get(), secret)
        : failed(secret.flaw());
  }

  private static SnapshotStep statusStep(
      VolumeSnapshot.Status before, SnapshotContent content, String group) {
    SnapshotContent.Status observed = content.status();
    boolean bound = !before.content().isEmpty();
    VolumeSnapshot.Status now =
        new VolumeSnapshot.Status(
            bound ? before.content() : content.meta().name(),
            observed.ready(),
            before.created() == 0 ? Math.floorDiv(observed.created(), SECOND) : before.created(),
            size(before, observed),
            observed.ready() ? Problem.NONE : observed.problem(),
            before.group().isEmpty() ? group : before.group());
    return now.equals(before)
        ? CommonStep.NO_ACTION
        : new SnapshotStep.WriteStatus(
            now, before.created() == 0 && now.created() != 0, !before.ready() && now.ready());
  }

  private static Optional<Quantity> size(
      VolumeSnapshot.Status before, SnapshotContent.Status observed) {
    boolean known = before.restoreSize().filter(size -> !size.equals(Quantity.ZERO)).isPresent();
    return known || observed.restoreSize() == 0
        ? before.restoreSize()
        : Optional.of(Quantity.ofBytes(observed.restoreSize()));
  }
}
