package dev.mooring.kube;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    List<Map<?, ?>> events = new ArrayList<>();
    if (list.get("items") instanceof List<?> items) {
      items.forEach(item -> events.add(toMembers(item)));
    }
    events.sort(Comparator.comparing(event -> getMetadata(event, "name")));
    return events.stream()
        .map(event ->
            new PastEvent(
                Uid.of(getMetadata(event, "uid")),
                toText(event.get("type")).equals("Warning")
                    ? ClusterEvent.Type.WARNING
                    : ClusterEvent.Type.NORMAL,
                toText(event.get("message")),
                toText(event.get("reason")),
                getLastTime(event)))
        .toList();
  }

  // Returns the latest time stamp of an event of either API.
  private static long getLastTime(Map<?, ?> event) {
    return Stream.of(
            event.get("lastTimestamp"),
            toMembers(event.get("series")).get("lastObservedTime"),
            event.get("eventTime"),
            event.get("firstTimestamp"))
        .mapToLong(time -> parseSeconds(toText(time)))
        .max()
        .orElse(0);
  }

  private static long parseSeconds(String time) {
    try {
      return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
    } catch (DateTimeParseException noTime) {
      return 0;
    }
  }

  private static String getMetadata(Map<?, ?> event, String name) {
    return toText(toMembers(event.get("metadata")).get(name));
  }

  private static Map<?, ?> toMembers(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String toText(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }
}
