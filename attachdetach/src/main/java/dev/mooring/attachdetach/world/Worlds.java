package dev.mooring.attachdetach.world;

/**
 * Both worlds, which are compared.
 *
 * @param desired what is wanted
 * @param actual what is
 */
public record Worlds(DesiredStateOfWorld desired, ActualStateOfWorld actual) {}
