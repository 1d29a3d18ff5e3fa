package dev.mooring.apiserver.kinds.access;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;
import java.util.Objects;

public final class RbacStrategy {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final List<String> RESOURCE_MEMBERS =
      List.of("apiGroups", "resources", "resourceNames");

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
      new ValidatedObject(object, "", errors).forEachChild("rules", this::validateRule);
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

    private void validateRule(ValidatedObject rule) {
      if (rule.isEmpty("verbs")) {
        rule.addRequired("verbs", "verbs must contain at least one value");
      }
      if (!rule.isEmpty("nonResourceURLs")) {
        if (isNamespaced) {
          rule.addInvalid("nonResourceURLs", "namespaced rules cannot apply to non-resource URLs");
        }
        if (!RESOURCE_MEMBERS.stream().allMatch(rule::isEmpty)) {
          rule.addInvalid(
              "nonResourceURLs",
              "rules cannot apply to both regular resources and non-resource URLs");
        }
        return;
      }
      if (rule.isEmpty("apiGroups")) {
        rule.addRequired("apiGroups", "resource rules must supply at least one api group");
      }
      if (rule.isEmpty("resources")) {
        rule.addRequired("resources", "resource rules must supply at least one resource");
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
      ValidatedObject role = ValidatedObject.ofMember(object, "roleRef", errors);
      role.checkOneOfEvenIfAbsent("apiGroup", GROUP);
      String[] kinds =
          isNamespaced ? new String[] {"Role", "ClusterRole"} : new String[] {"ClusterRole"};
      role.checkOneOfEvenIfAbsent("kind", kinds);
      role.requireMembers("name");
      if (!role.isEmpty("name")) {
        ObjectNames.validatePathSegment(role.text("name"), role.path("name"), errors);
      }
      new ValidatedObject(object, "", errors).forEachChild("subjects", this::validateSubject);
    }

    private void validateSubject(ValidatedObject subject) {
      subject.requireMembers("name");
      switch (subject.text("kind")) {
        case "ServiceAccount" -> {
          subject.checkSubdomain("name");
          if (!subject.isEmpty("apiGroup")) {
            subject.addNotSupported("apiGroup", subject.text("apiGroup"), List.of(""));
          }
          if (!isNamespaced) {
            subject.requireMembers("namespace");
          }
        }
        case "User", "Group" -> subject.checkOneOfEvenIfAbsent("apiGroup", GROUP);
        default ->
            subject.addNotSupported(
                "kind", subject.text("kind"), List.of("ServiceAccount", "User", "Group"));
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
