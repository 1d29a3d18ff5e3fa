package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.manager.uninstall.LeftoverObject.Mark;
import dev.mooring.manager.uninstall.LeftoverObject.RemovalAction;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.populator.PopulationMarks;
import dev.mooring.provisioner.ProvisionMarks;
import dev.mooring.snapshots.SnapshotMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds Mooring's marks on an object and decides which to remove. Pure function. */
public final class LeftoverFinder {

  private LeftoverFinder() {}

  public static List<LeftoverObject> find(Claim claim) {
    List<LeftoverObject> leftovers = new ArrayList<>();
    for (OwnedKey mark : OwnedMarks.of(Kind.CLAIM)) {
      if (hasMark(claim.meta(), mark)) {
        leftovers.add(evaluate(claim, mark));
      }
    }
    for (Claim.Condition condition : claim.status().conditions()) {
      if (isOwnCondition(condition)) {
        leftovers.add(
            new LeftoverObject(
                Kind.CLAIM,
                claim.meta().key(),
                Mark.condition(condition.type()),
                RemovalAction.REMOVE,
                "no other controller maintains it"));
      }
    }
    return leftovers;
  }

  private static boolean hasMark(Meta meta, OwnedKey mark) {
    return switch (mark.type()) {
      case FINALIZER -> meta.finalizers().contains(mark.text());
      case ANNOTATION -> meta.hasAnnotation(mark.text());
      case LABEL -> meta.labels().containsKey(mark.text());
    };
  }

  private static LeftoverObject evaluate(Claim claim, OwnedKey mark) {
    if (mark.equals(PopulationMarks.HELD)) {
      return new LeftoverObject(
          Kind.CLAIM,
          claim.meta().key(),
          Mark.of(mark),
          RemovalAction.REMOVE,
          "no other program removes it; claim prime-%s and pod populate-%s may remain in the namespace of prime claims"
              .formatted(claim.meta().uid(), claim.meta().uid()));
    }
    boolean blocksProvisioning = mark.equals(ProvisionMarks.BEING_MADE);
    return new LeftoverObject(
        Kind.CLAIM,
        claim.meta().key(),
        Mark.of(mark),
        blocksProvisioning ? RemovalAction.REMOVE : RemovalAction.KEEP,
        mark.meaning() + (blocksProvisioning ? describeUnnamedVolume(claim) : ""));
  }

  static boolean isOwnCondition(Claim.Condition condition) {
    return condition.type().startsWith(OwnedKey.PREFIX);
  }

  private static String describeUnnamedVolume(Claim claim) {
    if (!claim.volumeName().isEmpty()) {
      return "";
    }
    String provisioner = String.join(", ", ProvisionMarks.startedProvisioners(claim));
    return "; a volume may exist that no object names: look for "
        + claim.meta().uid()
        + (provisioner.isEmpty() ? " in the storage" : " in the storage of " + provisioner);
  }

  public static List<LeftoverObject> find(Volume volume, Set<String> handedOverProvisioners) {
    List<LeftoverObject> leftovers = new ArrayList<>();
    if (volume.finalizers().contains(ProvisionMarks.FINALIZER)
        && handedOverProvisioners.contains(
            volume.meta().annotation(ProvisionMarks.PROVISIONED_BY))) {
      leftovers.add(evaluateFinalizer(volume));
    }
    for (OwnedKey mark : OwnedMarks.of(Kind.VOLUME)) {
      if (hasMark(volume.meta(), mark)) {
        leftovers.add(evaluate(volume, mark));
      }
    }
    return leftovers;
  }

  private static LeftoverObject evaluateFinalizer(Volume volume) {
    boolean isBeingDeleted = volume.meta().isBeingDeleted();
    return new LeftoverObject(
        Kind.VOLUME,
        volume.meta().key(),
        new Mark(OwnedKey.KeyType.FINALIZER.toString(), ProvisionMarks.FINALIZER),
        isBeingDeleted ? RemovalAction.CHECK : RemovalAction.REMOVE,
        isBeingDeleted
            ? "the volume is being deleted; without the finalizer its object would disappear before its storage. Remove the finalizer by hand after the storage is deleted, or kept on purpose"
            : "the next provisioner would not remove it, and the volume could never be deleted");
  }

