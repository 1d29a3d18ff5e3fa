package dev.mooring.provisioner.execute;

import dev.mooring.storage.SavedVolumes;

/**
 * Receivers of the results of creating and deleting volumes.
 *
 * @param reporter emits events and logs
 * @param stats counts by class
 * @param saved receives the claims whose volumes are saved
 */
public record ProvisionListeners(
    ProvisionReporter reporter, ProvisionStats stats, SavedVolumes saved) {}
