package dev.mooring.apiserver.kinds.policy;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;

public final class PolicyStrategy {
  private PolicyStrategy() {}

  public static final class DisruptionBudgetStrategy extends DeclaredStrategy {
    private static final List<String> COUNT_FIELDS =
        List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

    public DisruptionBudgetStrategy() {
      super("poddisruptionbudgets.policy", "PodDisruptionBudget");
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      super.validate(object, errors);
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

  public static final class NetworkPolicyStrategy extends DeclaredStrategy {
    public NetworkPolicyStrategy() {
      super("networkpolicies.networking.k8s.io", "NetworkPolicy");
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
