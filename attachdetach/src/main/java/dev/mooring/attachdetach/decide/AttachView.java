package dev.mooring.attachdetach.decide;

import java.util.List;

/**
 * Volume and the nodes that use it or have it.
 *
 * @param exclusive whether only one node at a time may have it
 * @param nodes nodes in the order of their pods' arrival; for a shared volume only the nodes under
 *     decision
 */
public record AttachView(VolumeId id, boolean exclusive, List<NodeView> nodes) {}
