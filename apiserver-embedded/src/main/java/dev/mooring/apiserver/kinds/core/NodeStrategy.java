package dev.mooring.apiserver.kinds.core;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TableColumns;
import dev.mooring.apiserver.kinds.rules.IpAddresses;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.SchedulingRules;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

public final class NodeStrategy implements KindStrategy {
  private static final Pattern FEATURE_NAME =
      Pattern.compile("([A-Z][a-zA-Z0-9]*)(/[a-zA-Z][a-zA-Z0-9]*)*");

  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = getOrAddChild(object, "spec");
    syncPodCidrs(spec);
    spec.remove("configSource"); // dynamic kubelet configuration was removed
    JsonObject status = getOrAddChild(object, "status");
    status.remove("config");
    if (valueAt(status, "allocatable") == null
        && valueAt(status, "capacity") instanceof JsonObject capacity) {
      status.add("allocatable", capacity.deepCopy());
    }
  }

  // Makes podCIDR equal to the first of podCIDRs; podCIDR has precedence.
  private static void syncPodCidrs(JsonObject spec) {
    String podCidr = textAt(spec, "podCIDR");
    JsonArray podCidrs = spec.get("podCIDRs") instanceof JsonArray list ? list : new JsonArray();
    if (!podCidr.isEmpty()
        && (podCidrs.isEmpty() || !podCidrs.get(0).getAsString().equals(podCidr))) {
      podCidrs = new JsonArray();
      podCidrs.add(podCidr);
      spec.add("podCIDRs", podCidrs);
    } else if (podCidr.isEmpty() && !podCidrs.isEmpty()) {
      spec.add("podCIDR", podCidrs.get(0));
    }
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    TableColumns.addNullTimes(object, "lastHeartbeatTime", "lastTransitionTime");
    setDefaults(object);
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    SchedulingRules.validateTaints(spec);
    validateResources(object, errors);
    ValidatedObject status = ValidatedObject.ofMember(object, "status", errors);
    ValidatedObject swap = status.getChild("nodeInfo").getChild("swap");
    if (swap.has("capacity")) {
      swap.atPath("metadata.nodeSwapStatus").checkAtLeast("capacity", 1);
    }
    validateFeatures(status);
    List<String> podCidrs = spec.strings("podCIDRs");
    for (int i = 0; i < podCidrs.size(); i++) {
      IpAddresses.validateCidr(podCidrs.get(i), "spec.podCIDRs[" + i + "]", errors);
    }
    if (!IpAddresses.hasOnePerFamily(podCidrs)) {
      spec.addInvalid("podCIDRs", "may specify no more than one CIDR for each IP family");
    }
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return textAt(object, "spec", "externalID").isEmpty()
        ? List.of()
        : List.of("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  }

  private static void validateFeatures(ValidatedObject status) {
    List<String> features = status.strings("declaredFeatures");
    for (int i = 0; i < features.size(); i++) {
      String field = status.path("declaredFeatures") + "[" + i + "]";
      String feature = features.get(i);
      if (feature.length() > 253 || !FEATURE_NAME.matcher(feature).matches()) {
        status.errors().addInvalid(field, feature, "invalid feature name");
      }
      if (i > 0 && feature.equals(features.get(i - 1))) {
        status.errors().addDuplicate(field, feature);
      } else if (i > 0 && feature.compareTo(features.get(i - 1)) < 0) {
        status.errors().addInvalid(field, feature, "list must be sorted alphabetically");
      }
    }
  }

  private static void validateResources(JsonObject object, FieldErrors errors) {
    for (String resourceField : List.of("capacity", "allocatable")) {
      if (valueAt(object, "status", resourceField) instanceof JsonObject amounts) {
        for (Map.Entry<String, JsonElement> amount : amounts.entrySet()) {
          ResourceAmounts.validateAmount(
              amount.getKey(),
              amount.getValue(),
              "status." + resourceField + "." + amount.getKey(),
              errors);
        }
      }
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
    validateStatus(object, old, errors);
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    validateResources(object, errors);
    validateFeatures(ValidatedObject.ofMember(object, "status", errors));
    Set<JsonObject> addresses = new HashSet<>();
    for (ValidatedObject address :
        ValidatedObject.ofMember(object, "status", errors).getChildren("addresses")) {
      if (!addresses.add(address.object())) {
        errors.addDuplicate(address.field(), address.object());
      }
    }
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    ValidatedObject oldSpec = ValidatedObject.forReading(old, "spec");
    validatePodCidrsUnchanged(spec, oldSpec);
    if (!oldSpec.isEmpty("providerID")
        && !oldSpec.text("providerID").equals(spec.text("providerID"))) {
      spec.addForbidden(
          "providerID", "node updates may not change providerID except from \"\" to valid");
    }
    SchedulingRules.validateTaints(spec);
    if (!spec.text("externalID").equals(oldSpec.text("externalID"))) {
      spec.addForbidden("externalID", "may not be updated");
    }
  }

  private static void validatePodCidrsUnchanged(ValidatedObject spec, ValidatedObject oldSpec) {
    List<String> oldCidrs = oldSpec.strings("podCIDRs");
    List<String> newCidrs = spec.strings("podCIDRs");
    String detail = "node updates may not change podCIDR except from \"\" to valid";
    if (oldCidrs.isEmpty()) {
      return;
    }
    if (oldCidrs.size() != newCidrs.size()) {
      spec.addForbidden("podCIDRs", detail);
      return;
    }
    for (int i = 0; i < oldCidrs.size(); i++) {
      if (!oldCidrs.get(i).equals(newCidrs.get(i))) {
        spec.addForbidden("podCIDRs", detail);
      }
    }
  }

  @Override
  public @Nullable String findSelectableValue(JsonObject object, String field) {
    return switch (field) {
      case "spec.unschedulable" -> String.valueOf(flagAt(object, "spec", "unschedulable"));
      case "name" -> textAt(object, "metadata", "name");
      default -> null;
    };
  }
}
