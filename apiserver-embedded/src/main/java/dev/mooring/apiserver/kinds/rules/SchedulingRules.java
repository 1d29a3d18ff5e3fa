package dev.mooring.apiserver.kinds.rules;

import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public final class SchedulingRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final String[] EFFECTS = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  private static final int HEAVIEST = 100;

  private SchedulingRules() {}

  public static void validateNodeSelector(ValidatedObject selector) {
    if (selector.isEmpty("nodeSelectorTerms")) {
      selector.addRequired("nodeSelectorTerms", "must have at least one node selector term");
    }
    selector.each("nodeSelectorTerms", term -> validateTerm(term, true));
  }

  private static void validateTerm(ValidatedObject term, boolean valuesToo) {
    term.each("matchExpressions", e -> validateExpression(e, valuesToo));
    term.each("matchFields", SchedulingRules::validateFieldExpression);
  }

  private static void validateExpression(ValidatedObject expression, boolean valuesToo) {
    List<String> values = expression.strings("values");
    switch (expression.text("operator")) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          expression.addRequired("values", "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          expression.addForbidden(
              "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      case "Gt", "Lt" -> {
        if (values.size() != 1) {
          expression.addRequired(
              "values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> rejectOperator(expression);
    }
    expression.requireQualifiedName("key");
    for (int i = 0; valuesToo && i < values.size(); i++) {
      ObjectNames.validateLabelValue(
          values.get(i), expression.path("values") + "[" + i + "]", expression.errors());
    }
  }

  private static void rejectOperator(ValidatedObject expression) {
    expression.addInvalid("operator", expression.text("operator"), "not a valid selector operator");
  }

  private static void validateFieldExpression(ValidatedObject expression) {
    List<String> values = expression.strings("values");
    if (!List.of("In", "NotIn").contains(expression.text("operator"))) {
      rejectOperator(expression);
    } else if (values.size() != 1) {
      expression.addRequired(
          "values",
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    if (!expression.text("key").equals("metadata.name")) {
      expression.addInvalid("key", expression.text("key"), "not a valid field selector key");
      return;
    }
    for (int i = 0; i < values.size(); i++) {
      ObjectNames.validateSubdomain(
          values.get(i), expression.path("values") + "[" + i + "]", expression.errors());
    }
  }

  public static void validateAffinity(ValidatedObject affinity) {
    affinity.ifPresent(
        "nodeAffinity",
        nodes -> {
          nodes.ifPresent(REQUIRED, SchedulingRules::validateNodeSelector);
          nodes.each(
              PREFERRED,
              preferred -> {
                validateWeight(preferred);
                validateTerm(preferred.child("preference"), false);
              });
        });
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      affinity.ifPresent(
          kind,
          pods -> {
            pods.each(REQUIRED, SchedulingRules::validatePodTerm);
            pods.each(
                PREFERRED,
                preferred -> {
                  validateWeight(preferred);
                  validatePodTerm(preferred.child("podAffinityTerm"));
                });
          });
    }
  }

  private static void validateWeight(ValidatedObject preferred) {
    long weight = preferred.number("weight");
    if (weight <= 0 || weight > HEAVIEST) {
      preferred.addInvalid("weight", weight, "must be in the range 1-100");
    }
  }

  private static void validatePodTerm(ValidatedObject term) {
    for (String selector : List.of("labelSelector", "namespaceSelector")) {
      LabelSelectors.validate(term, selector);
    }
    term.strings("namespaces")
        .forEach(n -> ObjectNames.validateLabel(n, term.path("namespace"), term.errors()));
    validateMatchKeys(term, List.of("matchLabelKeys", "mismatchLabelKeys"));
    if (term.isEmpty("topologyKey")) {
      term.addRequired("topologyKey", "can not be empty");
    }
    term.requireQualifiedName("topologyKey");
  }

  private static void validateMatchKeys(ValidatedObject term, List<String> lists) {
    for (String list : lists) {
      List<String> keys = term.strings(list);
      if (!keys.isEmpty() && !term.has("labelSelector")) {
        term.addForbidden(list, "must not be specified when labelSelector is not set");
        continue;
      }
      for (int i = 0; i < keys.size(); i++) {
        ObjectNames.validateQualifiedName(
            keys.get(i), term.path(list) + "[" + i + "]", term.errors());
      }
    }
    List<String> never = term.strings("mismatchLabelKeys");
    List<String> keys = term.strings("matchLabelKeys");
    for (int i = 0; i < keys.size(); i++) {
      if (never.contains(keys.get(i))) {
        term.errors()
            .addInvalid(
                term.path("matchLabelKeys") + "[" + i + "]",
                keys.get(i),
                "exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  public static void validateSpread(ValidatedObject spec) {
    Set<String> seen = new HashSet<>();
    List<ValidatedObject> constraints = spec.children("topologySpreadConstraints");
    for (int i = constraints.size() - 1; i >= 0; i--) {
      ValidatedObject one = constraints.get(i);
      String key = "{" + one.text("topologyKey") + ", " + one.text("whenUnsatisfiable") + "}";
      if (!seen.add(key)) {
        one.errors().addDuplicate(one.path("{topologyKey, whenUnsatisfiable}"), key);
      }
    }
    for (ValidatedObject one : constraints) {
      if (one.number("maxSkew") <= 0) {
        one.addInvalid("maxSkew", one.number("maxSkew"), "must be greater than zero");
      }
      if (one.isEmpty("topologyKey")) {
        one.addRequired("topologyKey", "can not be empty");
      }
      String action = one.text("whenUnsatisfiable");
      if (!List.of("DoNotSchedule", "ScheduleAnyway").contains(action)) {
        one.addNotSupported(
            "whenUnsatisfiable", action, List.of("DoNotSchedule", "ScheduleAnyway"));
      }
      one.checkAtLeast("minDomains", 1);
      if (one.has("minDomains") && !action.equals("DoNotSchedule")) {
        one.addInvalid("minDomains", "can only use minDomains if whenUnsatisfiable=DoNotSchedule");
      }
      one.checkOneOf("nodeAffinityPolicy", "Honor", "Ignore");
      one.checkOneOf("nodeTaintsPolicy", "Honor", "Ignore");
      validateMatchKeys(one, List.of("matchLabelKeys"));
      LabelSelectors.validate(one, "labelSelector");
    }
  }

  public static void validateTolerations(ValidatedObject spec) {
    spec.each("tolerations", SchedulingRules::validateToleration);
  }

  private static void validateToleration(ValidatedObject toleration) {
    String operator = toleration.text("operator");
    if (!toleration.isEmpty("key")) {
      toleration.requireQualifiedName("key");
    } else if (!operator.equals("Exists")) {
      addError(
          toleration,
          "operator",
          operator,
          "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
    }
    String effect = toleration.text("effect");
    if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
      String why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      addError(toleration, "effect", effect, why);
    }
    String value = toleration.text("value");
    switch (operator) {
      case "", "Equal" -> {
        FieldErrors found = new FieldErrors();
        ObjectNames.validateLabelValue(value, "", found);
        if (!found.isEmpty()) {
          addError(
              toleration, "operator", value, "a valid label must be an empty string or a word");
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          addError(
              toleration, "operator", value, "value must be empty when `operator` is 'Exists'");
        }
      }
      default -> toleration.checkOneOf("operator", "Equal", "Exists");
    }
    if (!effect.isEmpty()) {
      toleration.checkOneOf("effect", EFFECTS);
    }
  }

  private static void addError(ValidatedObject place, String field, String value, String why) {
    place.addInvalid(field, value, why);
  }

  /** Validates the taints of a node; Kubernetes reports them below metadata. */
  public static void validateTaints(ValidatedObject spec) {
    Set<String> seen = new HashSet<>();
    for (ValidatedObject one : spec.children("taints")) {
      ValidatedObject taint = one.atPath(one.field().replaceFirst("^spec", "metadata"));
      taint.requireQualifiedName("key");
      FieldErrors found = new FieldErrors();
      ObjectNames.validateLabelValue(taint.text("value"), "", found);
      if (!found.isEmpty()) {
        addError(taint, "value", taint.text("value"), "a valid label must be a word");
      }
      taint.requireOneOf("effect", EFFECTS);
      if (!seen.add(taint.text("effect") + " " + taint.text("key"))) {
        taint.addSelfDuplicate(taint.object());
      }
    }
  }
}