  private static LeftoverObject evaluate(Volume volume, OwnedKey mark) {
    RemovalAction action = RemovalAction.KEEP;
    String reason = mark.meaning();
    boolean protectsStorage =
        mark.equals(ProvisionMarks.TAKEN_BY)
            || mark.equals(ProvisionMarks.NEVER_BOUND)
            || mark.equals(ProvisionMarks.CONDEMNED_UNTIL);
    if (protectsStorage && !isStorageKept(volume, mark)) {
      action = RemovalAction.REMOVE;
      reason = "it no longer protects data";
    } else if (protectsStorage) {
      action = RemovalAction.CHECK;
      reason +=
          "; other provisioners ignore it: set the reclaim policy to Retain before another provisioner takes over";
    }
    return new LeftoverObject(Kind.VOLUME, volume.meta().key(), Mark.of(mark), action, reason);
  }

  private static boolean isStorageKept(Volume volume, OwnedKey mark) {
    return mark.equals(ProvisionMarks.CONDEMNED_UNTIL)
        ? volume.reclaimPolicy() != ReclaimPolicy.RETAIN && ProvisionMarks.isCondemned(volume)
        : volume.reclaimPolicy() == ReclaimPolicy.DELETE && ProvisionMarks.isMarkedKept(volume);
  }

  public static List<LeftoverObject> find(SnapshotContent content) {
    return OwnedMarks.of(Kind.SNAPSHOT_CONTENT).stream()
        .filter(mark -> hasMark(content.meta(), mark))
        .map(mark -> evaluate(content, mark))
        .toList();
  }

  private static LeftoverObject evaluate(SnapshotContent content, OwnedKey mark) {
    boolean isWaiting =
        content.policy() == ReclaimPolicy.DELETE && SnapshotMarks.isCondemned(content);
    RemovalAction action = isWaiting ? RemovalAction.CHECK : RemovalAction.KEEP;
    String reason = mark.meaning();
    if (mark.equals(SnapshotMarks.CONDEMNED_UNTIL)) {
      action = isWaiting ? RemovalAction.CHECK : RemovalAction.REMOVE;
      reason =
          isWaiting
              ? reason
                  + "; no other program deletes the data: delete the content, or run 'mooring undo volumesnapshotcontent/%s' first"
                      .formatted(content.meta().name())
              : "it no longer delays a deletion";
    }
    return new LeftoverObject(
        Kind.SNAPSHOT_CONTENT, content.meta().key(), Mark.of(mark), action, reason);
  }

  public static List<LeftoverObject> find(Node node) {
    return OwnedMarks.of(Kind.NODE).stream()
        .filter(mark -> hasMark(node.meta(), mark))
        .map(mark -> evaluate(node, mark))
        .toList();
  }

  private static LeftoverObject evaluate(Node node, OwnedKey mark) {
    return node.isOutOfService()
        ? new LeftoverObject(
            Kind.NODE,
            node.meta().key(),
            Mark.of(mark),
            RemovalAction.CHECK,
            "no other program removes the taint: after the node's next start run kubectl taint nodes %s node.kubernetes.io/out-of-service-"
                .formatted(node.meta().name()))
        : new LeftoverObject(
            Kind.NODE,
            node.meta().key(),
            Mark.of(mark),
            RemovalAction.REMOVE,
            "the node no longer has the taint");
  }

  static LeftoverObject recyclerPod(ObjectKey pod, String volume) {
    return new LeftoverObject(
        Kind.POD,
        pod,
        LeftoverObject.WHOLE,
        RemovalAction.REMOVE,
        "it empties volume "
            + volume
            + "; the next recycler does not know about it, and both would run at the same time");
  }

  static LeftoverObject helperPod(ObjectKey pod, String component) {
    return new LeftoverObject(
        Kind.POD,
        pod,
        LeftoverObject.WHOLE,
        RemovalAction.REMOVE,
        "a plugin created it as "
            + component
            + " and no longer waits for it; the next provisioner of its volume would work at the same time");
  }

  static LeftoverObject lease(ObjectKey lease) {
    return new LeftoverObject(
        Kind.LEASE,
        lease,
        LeftoverObject.WHOLE,
        RemovalAction.REMOVE,
        "no other process uses this election");
  }
}
