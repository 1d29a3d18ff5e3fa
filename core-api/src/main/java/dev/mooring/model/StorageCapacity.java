package dev.mooring.model;

import org.jspecify.annotations.Nullable;

/**
 * A CSIStorageCapacity: how much room a class has where.
 *
 * @param meta name, labels and version
 * @param nodeTopology the nodes that it is about; null for none at all
 * @param storageClass the class
 * @param capacity how much room there is; null if that is not known
 * @param maximumVolumeSize how large a volume may be; null if that is not known
 */
public record StorageCapacity(
    Meta meta,
    @Nullable LabelSelector nodeTopology,
    String storageClass,
    @Nullable Quantity capacity,
    @Nullable Quantity maximumVolumeSize)
    implements Resource {}
