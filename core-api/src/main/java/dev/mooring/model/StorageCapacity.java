package dev.mooring.model;

import org.jspecify.annotations.Nullable;

/**
 * A CSIStorageCapacity: available capacity of a class in a topology segment.
 *
 * @param meta name, labels and version
 * @param nodeTopology nodes in the segment; null for no nodes
 * @param storageClass name of the StorageClass
 * @param capacity available capacity; null if unknown
 * @param maximumVolumeSize maximum size of one volume; null if unknown
 */
public record StorageCapacity(
    Meta meta,
    @Nullable LabelSelector nodeTopology,
    String storageClass,
    @Nullable Quantity capacity,
    @Nullable Quantity maximumVolumeSize)
    implements Resource {}
