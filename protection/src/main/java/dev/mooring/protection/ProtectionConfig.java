package dev.mooring.protection;

/**
 * Configuration of the protection controllers.
 *
 * @param writesUnusedCondition whether to write the condition {@code Unused} of claims (Kubernetes'
 *     gate {@code PersistentVolumeClaimUnusedSinceTime})
 * @param ephemeralWorkers number of pods whose generic ephemeral volumes are processed
 *     concurrently; at least 1
 */
public record ProtectionConfig(boolean writesUnusedCondition, int ephemeralWorkers) {}
