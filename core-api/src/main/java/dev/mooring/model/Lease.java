package dev.mooring.model;

/**
 * A Lease.
 *
 * @param meta key and version
 * @param holder spec.holderIdentity; "" if none
 * @param durationSeconds spec.leaseDurationSeconds; 0 if absent
 * @param renewedMicros spec.renewTime in microseconds since the epoch; 0 if absent
 * @param acquiredMicros spec.acquireTime in microseconds since the epoch; 0 if absent
 * @param transitions spec.leaseTransitions; 0 if absent
 */
public record Lease(
    Meta meta,
    String holder,
    int durationSeconds,
    long renewedMicros,
    long acquiredMicros,
    int transitions)
    implements Resource {}
