package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Objects;

/** What rules over pods: PodDisruptionBudgets and NetworkPolicies. Nothing enforces the latter. */
abstract class PolicyStrategy implements Strategy {
  @Override
  public void prepareCreate(JsonObject object) {
    object.remove("status");
    child(object, "metadata").addProperty("generation", 1);
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    if (!Objects.equals(object.get("spec"), old.get("spec"))) {
      JsonElement before = at(old, "metadata", "generation");
      child(object, "metadata")
          .addProperty("generation", before == null ? 1 : before.getAsLong() + 1);
    }
  }

  static final class Budgets extends PolicyStrategy {
    private static final List<String> COUNTS =
        List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      Place spec = new Place(child(object, "spec"), "spec", errors);
      if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
        errors.invalid(
            "spec",
            FieldErrors.value(spec.object()),
            "minAvailable and maxUnavailable cannot be both set");
      }
      for (String bound : List.of("minAvailable", "maxUnavailable")) {
        amount(spec, bound);
      }
      Selectable.validate(spec.value("selector"), "spec.selector", errors);
      spec.oneOf("unhealthyPodEvictionPolicy", "AlwaysAllow", "IfHealthyBudget");
    }

    private static void amount(Place spec, String bound) {
      if (!spec.has(bound)) {
        return;
      }
      if (spec.text(bound).endsWith("%")) {
        if (!spec.text(bound).matches("\\d{1,2}%|100%")) {
          spec.invalid(bound, "must not be greater than 100%");
        }
      } else if (!spec.text(bound).matches("\\d+")) {
        spec.invalid(bound, "must be greater than or equal to 0");
      }
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      Place status = new Place(child(object, "status"), "status", errors);
      COUNTS.forEach(count -> status.atLeast(count, 0));
    }

    @Override
    public List<Column> columns() {
      return List.of(
          TableColumns.NAME,
          TableColumns.column("Min Available"),
          TableColumns.column("Max Unavailable"),
          TableColumns.column("Allowed Disruptions", "integer"),
          TableColumns.AGE);
    }

    @Override
    public List<JsonElement> columnValues(JsonObject o) {
      JsonElement allowed = at(o, "status", "disruptionsAllowed");
      return List.of(
          TableColumns.name(o),
          TableColumns.value(TableColumns.or(text(o, "spec", "minAvailable"), "N/A")),
          TableColumns.value(TableColumns.or(text(o, "spec", "maxUnavailable"), "N/A")),
          TableColumns.value(allowed == null ? 0 : allowed.getAsLong()),
          TableColumns.age(o));
    }
  }

  static final class Networks extends PolicyStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      JsonObject spec = child(object, "spec");
      for (String way : List.of("ingress", "egress")) {
        for (Place rule : new Place(spec, "", new FieldErrors()).all(way)) {
          for (Place port : rule.all("ports")) {
            if (!port.has("protocol")) {
              port.object().addProperty("protocol", "TCP");
            }
          }
        }
      }
      if (at(spec, "policyTypes") == null) {
        JsonArray types = new JsonArray();
        types.add("Ingress");
        if (at(spec, "egress") instanceof JsonArray egress && !egress.isEmpty()) {
          types.add("Egress");
        }
        spec.add("policyTypes", types);
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      Place spec = new Place(child(object, "spec"), "spec", errors);
      Selectable.validate(spec.value("podSelector"), "spec.podSelector", errors);
      peers(spec, "ingress", "from");
      peers(spec, "egress", "to");
      List<String> types = spec.strings("policyTypes");
      for (int i = 0; i < types.size(); i++) {
        if (!List.of("Egress", "Ingress").contains(types.get(i))) {
          errors.notSupported(
              "spec.policyTypes[" + i + "]", types.get(i), List.of("Egress", "Ingress"));
        }
      }
    }

    private static void peers(Place spec, String way, String whom) {
      for (Place rule : spec.all(way)) {
        rule.each("ports", port -> port.oneOf("protocol", "SCTP", "TCP", "UDP"));
        for (Place peer : rule.all(whom)) {
          boolean selects = peer.has("podSelector") || peer.has("namespaceSelector");
          if (!selects && !peer.has("ipBlock")) {
            peer.errors().required(peer.field(), "must specify a peer");
          } else if (selects && peer.has("ipBlock")) {
            peer.errors().forbidden(peer.field(), "may not specify both ipBlock and another peer");
          }
        }
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(TableColumns.NAME, TableColumns.column("Pod-Selector"), TableColumns.AGE);
    }

    @Override
    public List<JsonElement> columnValues(JsonObject o) {
      return List.of(
          TableColumns.name(o),
          TableColumns.value(Selectable.line(at(o, "spec", "podSelector"))),
          TableColumns.age(o));
    }
  }
}
