package dev.mooring.protection;

/**
 * How claims are protected and made.
 *
 * @param tellsUnused whether claims say since when no pod uses them (Kubernetes' gate {@code
 *     PersistentVolumeClaimUnusedSinceTime})
 * @param ephemeralWorkers pods whose generic ephemeral volumes are worked on at once, at least 1
 */
public record ProtectionConfig(boolean tellsUnused, int ephemeralWorkers) {}
