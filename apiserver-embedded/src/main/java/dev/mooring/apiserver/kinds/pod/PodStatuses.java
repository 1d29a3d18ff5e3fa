package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.IpAddresses;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class PodStatuses {
  private static final List<String> CONDITIONS = List.of("PodScheduled", "Ready", "Initialized");

  private PodStatuses() {}

  static void validate(JsonObject object, JsonObject old, FieldErrors errors) {
    ValidatedObject status = ValidatedObject.of(object, "status", errors);
    ValidatedObject before = ValidatedObject.reading(old, "status");
    for (ValidatedObject condition : status.children("conditions")) {
      condition.checkAtLeast("observedGeneration", 0);
      if (!CONDITIONS.contains(condition.text("type"))) {
        ObjectNames.validateQualifiedName(condition.text("type"), condition.path("Type"), errors);
      }
    }
    validateNominatedNode(status, before, text(old, "spec", "nodeName"));
    status.checkAtLeast("observedGeneration", 0);
    if (!status.text("qosClass").equals(before.text("qosClass"))) {
      errors.addImmutable("status.qosClass", status.text("qosClass"));
    }
    if (text(old, "spec", "restartPolicy").equals("Always")
        || text(old, "spec", "restartPolicy").equals("OnFailure")) {
      validateRestarts(status, before, text(old, "spec", "restartPolicy").equals("OnFailure"));
    }
    validateAddresses(status, before, "podIPs");
    validateAddresses(status, before, "hostIPs");
    List<ValidatedObject> hosts = status.children("hostIPs");
    if (!hosts.isEmpty() && !hosts.getFirst().text("ip").equals(status.text("hostIP"))) {
      hosts.getFirst().addInvalid("ip", "must be equal to `hostIP`");
    }
  }

  private static void validateNominatedNode(
      ValidatedObject status, ValidatedObject before, String node) {
    String field = "nominatedNodeName";
    if (status.isEmpty(field) || status.text(field).equals(before.text(field))) {
      return;
    }
    status.checkSubdomain(field);
    if (!node.isEmpty()) {
      status.addForbidden(field, "may not be set on pods that are already bound to a node");
    }
  }

  // A terminated container stays terminated unless the restart policy restarts it.
  private static void validateRestarts(
      ValidatedObject status, ValidatedObject before, boolean onFailure) {
    Map<String, ValidatedObject> ended = new HashMap<>();
    before.each(
        "containerStatuses",
        s -> {
          if (s.has("state", "terminated")) {
            ended.put(s.text("name"), s);
          }
        });
    for (ValidatedObject now : status.children("containerStatuses")) {
      ValidatedObject was = ended.get(now.text("name"));
      boolean stays =
          was != null
              && onFailure
              && was.child("state").child("terminated").number("exitCode") == 0;
      if (stays && !now.has("state", "terminated")) {
        now.addForbidden("state", "may not be transitioned to non-terminated state");
      }
    }
  }

  private static void validateAddresses(
      ValidatedObject status, ValidatedObject before, String list) {
    List<String> had = before.children(list).stream().map(a -> a.text("ip")).toList();
    List<ValidatedObject> all = status.children(list);
    for (ValidatedObject one : all) {
      if (!had.contains(one.text("ip"))) {
        IpAddresses.validateIp(one.text("ip"), one.field(), one.errors());
      }
    }
    List<String> written = all.stream().map(a -> a.text("ip")).toList();
    if (!IpAddresses.isOneOfEach(written)) {
      status.addInvalid(list, "may specify no more than one IP for each IP family");
    }
  }
}
