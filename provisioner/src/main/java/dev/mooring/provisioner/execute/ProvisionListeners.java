package dev.mooring.provisioner.execute;

import dev.mooring.storage.SavedVolumes;

/**
 * Who hears how making and destroying volumes ended.
 *
 * @param reporter tells it
 * @param stats counts it, by class
 * @param saved knows for which claims all is done
 */
public record ProvisionListeners(
    ProvisionReporter reporter, ProvisionStats stats, SavedVolumes saved) {}
