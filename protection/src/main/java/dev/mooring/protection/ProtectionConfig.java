package dev.mooring.protection;

/**
 * Configuration of the protection controllers.
 *
 * @param unusedCondition claims that get the condition {@code Unused}
 * @param ephemeralWorkers number of pods whose generic ephemeral volumes are processed
 *     concurrently; at least 1
 */
public record ProtectionConfig(UnusedCondition unusedCondition, int ephemeralWorkers) {}
