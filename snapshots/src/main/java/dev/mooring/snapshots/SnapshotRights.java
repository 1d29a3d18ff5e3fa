package dev.mooring.snapshots;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.DELETE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;

/** RBAC rights of the snapshot controller. */
public final class SnapshotRights {
  private static final RbacRules SNAPSHOT_RULES =
      RbacRules.forPurpose("creating, binding and deleting snapshots")
          .mayCache(Kind.SNAPSHOT)
          .mayCache(Kind.SNAPSHOT_CONTENT)
          .mayCache(Kind.SNAPSHOT_CLASS)
          .may(Kind.SNAPSHOT, GET, PATCH)
          .mayStatus(Kind.SNAPSHOT, PATCH)
          .may(Kind.SNAPSHOT_CONTENT, GET, CREATE, PATCH, DELETE)
          .may(Kind.CLAIM, GET, PATCH)
          .mayEmitEvents();

  private static final RbacRules GROUP_RULES =
      RbacRules.forPurpose("creating, binding and deleting group snapshots")
          .mayCache(Kind.GROUP_SNAPSHOT)
          .mayCache(Kind.GROUP_SNAPSHOT_CONTENT)
          .mayCache(Kind.GROUP_SNAPSHOT_CLASS)
          .may(Kind.GROUP_SNAPSHOT, GET, PATCH)
          .mayStatus(Kind.GROUP_SNAPSHOT, PATCH)
          .may(Kind.GROUP_SNAPSHOT_CONTENT, GET, CREATE, PATCH, DELETE)
          .may(Kind.SNAPSHOT, GET, CREATE, DELETE)
          .mayStatus(Kind.SNAPSHOT_CONTENT, PATCH)
          .may(Kind.CLAIM, LIST);

  private static final RbacRules NODE_RULES =
      RbacRules.forPurpose("choosing the node that creates a snapshot").mayCache(Kind.NODE);

  private SnapshotRights() {}

  public static RbacRules of(SnapshotConfig config) {
    RbacRules rules = config.groups() ? SNAPSHOT_RULES.with(GROUP_RULES) : SNAPSHOT_RULES;
    return config.distributed() ? rules.with(NODE_RULES) : rules;
  }
}
