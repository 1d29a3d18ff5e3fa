package dev.mooring.selinux;

import dev.mooring.model.ObjectKey;

/**
 * Two pods that cannot use a volume at the same time on a node, for metrics.
 *
 * @param property what they differ in: SELinuxLabel or SELinuxChangePolicy
 * @param pod one of them
 * @param value what it has, "" for none
 * @param other the other one
 * @param otherValue what that one has, "" for none
 */
public record VolumeConflict(
    String property, ObjectKey pod, String value, ObjectKey other, String otherValue) {}
