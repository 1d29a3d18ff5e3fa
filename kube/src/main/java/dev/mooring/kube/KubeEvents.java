package dev.mooring.kube;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Reads events by the uid of their object. Thread-safe; blocks. */
public record KubeEvents(KubeCluster cluster) implements EventReader {
  private static final String MAX_EVENTS = "500"; // far more than objects have

  private static final Kind<Resource> EVENT_KIND =
      new Kind<>("", "v1", "events", "Event", true, Resource.class);

  @Override
  public ReadResult<List<PastEvent>> readEvents(ObjectKey key, Uid uid)
      throws InterruptedException {
    ReadResult<Map<String, Object>> result =
        cluster.readMembers(
            () -> ApiPath.ofCollection(EVENT_KIND, key.namespace()),
            Map.of("fieldSelector", "involvedObject.uid=" + uid, "limit", MAX_EVENTS));
    return result instanceof ReadResult.Absent<Map<String, Object>>
        ? new ReadResult.Failed<>("the server does not serve events")
        : result.map(KubeEvents::parseEvents);
  }

  private static List<PastEvent> parseEvents(Map<String, Object> list) {
    return new RawObject(list)
        .objects("items").stream()
            .sorted(Comparator.comparing(event -> event.text("metadata", "name")))
            .map(event ->
                new PastEvent(
                    Uid.of(event.text("metadata", "uid")),
                    event.text("type").equals("Warning")
                        ? ClusterEvent.Type.WARNING
                        : ClusterEvent.Type.NORMAL,
                    event.text("message"),
                    event.text("reason"),
                    getLastTime(event)))
            .toList();
  }

  // Returns the latest time stamp of an event of either API.
  private static long getLastTime(RawObject event) {
    return LongStream.of(
            event.seconds("lastTimestamp"),
            event.seconds("series", "lastObservedTime"),
            event.seconds("eventTime"),
            event.seconds("firstTimestamp"))
        .max()
        .orElse(0);
  }
}
