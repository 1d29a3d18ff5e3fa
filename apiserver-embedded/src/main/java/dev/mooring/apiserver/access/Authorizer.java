package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Role-based access control with the roles and bindings in the stores. Thread-safe. */
public final class Authorizer {
  public record RbacStores(
      Store roles, Store roleBindings, Store clusterRoles, Store clusterRoleBindings) {}

  /**
   * The answer.
   *
   * @param reason the binding that allows the request; "" if there is none
   */
  public record Decision(boolean isAllowed, String reason) {}

  private record BoundRules(List<PolicyRule> rules, String description) {}

  private final RbacStores sources;
  private final boolean isOff;

  /** Creates an authorizer. If {@code isOff}, every user has full access. */
  public Authorizer(RbacStores sources, boolean isOff) {
    this.sources = sources;
    this.isOff = isOff;
  }

  public boolean isOff() {
    return isOff;
  }

  public Decision decide(RequestUser user, Attributes attributes) {
    if (isOff || user.isMaster()) {
      return new Decision(true, "");
    }
    for (BoundRules boundRules : findBoundRules(user, attributes.namespace())) {
      if (boundRules.rules.stream().anyMatch(r -> r.allows(attributes))) {
        return new Decision(true, "RBAC: allowed by " + boundRules.description);
      }
    }
    return new Decision(false, "");
  }

  public List<PolicyRule> findRules(RequestUser user, String namespace) {
    List<PolicyRule> rules = new ArrayList<>();
    if (user.isMaster()) {
      rules.add(new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()));
      rules.add(new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));
    }
    findBoundRules(user, namespace).forEach(g -> rules.addAll(g.rules));
    return rules;
  }

  /** Returns the rules that the user lacks in the namespace, in the form that messages show. */
  public List<String> findMissingRules(
      RequestUser user, String namespace, List<PolicyRule> grantedRules) {
    if (isOff || user.isMaster()) {
      return List.of();
    }
    List<PolicyRule> userRules = findRules(user, namespace);
    List<String> missingRules = new ArrayList<>();
    for (PolicyRule rule : grantedRules) {
      List<PolicyRule> singleRules = rule.split();
      if (singleRules.stream().anyMatch(p -> userRules.stream().noneMatch(o -> o.covers(p)))) {
        missingRules.add(rule.format());
      }
    }
    return missingRules;
  }

  /** Returns the rules of the role that a binding refers to; empty if the role does not exist. */
  public Optional<List<PolicyRule>> findReferencedRules(JsonObject binding, String namespace) {
    return Optional.ofNullable(findRole(binding, namespace)).map(PolicyRule::parseRules);
  }

  private @Nullable JsonObject findRole(JsonObject binding, String namespace) {
    String name = textAt(binding, "roleRef", "name");
    boolean isClusterRole = textAt(binding, "roleRef", "kind").equals("ClusterRole");
    StoredObject storedRole =
        isClusterRole ? sources.clusterRoles.get(name) : sources.roles.get(namespace + "/" + name);
    return storedRole == null ? null : storedRole.tree();
  }

  private List<BoundRules> findBoundRules(RequestUser user, String namespace) {
    List<BoundRules> boundRules = new ArrayList<>();
    for (StoredObject binding : sources.clusterRoleBindings.list("").objects()) {
      addBoundRules(user, "", binding.tree(), "ClusterRoleBinding", boundRules);
    }
    if (!namespace.isEmpty()) {
      for (StoredObject binding : sources.roleBindings.list(namespace + "/").objects()) {
        addBoundRules(user, namespace, binding.tree(), "RoleBinding", boundRules);
      }
    }
    return boundRules;
  }

  private void addBoundRules(
      RequestUser user,
      String namespace,
      JsonObject binding,
      String kind,
      List<BoundRules> boundRules) {
    String matchedSubject = findMatchedSubject(user, namespace, binding);
    JsonObject role = matchedSubject == null ? null : findRole(binding, namespace);
    if (role == null) {
      return;
    }
    String name = textAt(binding, "metadata", "name");
    String description =
        "%s \"%s%s\" of %s \"%s\" to %s"
            .formatted(
                kind,
                name,
                namespace.isEmpty() ? "" : "/" + namespace,
                textAt(binding, "roleRef", "kind"),
                textAt(binding, "roleRef", "name"),
                matchedSubject);
    boundRules.add(new BoundRules(PolicyRule.parseRules(role), description));
  }

  // Returns the subject that includes the user, as messages show it; null if none does.
  private static @Nullable String findMatchedSubject(
      RequestUser user, String namespace, JsonObject binding) {
    if (!(binding.get("subjects") instanceof JsonArray subjects)) {
      return null;
    }
    for (JsonElement subjectElement : subjects) {
      JsonObject subject = subjectElement.getAsJsonObject();
      String name = textAt(subject, "name");
      String subjectNamespace = textAt(subject, "namespace");
      String accountNamespace = subjectNamespace.isEmpty() ? namespace : subjectNamespace;
      String kind = textAt(subject, "kind");
      boolean isMatch =
          switch (kind) {
            case "User" -> user.name().equals(name);
            case "Group" -> user.groups().contains(name);
            case "ServiceAccount" ->
                !accountNamespace.isEmpty()
                    && user.name().equals("system:serviceaccount:" + accountNamespace + ":" + name);
            default -> false;
          };
      if (isMatch) {
        return kind
            + " \""
            + name
            + (kind.equals("ServiceAccount") ? "/" + accountNamespace : "")
            + "\"";
      }
    }
    return null;
  }
}
