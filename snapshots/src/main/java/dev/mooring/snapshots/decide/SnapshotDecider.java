package dev.mooring.snapshots.decide;

import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is to be done next for a snapshot that is not being deleted. */
public final class SnapshotDecider {
  private SnapshotDecider() {}

  /** Decides. */
  public static SnapshotStep decide(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (snapshot.isOfGroup() && !view.membership().served()) {
      return CommonStep.REST;
    }
    Optional<SnapshotContent> marked =
        view.content()
            .filter(content -> content.isOf(snapshot))
            .filter(content -> content.meta().has(SnapshotContent.BEING_DELETED));
    if (marked.isPresent()) {
      return new SnapshotStep.UnmarkContent(marked.get());
    }
    if (snapshot.isOfGroup()) {
      return member(view);
    }
    if (snapshot.sourceClaim().isEmpty() == snapshot.sourceContent().isEmpty()) {
      return new CommonStep.Report(
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
      return step == CommonStep.REST && learnsItsGroup(view)
          ? shown(view, view.content().orElseThrow())
          : step;
    }
    return snapshot.sourceContent().isEmpty() ? dynamic(view) : preProvisioned(view);
  }

  /** What it was cut with may become known when all else has long been shown. */
  private static boolean learnsItsGroup(SnapshotView view) {
    return view.snapshot().status().group().isEmpty() && !view.membership().group().isEmpty();
  }

  /** One that was made with others: its group has made its content, or will. */
  private static SnapshotStep member(SnapshotView view) {
    if (view.snapshot().status().content().isEmpty()) {
      return CommonStep.REST; // its group binds it
    }
    List<String> finalizers = finalizers(view);
    if (!finalizers.equals(view.snapshot().meta().finalizers())) {
      return new CommonStep.SetFinalizers(finalizers);
    }
    SnapshotStep step = ready(view);
    return step == CommonStep.REST ? shown(view, view.content().orElseThrow()) : step;
  }

  /** Those that it is to have; one is never taken away before it goes. */
  private static List<String> finalizers(SnapshotView view) {
    List<String> all = new ArrayList<>(view.snapshot().meta().finalizers());
    add(all, VolumeSnapshot.SOURCE_PROTECTION);
    boolean goesWithIt =
        view.content()
            .filter(content -> content.policy() == ReclaimPolicy.DELETE)
            .filter(content -> content.isOf(view.snapshot()))
            .isPresent();
    if (goesWithIt && !view.snapshot().status().content().isEmpty()) {
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
      return Words.SNAPSHOT.missing();
    }
    return view.content().get().isOf(view.snapshot()) ? CommonStep.REST : Words.SNAPSHOT.notBound();
  }

  private static SnapshotStep preProvisioned(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (view.content().isEmpty()) {
      return Words.SNAPSHOT.missing();
    }
    SnapshotContent content = view.content().get();
    if (content.source().snapshotHandle().isEmpty()) {
      return Words.SNAPSHOT.isToBeMade();
    }
    if (!content.mayBeOf(snapshot)) {
      return Words.SNAPSHOT.misbound(content.meta().name());
    }
    if (content.meta().isBeingDeleted() && !content.isOf(snapshot)) {
      return Words.SNAPSHOT.beingDeleted(content.meta().name());
    }
    boolean getsClass = content.className().isEmpty() && !snapshot.className().isEmpty();
    return content.snapshot().uid().isNone() || getsClass
        ? new SnapshotStep.Bind(content, getsClass ? snapshot.className() : "")
        : shown(view, content);
  }

  private static SnapshotStep dynamic(SnapshotView view) {
    if (view.content().isPresent()) {
      SnapshotContent content = view.content().get();
      if (content.source().volumeHandle().isEmpty()) {
        return Words.SNAPSHOT.wasThereBefore(content.meta().name());
      }
      return content.isOf(view.snapshot())
          ? made(view, content)
          : Words.SNAPSHOT.misbound(content.meta().name());
    }
    if (view.snapshot().status().created() != 0) {
      return Words.SNAPSHOT.missing(); // another one would hold what is in the volume now
    }
    return view.snapshot().className().isEmpty() ? SnapshotSource.defaultClass(view) : create(view);
  }

  /** The claim is held as long as the snapshot is not ready, also if somebody let go of it. */
  private static SnapshotStep made(SnapshotView view, SnapshotContent content) {
    return content.status().ready() ? shown(view, content) : held(view, shown(view, content));
  }

  private static SnapshotStep held(SnapshotView view, SnapshotStep otherwise) {
    return view.claim()
        .filter(claim -> !claim.meta().isBeingDeleted())
        .filter(claim -> !claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
        .<SnapshotStep>map(CommonStep.HoldClaim::new)
        .orElse(otherwise);
  }

  private static SnapshotStep create(SnapshotView view) {
    String className = view.snapshot().className();
    Optional<SnapshotClass> found =
        view.classes().stream().filter(c -> c.meta().name().equals(className)).findFirst();
    if (found.isEmpty()) {
      return new CommonStep.Report(
          "GetSnapshotClassFailed",
          "Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io \""
              + className
              + "\" not found",
          false);
    }
    SourceClaim source = SnapshotSource.of(view);
    String flaw = source.flaw(Words.SNAPSHOT);
    if (flaw.isEmpty() && !source.isHeld()) {
      flaw = source.goes(); // held, it keeps its volume
    }
    if (!flaw.isEmpty()) {
      return failed(flaw);
    }
    SnapshotStep made = SnapshotSource.content(view, found.get());
    return made instanceof SnapshotStep.CreateContent ? held(view, made) : made;
  }

  static SnapshotStep failed(String why) {
    return new CommonStep.Report(
        "SnapshotContentCreationFailed",
        "Failed to create snapshot content with error " + why,
        true);
  }

  private static SnapshotStep shown(SnapshotView view, SnapshotContent content) {
    return SnapshotStatuses.show(view.snapshot().status(), content, view.membership().group());
  }
}
