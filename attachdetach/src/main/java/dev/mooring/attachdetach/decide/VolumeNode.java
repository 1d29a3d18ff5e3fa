package dev.mooring.attachdetach.decide;

/** Volume on a node: the unit of attach and detach. */
public record VolumeNode(VolumeId volume, String node) {}
