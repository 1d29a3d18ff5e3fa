package dev.mooring.kube.wire;

import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which labels and annotations are kept, kind by kind: those that somebody reads, and no others.
 * Whoever may write an object can write a quarter of a megabyte of annotations on it, and as many
 * objects as there is room for; what nobody reads is dropped while it is read from the wire. This
 * is the one place to add an annotation to that a decision is to be made by.
 *
 * @param labels of which names
 * @param annotations of which names
 * @param longest how many characters of an annotation's value; the rest is cut off
 */
record Kept(Predicate<String> labels, Predicate<String> annotations, int longest) {
  /**
   * What annotations of tenants hold are names of objects and provisioners: these have at most 253
   * characters.
   */
  private static final int NAME = 1024;

  private static final Predicate<String> NONE = name -> false;
  private static final Predicate<String> ALL = name -> true;

  /** Of kinds whose labels and annotations no decision reads. */
  static final Kept NOTHING = new Kept(NONE, NONE, 0);

  /** Of what is chosen by labels, and not kept. */
  static final Kept LABELS = new Kept(ALL, NONE, 0);

  /** Of an object that is read for its own sake, and not kept. */
  static final Kept EVERYTHING = new Kept(ALL, ALL, Integer.MAX_VALUE);

  /**
   * Volumes are made by administrators and provisioners. Claims choose among their labels, and
   * plugins read what they themselves wrote into the annotations.
   */
  static final Kept OF_VOLUME =
      new Kept(
          ALL,
          name -> !name.equals("kubectl.kubernetes.io/last-applied-configuration"),
          Integer.MAX_VALUE);

  /**
   * Claims are made by tenants. What a plugin, or a class's parameters, want to know of a claim
   * besides is asked of the server when its volume is made.
   */
  static final Kept OF_CLAIM =
      new Kept(
          NONE,
          Set.of(
                  "pv.kubernetes.io/bind-completed",
                  "pv.kubernetes.io/bound-by-controller",
                  "pv.kubernetes.io/migrated-to",
                  "volume.beta.kubernetes.io/storage-class",
                  "volume.beta.kubernetes.io/storage-provisioner",
                  "volume.kubernetes.io/selected-node",
                  "mooring.dev/none",
                  "volume.kubernetes.io/storage-provisioner",
                  "volume.kubernetes.io/storage-resizer")
              ::contains,
          NAME);

  /** Topology is among the labels of nodes, under names that drivers choose. */
  static final Kept OF_NODE =
      new Kept(ALL, "volumes.kubernetes.io/controller-managed-attach-detach"::equals, NAME);

  /** Classes are few, and made by administrators; plugins read what they choose. */
  static final Kept OF_CLASS =
      new Kept(
          NONE,
          name -> !name.equals("kubectl.kubernetes.io/last-applied-configuration"),
          Integer.MAX_VALUE);

  /** Node ids and volume handles are chosen by drivers. */
  static final Kept OF_ATTACHMENT =
      new Kept(
          NONE,
          Set.of("csi.alpha.kubernetes.io/node-id", "mooring.dev/volume-handle")::contains,
          Integer.MAX_VALUE);

  static final Kept OF_CAPACITY =
      new Kept(
          Set.of("csi.storage.k8s.io/drivername", "csi.storage.k8s.io/managed-by")::contains,
          NONE,
          NAME);

  static final Kept OF_SNAPSHOT_CONTENT =
      new Kept(
          NONE,
          Set.of(
                  SnapshotContent.BEING_DELETED,
                  SnapshotContent.BEING_CREATED,
                  SnapshotContent.SECRET_NAME,
                  SnapshotContent.SECRET_NAMESPACE,
                  SnapshotContent.GROUP_MEMBER)
              ::contains,
          NAME);

  static final Kept OF_SNAPSHOT_CLASS = new Kept(NONE, SnapshotClass.DEFAULT::equals, NAME);

  static final Kept OF_GROUP_CONTENT =
      new Kept(
          NONE,
          Set.of(
                  GroupSnapshotContent.BEING_DELETED,
                  GroupSnapshotContent.BEING_CREATED,
                  GroupSnapshotContent.SECRET_NAME,
                  GroupSnapshotContent.SECRET_NAMESPACE)
              ::contains,
          NAME);

  static final Kept OF_GROUP_CLASS = new Kept(NONE, GroupSnapshotClass.DEFAULT::equals, NAME);

  static final Kept OF_BOOKMARK = new Kept(NONE, "k8s.io/initial-events-end"::equals, NAME);
}
