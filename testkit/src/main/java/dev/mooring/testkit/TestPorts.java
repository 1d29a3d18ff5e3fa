package dev.mooring.testkit;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.time.Time;
import java.util.List;

/** Ports of a controller under test. */
public final class TestPorts {
  private TestPorts() {}

  /** Returns the ports of a cluster that has no past events. */
  public static <C extends ClusterWriter & LiveReader> ClusterPorts of(
      C cluster, EventSink events, Time time) {
    return new ClusterPorts(
        cluster, cluster, events, (key, uid) -> new ReadResult.Found<>(List.of()), time);
  }
}
