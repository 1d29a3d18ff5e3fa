package dev.mooring.attachdetach.decide;

import java.util.List;

/**
 * One volume and every node that uses it or has it.
 *
 * @param id its unique name
 * @param exclusive whether one node at a time may have it
 * @param nodes the nodes, those whose pods came first in front; of a volume that nodes may share
 *     only those that are looked at
 */
public record AttachView(VolumeId id, boolean exclusive, List<NodeView> nodes) {}
