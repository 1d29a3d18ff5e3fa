package dev.mooring.wire;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.storage.decide.Condemnation;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Labels and annotations that are retained per kind: only those that Mooring reads. Tenants can
 * write a quarter of a megabyte of annotations to every object; the rest is therefore dropped
 * during decoding. Decisions that need another annotation must add it here. Mooring's own keys need
 * no entry.
 *
 * @param labels selects label keys
 * @param annotations selects annotation keys
 * @param maxLength maximum length of an annotation's value; the rest is truncated
 */
record RetainedFields(Predicate<String> labels, Predicate<String> annotations, int maxLength) {
  // Annotations of tenants contain names of objects and provisioners, which have at most 253
  // characters.
  private static final int MAX_TENANT_VALUE = 1024;

  private static final Predicate<String> NO_KEYS = name -> false;
  private static final Predicate<String> ALL_KEYS = name -> true;

  // Only `mooring undo` reads the manifest of a deleted snapshot.
  private static final Predicate<String> OWN_KEYS =
      name -> name.startsWith(OwnedKey.PREFIX) && !name.equals(Condemnation.SNAPSHOT_MANIFEST);

  static final RetainedFields NOTHING = new RetainedFields(NO_KEYS, NO_KEYS, 0);

  static final RetainedFields LABELS = new RetainedFields(ALL_KEYS, NO_KEYS, 0);

  static final RetainedFields EVERYTHING =
      new RetainedFields(ALL_KEYS, ALL_KEYS, Integer.MAX_VALUE);

  // Administrators and provisioners create volumes. Claims select by all labels, and plugins read
  // annotations of their own. Only `mooring undo` reads manifests of deleted claims.
  static final RetainedFields OF_VOLUME =
      new RetainedFields(
          ALL_KEYS,
          name ->
              !name.equals("kubectl.kubernetes.io/last-applied-configuration")
                  && !name.equals("mooring.dev/deleted-claim"),
          Integer.MAX_VALUE);

  // Tenants create claims. A live read provides other metadata that a plugin or a class's
  // parameters need for provisioning.
  static final RetainedFields OF_CLAIM =
      new RetainedFields(
          OWN_KEYS,
          orOwn(
              "pv.kubernetes.io/bind-completed",
              "pv.kubernetes.io/bound-by-controller",
              "pv.kubernetes.io/migrated-to",
              "volume.beta.kubernetes.io/storage-class",
              "volume.beta.kubernetes.io/storage-provisioner",
              "volume.kubernetes.io/selected-node",
              "volume.kubernetes.io/storage-provisioner",
              "volume.kubernetes.io/storage-resizer"),
          MAX_TENANT_VALUE);

  // Labels of nodes contain topology under keys that drivers choose.
  static final RetainedFields OF_NODE =
      new RetainedFields(
          ALL_KEYS,
          orOwn("volumes.kubernetes.io/controller-managed-attach-detach"),
          MAX_TENANT_VALUE);

  // Administrators create few classes; plugins read arbitrary annotations.
  static final RetainedFields OF_CLASS =
      new RetainedFields(
          NO_KEYS,
          name -> !name.equals("kubectl.kubernetes.io/last-applied-configuration"),
          Integer.MAX_VALUE);

  // Drivers choose node ids and volume handles, of any length.
  static final RetainedFields OF_ATTACHMENT =
      new RetainedFields(NO_KEYS, orOwn("csi.alpha.kubernetes.io/node-id"), Integer.MAX_VALUE);

  static final RetainedFields OF_CAPACITY =
      new RetainedFields(
          Set.of("csi.storage.k8s.io/drivername", "csi.storage.k8s.io/managed-by")::contains,
          NO_KEYS,
          MAX_TENANT_VALUE);

  static final RetainedFields OF_SNAPSHOT_CONTENT =
      new RetainedFields(
          SnapshotContent.MANAGED_BY::equals,
          orOwn(
              SnapshotContent.BEING_DELETED,
              SnapshotContent.BEING_CREATED,
              SnapshotContent.SECRET_NAME,
              SnapshotContent.SECRET_NAMESPACE,
              SnapshotContent.GROUP_MEMBER),
          MAX_TENANT_VALUE);

  static final RetainedFields OF_SNAPSHOT_CLASS =
      new RetainedFields(NO_KEYS, orOwn(SnapshotClass.DEFAULT), MAX_TENANT_VALUE);

  static final RetainedFields OF_GROUP_CONTENT =
      new RetainedFields(
          NO_KEYS,
          Set.of(
                  GroupSnapshotContent.BEING_DELETED,
                  GroupSnapshotContent.BEING_CREATED,
                  GroupSnapshotContent.SECRET_NAME,
                  GroupSnapshotContent.SECRET_NAMESPACE)
              ::contains,
          MAX_TENANT_VALUE);

  static final RetainedFields OF_GROUP_CLASS =
      new RetainedFields(NO_KEYS, GroupSnapshotClass.DEFAULT::equals, MAX_TENANT_VALUE);

  static final RetainedFields OF_BOOKMARK =
      new RetainedFields(NO_KEYS, "k8s.io/initial-events-end"::equals, MAX_TENANT_VALUE);

  private static Predicate<String> orOwn(String... names) {
    return OWN_KEYS.or(Set.of(names)::contains);
  }
}
