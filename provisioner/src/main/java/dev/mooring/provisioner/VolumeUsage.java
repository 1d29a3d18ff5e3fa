package dev.mooring.provisioner;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;

/**
 * What was found in a volume when it was last measured.
 *
 * @param claim whose volume it is
 * @param volume its name
 * @param bytes what is in it
 * @param files how many files that are
 * @param capacity how large it is
 */
public record VolumeUsage(
    ObjectKey claim, String volume, long bytes, long files, Quantity capacity) {}
