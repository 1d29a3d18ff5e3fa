package dev.mooring.snapshots;

import static dev.mooring.cluster.Right.Verb.CREATE;
import static dev.mooring.cluster.Right.Verb.DELETE;
import static dev.mooring.cluster.Right.Verb.GET;
import static dev.mooring.cluster.Right.Verb.PATCH;

import dev.mooring.cluster.Rights;
import dev.mooring.model.Kind;

/** What the snapshot controller reads and writes. */
public final class SnapshotRights {
  /** What it has to be allowed. */
  public static final Rights ALL =
      Rights.to("making, binding and deleting snapshots")
          .mayCache(Kind.SNAPSHOT)
          .mayCache(Kind.SNAPSHOT_CONTENT)
          .mayCache(Kind.SNAPSHOT_CLASS)
          .may(Kind.SNAPSHOT, PATCH)
          .mayStatus(Kind.SNAPSHOT, PATCH)
          .may(Kind.SNAPSHOT_CONTENT, GET, CREATE, PATCH, DELETE)
          .may(Kind.CLAIM, GET, PATCH)
          .mayTell();

  private SnapshotRights() {}
}
