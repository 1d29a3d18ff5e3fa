package dev.mooring.model;

/**
 * A CSIDriver.
 *
 * @param meta name and version
 * @param attachRequired whether its volumes must be attached; true if the field is missing
 * @param storageCapacity whether capacity is published for it
 */
public record CsiDriver(Meta meta, boolean attachRequired, boolean storageCapacity)
    implements Resource {}
