package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.NodeView.AttachState;

/**
 * Volume on a node, as the actual state of world has it.
 *
 * @param mustBeListed whether the node's status must list the volume
 * @param onlyInUse whether only the node's list of volumes in use shows the volume
 * @param unneededSince time of the first decision that no pod on the node needs the volume, on the
 *     monotonic clock; 0 while a pod needs it or before the first decision
 */
public record NodeEntry(
    String node,
    AttachState attachState,
    boolean mustBeListed,
    boolean onlyInUse,
    long unneededSince) {}
