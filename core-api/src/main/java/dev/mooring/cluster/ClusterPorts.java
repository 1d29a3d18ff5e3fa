package dev.mooring.cluster;

import dev.mooring.time.Time;

/**
 * All ports of a controller: the cluster and the clock.
 *
 * @param reader quorum reads that bypass every cache
 * @param pastEvents reads events of all reporters
 * @param time clock, timers and threads
 */
public record ClusterPorts(
    ClusterWriter writer, LiveReader reader, EventSink events, EventReader pastEvents, Time time) {}
