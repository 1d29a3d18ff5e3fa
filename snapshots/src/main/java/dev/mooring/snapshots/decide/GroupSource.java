package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class GroupSource {
  private static final String CSI = "csi";

  private GroupSource() {}

  private static List<SourceClaim> sourceClaims(GroupView view) {
    return view.claims().orElseThrow();
  }

  // Returns the reason why the claims do not allow a group snapshot; "" if they do.
  private static String findFlaw(GroupView view) {
    if (sourceClaims(view).isEmpty()) {
      return "label selector "
          + view.group().selector().orElseThrow()
          + " for group snapshot not applied to any PVC";
    }
    for (SourceClaim source : sourceClaims(view)) {
      String flaw = findFlaw(source);
      if (!flaw.isEmpty()) {
        return flaw;
      }
    }
    return "";
  }

  private static String findFlaw(SourceClaim source) {
    String flaw = source.findFlaw(SnapshotTerms.GROUP);
    if (!flaw.isEmpty()) {
      return flaw;
    }
    Volume volume = source.volume().orElseThrow();
    return volume.source().type().equals(CSI)
        ? source.findDeletionFlaw()
        : "cannot snapshot a non-CSI volume: " + volume.meta().name();
  }

  private static String driverOf(SourceClaim source) {
    return source.volume().orElseThrow().source().attribute("driver");
  }

  // Chooses the default class of the driver. All volumes have the same driver.
  static GroupStep chooseDefaultClass(GroupView view) {
    String flaw = findFlaw(view);
    if (!flaw.isEmpty()) {
      return SnapshotTerms.GROUP.defaultClassError(flaw);
    }
    String driver = driverOf(sourceClaims(view).getFirst());
    return SnapshotTerms.GROUP.chooseDefault(
        view.classes().stream()
            .filter(GroupSnapshotClass::isDefault)
            .filter(c -> c.driver().equals(driver))
            .map(c -> c.meta().name())
            .toList());
  }

  // Returns the step that creates the content, a step that must precede it, or the reason for a
  // refusal.
  static GroupStep createContent(GroupView view, GroupSnapshotClass groupClass) {
    String flaw = findFlaw(view);
    if (!flaw.isEmpty()) {
      return GroupDecider.reportFailure(flaw);
    }
    List<String> handles = new ArrayList<>();
    for (SourceClaim source : sourceClaims(view)) {
      if (!driverOf(source).equals(groupClass.driver())) {
        return GroupDecider.reportFailure(
            "Volume CSI driver (%s) mismatch with VolumeGroupSnapshotClass (%s) %s: %s"
                .formatted(
                    driverOf(source),
                    groupClass.driver(),
                    view.group().key(),
                    source.volume().orElseThrow().meta().name()));
      }
      handles.add(source.volume().orElseThrow().source().attribute("volumeHandle"));
    }
    if (groupClass.policy() == ReclaimPolicy.UNKNOWN) {
      return GroupDecider.reportFailure(
          "class " + groupClass.meta().name() + " has no known deletionPolicy");
    }
    GroupSnapshot group = view.group();
    String name = group.generatedContentName();
    Secret secret =
        SnapshotParameters.secret(
            groupClass.parameters(), Purpose.GROUP, name, Optional.of(group.key()));
    return secret.flaw().isEmpty()
        ? holdSourcesFirst(
            view, new GroupStep.CreateContent(name, groupClass, List.copyOf(handles), secret))
        : GroupDecider.reportFailure(secret.flaw());
  }

  // All finalizers are set before the content exists, so that a crash in between loses nothing.
  private static GroupStep holdSourcesFirst(GroupView view, GroupStep creation) {
    for (SourceClaim source : sourceClaims(view)) {
      if (!source.isHeld()) {
        return new CommonStep.HoldClaim(source.claim().orElseThrow());
      }
    }
    return GroupDecider.isHeld(view.group()) ? creation : GroupDecider.holdGroup(view.group());
  }
}
