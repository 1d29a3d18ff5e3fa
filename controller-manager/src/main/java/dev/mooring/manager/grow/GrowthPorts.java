package dev.mooring.manager.grow;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ManifestWriter;

public record GrowthPorts(LiveReader reader, ClusterWriter writer, ManifestWriter manifests) {}
