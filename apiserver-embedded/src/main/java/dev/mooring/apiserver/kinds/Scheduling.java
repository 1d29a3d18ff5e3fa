package dev.mooring.apiserver.kinds;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with what says where pods may run, and which nodes reach a volume. */
final class Scheduling {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final String[] EFFECTS = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  private static final int HEAVIEST = 100;

  private Scheduling() {}

  /** A selector of nodes. */
  static void nodeSelector(Place selector) {
    if (selector.isEmpty("nodeSelectorTerms")) {
      selector.required("nodeSelectorTerms", "must have at least one node selector term");
    }
    selector.each("nodeSelectorTerms", term -> term(term, true));
  }

  private static void term(Place term, boolean valuesToo) {
    term.each("matchExpressions", e -> expression(e, valuesToo));
    term.each("matchFields", Scheduling::fieldExpression);
  }

  private static void expression(Place expression, boolean valuesToo) {
    List<String> values = expression.strings("values");
    switch (expression.text("operator")) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          expression.required("values", "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          expression.forbidden(
              "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      case "Gt", "Lt" -> {
        if (values.size() != 1) {
          expression.required(
              "values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> notAnOperator(expression);
    }
    ObjectNames.qualified(expression.text("key"), expression.path("key"), expression.errors());
    for (int i = 0; valuesToo && i < values.size(); i++) {
      ObjectNames.labelValue(
          values.get(i), expression.path("values") + "[" + i + "]", expression.errors());
    }
  }

  private static void notAnOperator(Place expression) {
    expression
        .errors()
        .invalid(
            expression.path("operator"),
            expression.text("operator"),
            "not a valid selector operator");
  }

  private static void fieldExpression(Place expression) {
    List<String> values = expression.strings("values");
    if (!List.of("In", "NotIn").contains(expression.text("operator"))) {
      notAnOperator(expression);
    } else if (values.size() != 1) {
      expression.required(
          "values",
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    if (!expression.text("key").equals("metadata.name")) {
      expression
          .errors()
          .invalid(
              expression.path("key"), expression.text("key"), "not a valid field selector key");
      return;
    }
    for (int i = 0; i < values.size(); i++) {
      ObjectNames.subdomain(
          values.get(i), expression.path("values") + "[" + i + "]", expression.errors());
    }
  }

  /** What ties a pod to nodes and to other pods. */
  static void affinity(Place affinity) {
    affinity.given(
        "nodeAffinity",
        nodes -> {
          nodes.given(REQUIRED, Scheduling::nodeSelector);
          nodes.each(
              PREFERRED,
              preferred -> {
                weight(preferred);
                term(preferred.in("preference"), false);
              });
        });
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      affinity.given(
          kind,
          pods -> {
            pods.each(REQUIRED, Scheduling::podTerm);
            pods.each(
                PREFERRED,
                preferred -> {
                  weight(preferred);
                  podTerm(preferred.in("podAffinityTerm"));
                });
          });
    }
  }

  private static void weight(Place preferred) {
    long weight = preferred.number("weight");
    if (weight <= 0 || weight > HEAVIEST) {
      preferred.errors().invalid(preferred.path("weight"), weight, "must be in the range 1-100");
    }
  }

  private static void podTerm(Place term) {
    for (String selector : List.of("labelSelector", "namespaceSelector")) {
      Selectable.validate(term.value(selector), term.path(selector), term.errors());
    }
    term.strings("namespaces")
        .forEach(n -> ObjectNames.label(n, term.path("namespace"), term.errors()));
    matchKeys(term, List.of("matchLabelKeys", "mismatchLabelKeys"));
    if (term.isEmpty("topologyKey")) {
      term.required("topologyKey", "can not be empty");
    }
    ObjectNames.qualified(term.text("topologyKey"), term.path("topologyKey"), term.errors());
  }

  private static void matchKeys(Place term, List<String> lists) {
    for (String list : lists) {
      List<String> keys = term.strings(list);
      if (!keys.isEmpty() && !term.has("labelSelector")) {
        term.forbidden(list, "must not be specified when labelSelector is not set");
        continue;
      }
      for (int i = 0; i < keys.size(); i++) {
        ObjectNames.qualified(keys.get(i), term.path(list) + "[" + i + "]", term.errors());
      }
    }
    List<String> never = term.strings("mismatchLabelKeys");
    List<String> keys = term.strings("matchLabelKeys");
    for (int i = 0; i < keys.size(); i++) {
      if (never.contains(keys.get(i))) {
        term.errors()
            .invalid(
                term.path("matchLabelKeys") + "[" + i + "]",
                keys.get(i),
                "exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  /** How evenly pods spread. */
  static void spread(Place spec) {
    Set<String> seen = new HashSet<>();
    List<Place> constraints = spec.all("topologySpreadConstraints");
    for (int i = constraints.size() - 1; i >= 0; i--) {
      Place one = constraints.get(i);
      String key = "{" + one.text("topologyKey") + ", " + one.text("whenUnsatisfiable") + "}";
      if (!seen.add(key)) {
        one.errors().duplicate(one.path("{topologyKey, whenUnsatisfiable}"), key);
      }
    }
    for (Place one : constraints) {
      if (one.number("maxSkew") <= 0) {
        one.errors()
            .invalid(one.path("maxSkew"), one.number("maxSkew"), "must be greater than zero");
      }
      if (one.isEmpty("topologyKey")) {
        one.required("topologyKey", "can not be empty");
      }
      String action = one.text("whenUnsatisfiable");
      if (!List.of("DoNotSchedule", "ScheduleAnyway").contains(action)) {
        one.errors()
            .notSupported(
                one.path("whenUnsatisfiable"), action, List.of("DoNotSchedule", "ScheduleAnyway"));
      }
      one.atLeast("minDomains", 1);
      if (one.has("minDomains") && !action.equals("DoNotSchedule")) {
        one.invalid("minDomains", "can only use minDomains if whenUnsatisfiable=DoNotSchedule");
      }
      one.oneOf("nodeAffinityPolicy", "Honor", "Ignore");
      one.oneOf("nodeTaintsPolicy", "Honor", "Ignore");
      matchKeys(one, List.of("matchLabelKeys"));
      Selectable.validate(one.value("labelSelector"), one.path("labelSelector"), one.errors());
    }
  }

  /** What a pod bears. */
  static void tolerations(Place spec) {
    spec.each("tolerations", Scheduling::toleration);
  }

  private static void toleration(Place toleration) {
    String operator = toleration.text("operator");
    if (!toleration.isEmpty("key")) {
      ObjectNames.qualified(toleration.text("key"), toleration.path("key"), toleration.errors());
    } else if (!operator.equals("Exists")) {
      told(
          toleration,
          "operator",
          operator,
          "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
    }
    String effect = toleration.text("effect");
    if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
      told(
          toleration,
          "effect",
          effect,
          "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    String value = toleration.text("value");
    switch (operator) {
      case "", "Equal" -> {
        FieldErrors found = new FieldErrors();
        ObjectNames.labelValue(value, "", found);
        if (!found.isEmpty()) {
          told(toleration, "operator", value, "a valid label must be an empty string or a word");
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          told(toleration, "operator", value, "value must be empty when `operator` is 'Exists'");
        }
      }
      default -> toleration.oneOf("operator", "Equal", "Exists");
    }
    if (!effect.isEmpty()) {
      toleration.oneOf("effect", EFFECTS);
    }
  }

  private static void told(Place place, String field, String value, String why) {
    place.errors().invalid(place.path(field), value, why);
  }

  /** What a node repels; Kubernetes tells of it under the metadata. */
  static void taints(Place spec) {
    Set<String> seen = new HashSet<>();
    for (Place one : spec.all("taints")) {
      Place taint = one.as(one.field().replaceFirst("^spec", "metadata"));
      ObjectNames.qualified(taint.text("key"), taint.path("key"), taint.errors());
      FieldErrors found = new FieldErrors();
      ObjectNames.labelValue(taint.text("value"), "", found);
      if (!found.isEmpty()) {
        told(taint, "value", taint.text("value"), "a valid label must be a word");
      }
      taint.exactly("effect", EFFECTS);
      if (!seen.add(taint.text("effect") + " " + taint.text("key"))) {
        taint.errors().duplicate(taint.field(), taint.object());
      }
    }
  }
}
