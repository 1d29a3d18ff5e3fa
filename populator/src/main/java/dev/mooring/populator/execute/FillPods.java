package dev.mooring.populator.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.Fact;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.populator.decide.FillPod;
import dev.mooring.populator.decide.PopulatorMarks;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads populator pods live. Pods of all namespaces need not be watched for them. Thread-safe. */
public record FillPods(LiveReader reader) {
  public Fact<FillPod> read(ObjectKey key) throws InterruptedException {
    ReadResult<Map<String, Object>> answer = reader.readWhole(Kind.POD, key);
    return answer.map(pod -> parse(key, pod)).fact();
  }

  private static FillPod parse(ObjectKey key, Map<String, Object> pod) {
    Map<?, ?> metadata = mapAt(pod, "metadata");
    String mark = textAt(mapAt(metadata, "annotations"), PopulatorMarks.POPULATES);
    int slash = mark.lastIndexOf('/');
    Map<?, ?> status = mapAt(pod, "status");
    return new FillPod(
        key,
        Uid.of(textAt(metadata, "uid")),
        mark.substring(0, Math.max(0, slash)),
        Uid.of(mark.substring(slash + 1)),
        Pod.Phase.of(textAt(status, "phase")),
        !textAt(metadata, "deletionTimestamp").isEmpty(),
        parseSeconds(textAt(metadata, "creationTimestamp")),
        findFailure(status));
  }

  private static long parseSeconds(String time) {
    try {
      return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
    } catch (DateTimeParseException e) {
      return 0;
    }
  }

  private static String findFailure(Map<?, ?> status) {
    String message = textAt(status, "message");
    if (!message.isEmpty()) {
      return message;
    }
    if (status.get("containerStatuses") instanceof List<?> containers) {
      for (Object container : containers) {
        Map<?, ?> end = mapAt(mapAt(container, "state"), "terminated");
        if (end.get("exitCode") instanceof Number code && code.intValue() != 0) {
          String text = textAt(end, "message");
          return "container %s ended with code %s%s"
              .formatted(textAt(mapAt(container), "name"), code, text.isEmpty() ? "" : ": " + text);
        }
      }
    }
    return textAt(status, "reason");
  }

  private static Map<?, ?> mapAt(Object parent, String name) {
    return mapAt(mapAt(parent).get(name));
  }

  private static Map<?, ?> mapAt(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String textAt(Map<?, ?> parent, String name) {
    return parent.get(name) instanceof String text ? text : "";
  }
}
