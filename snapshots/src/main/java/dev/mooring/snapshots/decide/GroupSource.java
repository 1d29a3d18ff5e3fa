package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.GroupView.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Of what a group is made: every claim that its selector chooses. */
final class GroupSource {
  private static final String CSI = "csi";

  private GroupSource() {}

  private static List<Source> claims(GroupView view) {
    return view.claims().orElseThrow();
  }

  /** Why no group can be made of these claims, for people; "" for no flaw. */
  private static String flaw(GroupView view) {
    if (claims(view).isEmpty()) {
      return "label selector "
          + view.group().selector().orElseThrow()
          + " for group snapshot not applied to any PVC";
    }
    for (Source source : claims(view)) {
      String flaw = flaw(source);
      if (!flaw.isEmpty()) {
        return flaw;
      }
    }
    return "";
  }

  private static String flaw(Source source) {
    String name = source.key().name();
    if (source.claim().isEmpty()) {
      return "the source claim " + name + " is not there";
    }
    Claim claim = source.claim().get();
    if (claim.phase() != ClaimPhase.BOUND) {
      return "the PVC "
          + name
          + " is not yet bound to a PV, will not attempt to take a group snapshot";
    }
    if (source.volume().isEmpty()) {
      return "the volume " + claim.volumeName() + " of claim " + name + " is not there";
    }
    Volume volume = source.volume().get();
    ClaimRef ref = volume.claimRef();
    if (ref == null || !ref.isFor(claim.key(), claim.meta().uid())) {
      return "claim in dataSource not bound or invalid";
    }
    if (!volume.source().type().equals(CSI)) {
      return "cannot snapshot a non-CSI volume: " + volume.meta().name();
    }
    boolean goes = claim.meta().isBeingDeleted() && !isHeld(claim);
    return goes ? "the source claim " + name + " is being deleted" : "";
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  private static String driverOf(Source source) {
    return source.volume().orElseThrow().source().attribute("driver");
  }

  /** The class by default, which is the driver's of any of the volumes. */
  static GroupStep defaultClass(GroupView view) {
    String flaw = flaw(view);
    if (!flaw.isEmpty()) {
      return GroupDecider.noDefault(flaw);
    }
    String driver = driverOf(claims(view).getFirst());
    List<GroupSnapshotClass> fitting =
        view.classes().stream()
            .filter(GroupSnapshotClass::isDefault)
            .filter(c -> c.driver().equals(driver))
            .toList();
    return switch (fitting.size()) {
      case 0 -> GroupDecider.noDefault("cannot find default group snapshot class");
      case 1 -> new GroupStep.SetClass(fitting.getFirst().meta().name());
      default -> GroupDecider.noDefault(fitting.size() + " default snapshot classes were found");
    };
  }

  /** The content, what has to be done before, or why there can be none. */
  static GroupStep content(GroupView view, GroupSnapshotClass groupClass) {
    String flaw = flaw(view);
    if (!flaw.isEmpty()) {
      return GroupDecider.failed(flaw);
    }
    List<String> handles = new ArrayList<>();
    for (Source source : claims(view)) {
      if (!driverOf(source).equals(groupClass.driver())) {
        return GroupDecider.failed(
            "Volume CSI driver ("
                + driverOf(source)
                + ") mismatch with VolumeGroupSnapshotClass ("
                + groupClass.driver()
                + ") "
                + view.group().key()
                + ": "
                + source.volume().orElseThrow().meta().name());
      }
      handles.add(source.volume().orElseThrow().source().attribute("volumeHandle"));
    }
    if (groupClass.policy() == ReclaimPolicy.UNKNOWN) {
      return GroupDecider.failed(
          "class " + groupClass.meta().name() + " has no deletionPolicy that is known");
    }
    GroupSnapshot group = view.group();
    String name = group.nameOfOwnContent();
    Secret secret =
        SnapshotParameters.secret(
            groupClass.parameters(), Purpose.GROUP, name, Optional.of(group.key()));
    return secret.flaw().isEmpty()
        ? held(view, new GroupStep.CreateContent(name, groupClass, List.copyOf(handles), secret))
        : GroupDecider.failed(secret.flaw());
  }

  /** Everything is held before there is a content: what follows a crash finds it. */
  private static GroupStep held(GroupView view, GroupStep made) {
    for (Source source : claims(view)) {
      Claim claim = source.claim().orElseThrow();
      if (!isHeld(claim)) {
        return new GroupStep.HoldClaim(claim);
      }
    }
    return GroupDecider.isHeld(view.group()) ? made : GroupDecider.hold(view.group());
  }
}
