package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.NodeView.AttachState;

/**
 * Volume on a node, as the actual state of world has it.
 *
 * @param mustBeListed whether the node's status must list the volume
 * @param onlyInUse whether only the node's list of volumes in use shows the volume
 * @param unneededSince when the node was first found without need for it, on the monotonic clock; 0
 *     while a pod needs it or nothing was decided
 */
public record NodeEntry(
    String node,
    AttachState attachState,
    boolean mustBeListed,
    boolean onlyInUse,
    long unneededSince) {}
