package dev.mooring.provisioner.execute;

/**
 * Who hears how making and destroying volumes ended.
 *
 * @param reporter tells it
 * @param stats counts it, by class
 */
public record ProvisionListeners(ProvisionReporter reporter, ProvisionStats stats) {}
