package dev.mooring.apiserver.kinds.rules;

import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public final class SchedulingRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final String[] EFFECTS = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  private static final int MAX_WEIGHT = 100;

  private SchedulingRules() {}

  public static void validateNodeSelector(ValidatedObject selector) {
    if (selector.isEmpty("nodeSelectorTerms")) {
      selector.addRequired("nodeSelectorTerms", "must have at least one node selector term");
    }
    selector.forEachChild("nodeSelectorTerms", term -> validateTerm(term, true));
  }

  private static void validateTerm(ValidatedObject term, boolean validatesValues) {
    term.forEachChild("matchExpressions", e -> validateExpression(e, validatesValues));
    term.forEachChild("matchFields", SchedulingRules::validateFieldExpression);
  }

  private static void validateExpression(ValidatedObject expression, boolean validatesValues) {
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
    for (int i = 0; validatesValues && i < values.size(); i++) {
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
          nodes.forEachChild(
              PREFERRED,
              preferred -> {
                validateWeight(preferred);
                validateTerm(preferred.getChild("preference"), false);
              });
        });
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      affinity.ifPresent(
          kind,
          pods -> {
            pods.forEachChild(REQUIRED, SchedulingRules::validatePodTerm);
            pods.forEachChild(
                PREFERRED,
                preferred -> {
                  validateWeight(preferred);
                  validatePodTerm(preferred.getChild("podAffinityTerm"));
                });
          });
    }
  }

  private static void validateWeight(ValidatedObject preferred) {
    long weight = preferred.number("weight");
    if (weight <= 0 || weight > MAX_WEIGHT) {
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

  private static void validateMatchKeys(ValidatedObject term, List<String> keyLists) {
    for (String keyList : keyLists) {
      List<String> keys = term.strings(keyList);
      if (!keys.isEmpty() && !term.has("labelSelector")) {
        term.addForbidden(keyList, "must not be specified when labelSelector is not set");
        continue;
      }
      for (int i = 0; i < keys.size(); i++) {
        ObjectNames.validateQualifiedName(
            keys.get(i), term.path(keyList) + "[" + i + "]", term.errors());
      }
    }
    List<String> mismatchKeys = term.strings("mismatchLabelKeys");
    List<String> keys = term.strings("matchLabelKeys");
    for (int i = 0; i < keys.size(); i++) {
      if (mismatchKeys.contains(keys.get(i))) {
        term.errors()
            .addInvalid(
                term.path("matchLabelKeys") + "[" + i + "]",
                keys.get(i),
                "exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  public static void validateSpread(ValidatedObject spec) {
    Set<String> constraintKeys = new HashSet<>();
    List<ValidatedObject> constraints = spec.getChildren("topologySpreadConstraints");
    for (int i = constraints.size() - 1; i >= 0; i--) {
      ValidatedObject constraint = constraints.get(i);
      String key =
          "{" + constraint.text("topologyKey") + ", " + constraint.text("whenUnsatisfiable") + "}";
      if (!constraintKeys.add(key)) {
        constraint.errors().addDuplicate(constraint.path("{topologyKey, whenUnsatisfiable}"), key);
      }
    }
    for (ValidatedObject constraint : constraints) {
      if (constraint.number("maxSkew") <= 0) {
        constraint.addInvalid("maxSkew", constraint.number("maxSkew"), "must be greater than zero");
      }
      if (constraint.isEmpty("topologyKey")) {
        constraint.addRequired("topologyKey", "can not be empty");
      }
      String action = constraint.text("whenUnsatisfiable");
      if (!List.of("DoNotSchedule", "ScheduleAnyway").contains(action)) {
        constraint.addNotSupported(
            "whenUnsatisfiable", action, List.of("DoNotSchedule", "ScheduleAnyway"));
      }
      constraint.checkAtLeast("minDomains", 1);
      if (constraint.has("minDomains") && !action.equals("DoNotSchedule")) {
        constraint.addInvalid(
            "minDomains", "can only use minDomains if whenUnsatisfiable=DoNotSchedule");
      }
      constraint.checkOneOf("nodeAffinityPolicy", "Honor", "Ignore");
      constraint.checkOneOf("nodeTaintsPolicy", "Honor", "Ignore");
      validateMatchKeys(constraint, List.of("matchLabelKeys"));
      LabelSelectors.validate(constraint, "labelSelector");
    }
  }

  public static void validateTolerations(ValidatedObject spec) {
    spec.forEachChild("tolerations", SchedulingRules::validateToleration);
  }

  private static void validateToleration(ValidatedObject toleration) {
    String operator = toleration.text("operator");
    if (!toleration.isEmpty("key")) {
      toleration.requireQualifiedName("key");
    } else if (!operator.equals("Exists")) {
      toleration.addInvalid(
          "operator",
          operator,
          "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
    }
    String effect = toleration.text("effect");
    if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
      String detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      toleration.addInvalid("effect", effect, detail);
    }
    String value = toleration.text("value");
    switch (operator) {
      case "", "Equal" -> {
        FieldErrors valueErrors = new FieldErrors();
        ObjectNames.validateLabelValue(value, "", valueErrors);
        if (!valueErrors.isEmpty()) {
          toleration.addInvalid(
              "operator", value, "a valid label must be an empty string or a word");
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          toleration.addInvalid(
              "operator", value, "value must be empty when `operator` is 'Exists'");
        }
      }
      default -> toleration.checkOneOf("operator", "Equal", "Exists");
    }
    if (!effect.isEmpty()) {
      toleration.checkOneOf("effect", EFFECTS);
    }
  }

  /** Validates the taints of a node; Kubernetes reports them below metadata. */
  public static void validateTaints(ValidatedObject spec) {
    Set<String> taintKeys = new HashSet<>();
    for (ValidatedObject element : spec.getChildren("taints")) {
      ValidatedObject taint = element.atPath(element.field().replaceFirst("^spec", "metadata"));
      taint.requireQualifiedName("key");
      FieldErrors valueErrors = new FieldErrors();
      ObjectNames.validateLabelValue(taint.text("value"), "", valueErrors);
      if (!valueErrors.isEmpty()) {
        taint.addInvalid("value", taint.text("value"), "a valid label must be a word");
      }
      taint.requireOneOf("effect", EFFECTS);
      if (!taintKeys.add(taint.text("effect") + " " + taint.text("key"))) {
        taint.addSelfDuplicate(taint.object());
      }
    }
  }
}
