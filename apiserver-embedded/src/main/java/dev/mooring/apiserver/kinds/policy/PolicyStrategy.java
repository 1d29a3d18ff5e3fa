package dev.mooring.apiserver.kinds.policy;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.MemberDefaults;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;
import java.util.Objects;

public abstract class PolicyStrategy implements KindStrategy {
  @Override
  public void prepareCreate(JsonObject object) {
    object.remove("status");
    getOrAddChild(object, "metadata").addProperty("generation", 1);
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    if (!Objects.equals(object.get("spec"), old.get("spec"))) {
      MemberDefaults.incrementGeneration(object, old);
    }
  }

  public static final class DisruptionBudgetStrategy extends PolicyStrategy {
    private static final List<String> COUNT_FIELDS =
        List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

    @Override
    public void prepareCreate(JsonObject object) {
      super.prepareCreate(object);
      JsonObject status = getOrAddChild(object, "status");
      COUNT_FIELDS.forEach(count -> status.addProperty(count, 0));
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
      if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
        errors.addInvalid(
            "spec",
            FieldErrors.toShownValue(spec.object()),
            "minAvailable and maxUnavailable cannot be both set");
      }
      for (String bound : List.of("minAvailable", "maxUnavailable")) {
        validateAmount(spec, bound);
      }
      LabelSelectors.validate(spec.value("selector"), "spec.selector", errors);
      spec.checkOneOf("unhealthyPodEvictionPolicy", "AlwaysAllow", "IfHealthyBudget");
    }

    private static void validateAmount(ValidatedObject spec, String bound) {
      if (!spec.has(bound)) {
        return;
      }
      if (spec.text(bound).endsWith("%")) {
        if (!spec.text(bound).matches("\\d{1,2}%|100%")) {
          spec.addInvalid(bound, "must not be greater than 100%");
        }
      } else if (!spec.text(bound).matches("\\d+")) {
        spec.addInvalid(bound, "must be greater than or equal to 0");
      }
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      ValidatedObject status = ValidatedObject.ofMember(object, "status", errors);
      COUNT_FIELDS.forEach(count -> status.checkAtLeast(count, 0));
    }
  }

  public static final class NetworkPolicyStrategy extends PolicyStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      JsonObject spec = getOrAddChild(object, "spec");
      for (String direction : List.of("ingress", "egress")) {
        for (ValidatedObject rule : ValidatedObject.forReading(spec).getChildren(direction)) {
          for (ValidatedObject port : rule.getChildren("ports")) {
            if (!port.has("protocol")) {
              port.object().addProperty("protocol", "TCP");
            }
          }
        }
      }
      if (valueAt(spec, "policyTypes") == null) {
        JsonArray types = newArray("Ingress");
        if (valueAt(spec, "egress") instanceof JsonArray egress && !egress.isEmpty()) {
          types.add("Egress");
        }
        spec.add("policyTypes", types);
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
      LabelSelectors.validate(spec.value("podSelector"), "spec.podSelector", errors);
      validatePeers(spec, "ingress", "from");
      validatePeers(spec, "egress", "to");
      List<String> types = spec.strings("policyTypes");
      for (int i = 0; i < types.size(); i++) {
        if (!List.of("Egress", "Ingress").contains(types.get(i))) {
          errors.addNotSupported(
              "spec.policyTypes[" + i + "]", types.get(i), List.of("Egress", "Ingress"));
        }
      }
    }

    private static void validatePeers(ValidatedObject spec, String direction, String peerField) {
      for (ValidatedObject rule : spec.getChildren(direction)) {
        rule.forEachChild("ports", port -> port.checkOneOf("protocol", "SCTP", "TCP", "UDP"));
        for (ValidatedObject peer : rule.getChildren(peerField)) {
          boolean hasSelector = peer.has("podSelector") || peer.has("namespaceSelector");
          if (!hasSelector && !peer.has("ipBlock")) {
            peer.addSelfRequired("must specify a peer");
          } else if (hasSelector && peer.has("ipBlock")) {
            peer.errors()
                .addForbidden(peer.field(), "may not specify both ipBlock and another peer");
          }
        }
      }
    }
  }
}
