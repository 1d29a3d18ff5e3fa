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

  private static List<SourceClaim> claims(GroupView view) {
    return view.claims().orElseThrow();
  }

  // Why no group can be created from the claims, for people; "" if one can.
  private static String flaw(GroupView view) {
    if (claims(view).isEmpty()) {
      return "label selector "
          + view.group().selector().orElseThrow()
          + " for group snapshot not applied to any PVC";
    }
    for (SourceClaim source : claims(view)) {
      String flaw = flaw(source);
      if (!flaw.isEmpty()) {
        return flaw;
      }
    }
    return "";
  }

  private static String flaw(SourceClaim source) {
    String flaw = source.flaw(SnapshotTerms.GROUP);
    if (!flaw.isEmpty()) {
      return flaw;
    }
    Volume volume = source.volume().orElseThrow();
    return volume.source().type().equals(CSI)
        ? source.deletionFlaw()
        : "cannot snapshot a non-CSI volume: " + volume.meta().name();
  }

  private static String driverOf(SourceClaim source) {
    return source.volume().orElseThrow().source().attribute("driver");
  }

  // Chooses the default class of the driver. All volumes have the same driver.
  static GroupStep defaultClass(GroupView view) {
    String flaw = flaw(view);
    if (!flaw.isEmpty()) {
      return SnapshotTerms.GROUP.noDefault(flaw);
    }
    String driver = driverOf(claims(view).getFirst());
    return SnapshotTerms.GROUP.setDefault(
        view.classes().stream()
            .filter(GroupSnapshotClass::isDefault)
            .filter(c -> c.driver().equals(driver))
            .map(c -> c.meta().name())
            .toList());
  }

  // Returns the step that creates the content, a step that must precede it, or the reason for a
  // refusal.
  static GroupStep content(GroupView view, GroupSnapshotClass groupClass) {
    String flaw = flaw(view);
    if (!flaw.isEmpty()) {
      return GroupDecider.failed(flaw);
    }
    List<String> handles = new ArrayList<>();
    for (SourceClaim source : claims(view)) {
      if (!driverOf(source).equals(groupClass.driver())) {
        return GroupDecider.failed(
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
      return GroupDecider.failed(
          "class " + groupClass.meta().name() + " has no known deletionPolicy");
    }
    GroupSnapshot group = view.group();
    String name = group.generatedContentName();
    Secret secret =
        SnapshotParameters.secret(
            groupClass.parameters(), Purpose.GROUP, name, Optional.of(group.key()));
    return secret.flaw().isEmpty()
        ? afterHolds(
            view, new GroupStep.CreateContent(name, groupClass, List.copyOf(handles), secret))
        : GroupDecider.failed(secret.flaw());
  }

  // All finalizers are set before the content exists, so that a crash in between loses nothing.
  private static GroupStep afterHolds(GroupView view, GroupStep create) {
    for (SourceClaim source : claims(view)) {
      if (!source.isHeld()) {
        return new CommonStep.HoldClaim(source.claim().orElseThrow());
      }
    }
    return GroupDecider.isHeld(view.group()) ? create : GroupDecider.hold(view.group());
  }
}
