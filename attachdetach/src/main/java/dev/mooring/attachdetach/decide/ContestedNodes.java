package dev.mooring.attachdetach.decide;

import java.util.List;

/**
 * Nodes that may each have an exclusive volume.
 *
 * @param change number of the last change; another number means that the state has changed since
 */
public record ContestedNodes(List<String> nodes, long change) {}
