package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What may change in a pod's status. */
final class PodStatuses {
  private static final List<String> CONDITIONS = List.of("PodScheduled", "Ready", "Initialized");

  private PodStatuses() {}

  static void validate(JsonObject object, JsonObject old, FieldErrors errors) {
    Place status = new Place(child(object, "status"), "status", errors);
    Place before = new Place(child(old.deepCopy(), "status"), "status", new FieldErrors());
    for (Place condition : status.all("conditions")) {
      condition.atLeast("observedGeneration", 0);
      if (!CONDITIONS.contains(condition.text("type"))) {
        ObjectNames.qualified(condition.text("type"), condition.path("Type"), errors);
      }
    }
    nominated(status, before, text(old, "spec", "nodeName"));
    status.atLeast("observedGeneration", 0);
    if (!status.text("qosClass").equals(before.text("qosClass"))) {
      errors.immutable("status.qosClass", status.text("qosClass"));
    }
    if (text(old, "spec", "restartPolicy").equals("Always")
        || text(old, "spec", "restartPolicy").equals("OnFailure")) {
      restarts(status, before, text(old, "spec", "restartPolicy").equals("OnFailure"));
    }
    addresses(status, before, "podIPs");
    addresses(status, before, "hostIPs");
    List<Place> hosts = status.all("hostIPs");
    if (!hosts.isEmpty() && !hosts.getFirst().text("ip").equals(status.text("hostIP"))) {
      hosts.getFirst().invalid("ip", "must be equal to `hostIP`");
    }
  }

  private static void nominated(Place status, Place before, String node) {
    String field = "nominatedNodeName";
    if (status.isEmpty(field) || status.text(field).equals(before.text(field))) {
      return;
    }
    status.subdomain(field);
    if (!node.isEmpty()) {
      status.forbidden(field, "may not be set on pods that are already bound to a node");
    }
  }

  /** A container that ended does not leave that state where its policy would not restart it. */
  private static void restarts(Place status, Place before, boolean onFailure) {
    Map<String, Place> ended = new HashMap<>();
    before.each(
        "containerStatuses",
        s -> {
          if (s.has("state", "terminated")) {
            ended.put(s.text("name"), s);
          }
        });
    for (Place now : status.all("containerStatuses")) {
      Place was = ended.get(now.text("name"));
      boolean stays =
          was != null && onFailure && was.in("state").in("terminated").number("exitCode") == 0;
      if (stays && !now.has("state", "terminated")) {
        now.forbidden("state", "may not be transitioned to non-terminated state");
      }
    }
  }

  private static void addresses(Place status, Place before, String list) {
    List<String> had = before.all(list).stream().map(a -> a.text("ip")).toList();
    List<Place> all = status.all(list);
    for (Place one : all) {
      if (!had.contains(one.text("ip"))) {
        Addresses.ip(one.text("ip"), one.field(), one.errors());
      }
    }
    List<String> written = all.stream().map(a -> a.text("ip")).toList();
    if (!Addresses.isOneOfEach(written)) {
      status.invalid(list, "may specify no more than one IP for each IP family");
    }
  }
}
