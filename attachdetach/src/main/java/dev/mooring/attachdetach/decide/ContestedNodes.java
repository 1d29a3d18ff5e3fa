package dev.mooring.attachdetach.decide;

import java.util.List;

/**
 * The nodes of which each may have a volume that one at a time may have.
 *
 * @param nodes their names
 * @param found those of them of which nothing but an attachment told, that was not asked for here
 * @param change which change made it so: another number means that something has happened since
 */
public record ContestedNodes(List<String> nodes, List<String> found, long change) {}
