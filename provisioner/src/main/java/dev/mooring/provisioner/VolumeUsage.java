package dev.mooring.provisioner;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;

/**
 * Result of the latest measurement of a volume.
 *
 * @param files number of files
 */
public record VolumeUsage(
    ObjectKey claim, String volume, long bytes, long files, Quantity capacity) {}
