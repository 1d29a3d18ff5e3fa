package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.text;

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
  public record Decision(boolean allowed, String reason) {}

  private record BoundRules(List<PolicyRule> rules, String by) {}

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

  public Decision decide(RequestUser user, Attributes requested) {
    if (isOff || user.isMaster()) {
      return new Decision(true, "");
    }
    for (BoundRules grant : grants(user, requested.namespace())) {
      if (grant.rules.stream().anyMatch(r -> r.allows(requested))) {
        return new Decision(true, "RBAC: allowed by " + grant.by);
      }
    }
    return new Decision(false, "");
  }

  public List<PolicyRule> rules(RequestUser user, String namespace) {
    List<PolicyRule> all = new ArrayList<>();
    if (user.isMaster()) {
      all.add(new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()));
      all.add(new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));
    }
    grants(user, namespace).forEach(g -> all.addAll(g.rules));
    return all;
  }

  /** Returns the rules that the user lacks in the namespace, in the form that messages show. */
  public List<String> findMissingRules(
      RequestUser user, String namespace, List<PolicyRule> wanted) {
    if (isOff || user.isMaster()) {
      return List.of();
    }
    List<PolicyRule> own = rules(user, namespace);
    List<String> missing = new ArrayList<>();
    for (PolicyRule rule : wanted) {
      List<PolicyRule> parts = rule.split();
      if (parts.stream().anyMatch(p -> own.stream().noneMatch(o -> o.covers(p)))) {
        missing.add(rule.format());
      }
    }
    return missing;
  }

  /** Returns the rules of the role that a binding refers to; empty if the role does not exist. */
  public Optional<List<PolicyRule>> findReferencedRules(JsonObject binding, String namespace) {
    return Optional.ofNullable(role(binding, namespace)).map(PolicyRule::of);
  }

  private @Nullable JsonObject role(JsonObject binding, String namespace) {
    String name = text(binding, "roleRef", "name");
    boolean cluster = text(binding, "roleRef", "kind").equals("ClusterRole");
    StoredObject found =
        cluster ? sources.clusterRoles.get(name) : sources.roles.get(namespace + "/" + name);
    return found == null ? null : found.tree();
  }

  private List<BoundRules> grants(RequestUser user, String namespace) {
    List<BoundRules> grants = new ArrayList<>();
    for (StoredObject binding : sources.clusterRoleBindings.list("").objects()) {
      grant(user, "", binding.tree(), "ClusterRoleBinding", grants);
    }
    if (!namespace.isEmpty()) {
      for (StoredObject binding : sources.roleBindings.list(namespace + "/").objects()) {
        grant(user, namespace, binding.tree(), "RoleBinding", grants);
      }
    }
    return grants;
  }

  private void grant(
      RequestUser user,
      String namespace,
      JsonObject binding,
      String kind,
      List<BoundRules> grants) {
    String subject = subject(user, namespace, binding);
    JsonObject role = subject == null ? null : role(binding, namespace);
    if (role == null) {
      return;
    }
    String name = text(binding, "metadata", "name");
    String by =
        "%s \"%s%s\" of %s \"%s\" to %s"
            .formatted(
                kind,
                name,
                namespace.isEmpty() ? "" : "/" + namespace,
                text(binding, "roleRef", "kind"),
                text(binding, "roleRef", "name"),
                subject);
    grants.add(new BoundRules(PolicyRule.of(role), by));
  }

  private static @Nullable String subject(RequestUser user, String namespace, JsonObject binding) {
    if (!(binding.get("subjects") instanceof JsonArray subjects)) {
      return null;
    }
    for (JsonElement one : subjects) {
      JsonObject subject = one.getAsJsonObject();
      String name = text(subject, "name");
      String its = text(subject, "namespace");
      String where = its.isEmpty() ? namespace : its;
      String kind = text(subject, "kind");
      boolean applies =
          switch (kind) {
            case "User" -> user.name().equals(name);
            case "Group" -> user.groups().contains(name);
            case "ServiceAccount" ->
                !where.isEmpty()
                    && user.name().equals("system:serviceaccount:" + where + ":" + name);
            default -> false;
          };
      if (applies) {
        return kind + " \"" + name + (kind.equals("ServiceAccount") ? "/" + where : "") + "\"";
      }
    }
    return null;
  }
}
