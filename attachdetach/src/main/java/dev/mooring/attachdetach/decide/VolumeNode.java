package dev.mooring.attachdetach.decide;

/**
 * A volume on a node: what is attached and detached.
 *
 * @param volume the volume
 * @param node the node's name
 */
public record VolumeNode(VolumeId volume, String node) {}
