package dev.mooring.cluster;

import dev.mooring.time.Time;

/**
 * What a controller acts through: the cluster, and the time that passes there.
 *
 * @param writer writes
 * @param reader live reads, past every cache
 * @param events tells events
 * @param pastEvents reads the events that others told
 * @param time clock, timers and threads
 */
public record ClusterPorts(
    ClusterWriter writer, LiveReader reader, EventSink events, EventReader pastEvents, Time time) {}
