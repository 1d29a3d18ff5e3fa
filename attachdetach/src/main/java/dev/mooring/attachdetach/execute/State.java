package dev.mooring.attachdetach.execute;

/**
 * What operations see of both worlds.
 *
 * @param desired what is wanted
 * @param actual what is
 */
public record State(DesiredState desired, ActualState actual) {}
