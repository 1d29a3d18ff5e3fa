package dev.mooring.populator.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.Fact;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.populator.decide.FillPod;
import dev.mooring.populator.decide.PopulatorMarks;
import java.util.Map;

/** Reads populator pods live. Pods of all namespaces need not be watched for them. Thread-safe. */
public record FillPods(LiveReader reader) {
  public Fact<FillPod> read(ObjectKey key) throws InterruptedException {
    ReadResult<Map<String, Object>> answer = reader.readWhole(Kind.POD, key);
    return answer.map(pod -> parse(key, pod)).fact();
  }

  private static FillPod parse(ObjectKey key, Map<String, Object> members) {
    RawObject pod = new RawObject(members);
    RawObject metadata = pod.at("metadata");
    String mark = metadata.text("annotations", PopulatorMarks.POPULATES);
    int slash = mark.lastIndexOf('/');
    RawObject status = pod.at("status");
    return new FillPod(
        key,
        Uid.of(metadata.text("uid")),
        mark.substring(0, Math.max(0, slash)),
        Uid.of(mark.substring(slash + 1)),
        Pod.Phase.of(status.text("phase")),
        metadata.contains("deletionTimestamp"),
        metadata.seconds("creationTimestamp"),
        findFailure(status));
  }

  private static String findFailure(RawObject status) {
    String message = status.text("message");
    if (!message.isEmpty()) {
      return message;
    }
    for (RawObject container : status.objects("containerStatuses")) {
      RawObject end = container.at("state", "terminated");
      if (end.members().get("exitCode") instanceof Number code && code.intValue() != 0) {
        String text = end.text("message");
        return "container %s ended with code %s%s"
            .formatted(container.text("name"), code, text.isEmpty() ? "" : ": " + text);
      }
    }
    return status.text("reason");
  }
}
