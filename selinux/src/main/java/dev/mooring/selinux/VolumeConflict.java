package dev.mooring.selinux;

import dev.mooring.model.ObjectKey;

/**
 * Conflict between two pods that share a volume, as reported in metrics.
 *
 * @param property property that differs: SELinuxLabel or SELinuxChangePolicy
 * @param value the property's value in {@code pod}; "" if unset
 * @param otherValue the property's value in {@code other}; "" if unset
 */
public record VolumeConflict(
    String property, ObjectKey pod, String value, ObjectKey otherPod, String otherValue) {}
