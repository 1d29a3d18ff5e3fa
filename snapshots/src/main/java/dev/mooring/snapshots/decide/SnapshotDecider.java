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
  public static Step decide(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (!snapshot.status().group().isEmpty()) {
      return Step.REST; // made with others, by somebody else
    }
    if (snapshot.sourceClaim().isEmpty() == snapshot.sourceContent().isEmpty()) {
      return new Step.Report(
          "SnapshotValidationError",
          "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified",
          true);
    }
    List<String> finalizers = finalizers(view);
    if (!finalizers.equals(snapshot.meta().finalizers())) {
      return new Step.SetFinalizers(finalizers);
    }
    boolean bound = !snapshot.status().content().isEmpty();
    if (bound && snapshot.status().ready()) {
      return ready(view);
    }
    return snapshot.sourceContent().isEmpty() ? dynamic(view) : preProvisioned(view);
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

  private static Step ready(SnapshotView view) {
    if (view.content().isEmpty()) {
      return missing();
    }
    return view.content().get().isOf(view.snapshot())
        ? Step.REST
        : new Step.Report(
            "SnapshotMisbound",
            "VolumeSnapshotContent is not bound to the VolumeSnapshot correctly",
            true);
  }

  private static Step missing() {
    return new Step.Report("SnapshotContentMissing", "VolumeSnapshotContent is missing", true);
  }

  private static Step preProvisioned(SnapshotView view) {
    VolumeSnapshot snapshot = view.snapshot();
    if (view.content().isEmpty()) {
      return missing();
    }
    SnapshotContent content = view.content().get();
    if (content.source().snapshotHandle().isEmpty()) {
      return new Step.Report(
          "SnapshotContentMismatch",
          "VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one",
          true);
    }
    if (!content.mayBeOf(snapshot)) {
      return misbound(content);
    }
    boolean getsClass = content.className().isEmpty() && !snapshot.className().isEmpty();
    return content.snapshot().uid().isNone() || getsClass
        ? new Step.Bind(content, getsClass ? snapshot.className() : "")
        : shown(view, content);
  }

  private static Step misbound(SnapshotContent content) {
    return new Step.Report(
        "SnapshotContentMisbound",
        "VolumeSnapshotContent [" + content.meta().name() + "] is bound to a different snapshot",
        true);
  }

  private static Step dynamic(SnapshotView view) {
    if (view.content().isPresent()) {
      SnapshotContent content = view.content().get();
      if (content.source().volumeHandle().isEmpty()) {
        return new Step.Report(
            "SnapshotContentMismatch",
            "VolumeSnapshotContent "
                + content.meta().name()
                + " is pre-provisioned while expecting a dynamically provisioned one",
            true);
      }
      return content.isOf(view.snapshot()) ? made(view, content) : misbound(content);
    }
    if (view.snapshot().status().created() != 0) {
      return missing(); // another one would hold what is in the volume now
    }
    return view.snapshot().className().isEmpty() ? defaultClass(view) : create(view);
  }

  /** The claim is held as long as the snapshot is not ready, also if somebody let go of it. */
  private static Step made(SnapshotView view, SnapshotContent content) {
    return content.status().ready() ? shown(view, content) : held(view, shown(view, content));
  }

  private static Step held(SnapshotView view, Step otherwise) {
    return view.claim()
        .filter(claim -> !claim.meta().isBeingDeleted())
        .filter(claim -> !claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
        .<Step>map(Step.HoldClaim::new)
        .orElse(otherwise);
  }

  private static Step defaultClass(SnapshotView view) {
    Source source = Source.of(view);
    if (!source.flaw().isEmpty()) {
      return noDefault(source.flaw());
    }
    List<SnapshotClass> fitting =
        view.classes().stream()
            .filter(SnapshotClass::isDefault)
            .filter(c -> Source.handle(source.volume(), c.driver()).isPresent())
            .toList();
    return switch (fitting.size()) {
      case 0 -> noDefault("cannot find default snapshot class");
      case 1 -> new Step.SetClass(fitting.getFirst().meta().name());
      default -> noDefault(fitting.size() + " default snapshot classes were found");
    };
  }

  private static Step noDefault(String why) {
    return new Step.Report(
        "SetDefaultSnapshotClassFailed",
        "Failed to set default snapshot class with error " + why,
        false);
  }

  private static Step create(SnapshotView view) {
    String className = view.snapshot().className();
    Optional<SnapshotClass> found =
        view.classes().stream().filter(c -> c.meta().name().equals(className)).findFirst();
    if (found.isEmpty()) {
      return new Step.Report(
          "GetSnapshotClassFailed",
          "Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io \""
              + className
              + "\" not found",
          false);
    }
    Source source = Source.of(view);
    if (!source.flaw().isEmpty()) {
      return failed(source.flaw());
    }
    if (!source.mayStillBeRead(view)) {
      return failed("the source claim " + view.snapshot().sourceClaim() + " is being deleted");
    }
    Step made = source.content(view, found.get());
    return made instanceof Step.CreateContent ? held(view, made) : made;
  }

  static Step failed(String why) {
    return new Step.Report(
        "SnapshotContentCreationFailed",
        "Failed to create snapshot content with error " + why,
        true);
  }

  private static Step shown(SnapshotView view, SnapshotContent content) {
    return Statuses.show(view.snapshot().status(), content);
  }
}
