package dev.mooring.attachdetach.decide;

import java.util.List;

/**
 * The nodes of which each may have a volume that one at a time may have.
 *
 * @param nodes their names
 * @param change which change made it so: another number means that something has happened since
 */
public record ContestedNodes(List<String> nodes, long change) {}
