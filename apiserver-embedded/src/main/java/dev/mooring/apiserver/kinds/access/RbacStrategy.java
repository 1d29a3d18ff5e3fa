package dev.mooring.apiserver.kinds.access;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.util.List;
import java.util.Objects;

public final class RbacStrategy {
  private static final String GROUP = "rbac.authorization.k8s.io";

  private RbacStrategy() {}

  public static final class RoleStrategy extends DeclaredStrategy {
    private final boolean isNamespaced;

    public RoleStrategy(boolean isNamespaced) {
      super(
          (isNamespaced ? "" : "cluster") + "roles." + GROUP,
          (isNamespaced ? "" : "Cluster") + "Role");
      this.isNamespaced = isNamespaced;
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      if (valueAt(object, "rules") instanceof JsonArray rules) {
        for (int i = 0; i < rules.size(); i++) {
          validateRule(rules.get(i).getAsJsonObject(), "rules[" + i + "]", errors);
        }
      }
      if (!isNamespaced && valueAt(object, "aggregationRule") instanceof JsonObject aggregation) {
        if (!(valueAt(aggregation, "clusterRoleSelectors") instanceof JsonArray selectors)
            || selectors.isEmpty()) {
          errors.addRequired(
              "aggregationRule.clusterRoleSelectors",
              "at least one clusterRoleSelector required if aggregationRule is non-nil");
        } else {
          for (int i = 0; i < selectors.size(); i++) {
            LabelSelectors.validateWhole(
                selectors.get(i), "aggregationRule.clusterRoleSelectors[" + i + "]", errors);
          }
        }
      }
    }

    private void validateRule(JsonObject rule, String field, FieldErrors errors) {
      if (stringsAt(rule, "verbs").isEmpty()) {
        errors.addRequired(field + ".verbs", "verbs must contain at least one value");
      }
      List<String> paths = stringsAt(rule, "nonResourceURLs");
      if (!paths.isEmpty()) {
        JsonElement value = rule.get("nonResourceURLs");
        if (isNamespaced) {
          errors.addInvalid(
              field + ".nonResourceURLs",
              value,
              "namespaced rules cannot apply to non-resource URLs");
        }
        if (!stringsAt(rule, "apiGroups").isEmpty()
            || !stringsAt(rule, "resources").isEmpty()
            || !stringsAt(rule, "resourceNames").isEmpty()) {
          errors.addInvalid(
              field + ".nonResourceURLs",
              value,
              "rules cannot apply to both regular resources and non-resource URLs");
        }
        return;
      }
      if (stringsAt(rule, "apiGroups").isEmpty()) {
        errors.addRequired(
            field + ".apiGroups", "resource rules must supply at least one api group");
      }
      if (stringsAt(rule, "resources").isEmpty()) {
        errors.addRequired(
            field + ".resources", "resource rules must supply at least one resource");
      }
    }
  }

  public static final class RoleBindingStrategy extends DeclaredStrategy {
    private final boolean isNamespaced;

    public RoleBindingStrategy(boolean isNamespaced) {
      super(
          (isNamespaced ? "" : "cluster") + "rolebindings." + GROUP,
          (isNamespaced ? "" : "Cluster") + "RoleBinding");
      this.isNamespaced = isNamespaced;
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      String group = textAt(object, "roleRef", "apiGroup");
      if (!group.equals(GROUP)) {
        errors.addNotSupported("roleRef.apiGroup", group, List.of(GROUP));
      }
      String kind = textAt(object, "roleRef", "kind");
      List<String> kinds = isNamespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
      if (!kinds.contains(kind)) {
        errors.addNotSupported("roleRef.kind", kind, kinds);
      }
      String name = textAt(object, "roleRef", "name");
      if (name.isEmpty()) {
        errors.addRequired("roleRef.name", "");
      } else {
        ObjectNames.validatePathSegment(name, "roleRef.name", errors);
      }
      if (valueAt(object, "subjects") instanceof JsonArray subjects) {
        for (int i = 0; i < subjects.size(); i++) {
          validateSubject(subjects.get(i).getAsJsonObject(), "subjects[" + i + "]", errors);
        }
      }
    }

    private void validateSubject(JsonObject subject, String field, FieldErrors errors) {
      String name = textAt(subject, "name");
      String kind = textAt(subject, "kind");
      String group = textAt(subject, "apiGroup");
      if (name.isEmpty()) {
        errors.addRequired(field + ".name", "");
      }
      switch (kind) {
        case "ServiceAccount" -> {
          if (!name.isEmpty() && !ObjectNames.isSubdomain(name)) {
            errors.addInvalid(field + ".name", name, ObjectNames.SUBDOMAIN_RULE);
          }
          if (!group.isEmpty()) {
            errors.addNotSupported(field + ".apiGroup", group, List.of(""));
          }
          if (!isNamespaced && textAt(subject, "namespace").isEmpty()) {
            errors.addRequired(field + ".namespace", "");
          }
        }
        case "User", "Group" -> {
          if (!group.equals(GROUP)) {
            errors.addNotSupported(field + ".apiGroup", group, List.of(GROUP));
          }
        }
        default ->
            errors.addNotSupported(
                field + ".kind", kind, List.of("ServiceAccount", "User", "Group"));
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      if (!Objects.equals(valueAt(object, "roleRef"), valueAt(old, "roleRef"))) {
        JsonObject shownRef = newObject("APIGroup", textAt(object, "roleRef", "apiGroup"));
        shownRef.addProperty("Kind", textAt(object, "roleRef", "kind"));
        shownRef.addProperty("Name", textAt(object, "roleRef", "name"));
        errors.addInvalid("roleRef", shownRef, "cannot change roleRef");
      }
    }
  }
}
