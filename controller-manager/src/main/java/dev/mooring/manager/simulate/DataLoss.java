package dev.mooring.manager.simulate;

/**
 * Volume whose data is destroyed.
 *
 * @param claim namespace/name of its last claim
 * @param cause why it is destroyed
 */
public record DataLoss(
    String volume,
    String claim,
    String capacity,
    String storageClass,
    String driver,
    String cause) {}
