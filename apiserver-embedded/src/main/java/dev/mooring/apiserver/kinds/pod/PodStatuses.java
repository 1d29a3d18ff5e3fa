package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.IpAddresses;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class PodStatuses {
  private static final List<String> STANDARD_CONDITIONS =
      List.of("PodScheduled", "Ready", "Initialized");

  private PodStatuses() {}

  static void validate(JsonObject object, JsonObject old, FieldErrors errors) {
    ValidatedObject status = ValidatedObject.ofMember(object, "status", errors);
    ValidatedObject oldStatus = ValidatedObject.forReading(old, "status");
    for (ValidatedObject condition : status.getChildren("conditions")) {
      condition.checkAtLeast("observedGeneration", 0);
      if (!STANDARD_CONDITIONS.contains(condition.text("type"))) {
        ObjectNames.validateQualifiedName(condition.text("type"), condition.path("Type"), errors);
      }
    }
    validateNominatedNode(status, oldStatus, textAt(old, "spec", "nodeName"));
    status.checkAtLeast("observedGeneration", 0);
    if (!status.text("qosClass").equals(oldStatus.text("qosClass"))) {
      errors.addImmutable("status.qosClass", status.text("qosClass"));
    }
    if (textAt(old, "spec", "restartPolicy").equals("Always")
        || textAt(old, "spec", "restartPolicy").equals("OnFailure")) {
      validateRestarts(status, oldStatus, textAt(old, "spec", "restartPolicy").equals("OnFailure"));
    }
    validateAddresses(status, oldStatus, "podIPs");
    validateAddresses(status, oldStatus, "hostIPs");
    List<ValidatedObject> hostIps = status.getChildren("hostIPs");
    if (!hostIps.isEmpty() && !hostIps.getFirst().text("ip").equals(status.text("hostIP"))) {
      hostIps.getFirst().addInvalid("ip", "must be equal to `hostIP`");
    }
  }

  private static void validateNominatedNode(
      ValidatedObject status, ValidatedObject oldStatus, String nodeName) {
    String field = "nominatedNodeName";
    if (status.isEmpty(field) || status.text(field).equals(oldStatus.text(field))) {
      return;
    }
    status.checkSubdomain(field);
    if (!nodeName.isEmpty()) {
      status.addForbidden(field, "may not be set on pods that are already bound to a node");
    }
  }

  // A terminated container stays terminated unless the restart policy restarts it.
  private static void validateRestarts(
      ValidatedObject status, ValidatedObject oldStatus, boolean isOnFailure) {
    Map<String, ValidatedObject> terminatedContainers = new HashMap<>();
    oldStatus.forEachChild(
        "containerStatuses",
        s -> {
          if (s.has("state", "terminated")) {
            terminatedContainers.put(s.text("name"), s);
          }
        });
    for (ValidatedObject container : status.getChildren("containerStatuses")) {
      ValidatedObject oldContainer = terminatedContainers.get(container.text("name"));
      boolean isFinal =
          oldContainer != null
              && isOnFailure
              && oldContainer.getChild("state").getChild("terminated").number("exitCode") == 0;
      if (isFinal && !container.has("state", "terminated")) {
        container.addForbidden("state", "may not be transitioned to non-terminated state");
      }
    }
  }

  private static void validateAddresses(
      ValidatedObject status, ValidatedObject oldStatus, String listField) {
    List<String> oldAddresses =
        oldStatus.getChildren(listField).stream().map(a -> a.text("ip")).toList();
    List<ValidatedObject> addresses = status.getChildren(listField);
    for (ValidatedObject address : addresses) {
      if (!oldAddresses.contains(address.text("ip"))) {
        IpAddresses.validateIp(address.text("ip"), address.field(), address.errors());
      }
    }
    List<String> newAddresses = addresses.stream().map(a -> a.text("ip")).toList();
    if (!IpAddresses.hasOnePerFamily(newAddresses)) {
      status.addInvalid(listField, "may specify no more than one IP for each IP family");
    }
  }
}
