package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Role-based access control, over the roles and bindings in the stores. Thread-safe. */
public final class Authorizer {
  /**
   * The stores of the four kinds.
   *
   * @param roles Roles
   * @param roleBindings RoleBindings
   * @param clusterRoles ClusterRoles
   * @param clusterRoleBindings ClusterRoleBindings
   */
  public record Sources(
      Store roles, Store roleBindings, Store clusterRoles, Store clusterRoleBindings) {}

  /**
   * An answer.
   *
   * @param allowed whether it is allowed
   * @param reason by what, "" where nothing is to be said
   */
  public record Decision(boolean allowed, String reason) {}

  private record Grant(List<Rule> rules, String by) {}

  private final Sources sources;
  private final boolean isOff;

  /** Over these stores; one that is off allows everything to everybody. */
  public Authorizer(Sources sources, boolean isOff) {
    this.sources = sources;
    this.isOff = isOff;
  }

  /** Whether everybody may do everything. */
  public boolean isOff() {
    return isOff;
  }

  /** Whether the user may do that. */
  public Decision decide(User user, Attributes asked) {
    if (isOff || user.isMaster()) {
      return new Decision(true, "");
    }
    for (Grant grant : grants(user, asked.namespace())) {
      if (grant.rules.stream().anyMatch(r -> r.allows(asked))) {
        return new Decision(true, "RBAC: allowed by " + grant.by);
      }
    }
    return new Decision(false, "");
  }

  /** Every rule that holds for the user there. */
  public List<Rule> rules(User user, String namespace) {
    List<Rule> all = new ArrayList<>();
    if (user.isMaster()) {
      all.add(new Rule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()));
      all.add(new Rule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));
    }
    grants(user, namespace).forEach(g -> all.addAll(g.rules));
    return all;
  }

  /** What of these rules the user does not have there, as a message shows it. */
  public List<String> missing(User user, String namespace, List<Rule> wanted) {
    if (isOff || user.isMaster()) {
      return List.of();
    }
    List<Rule> own = rules(user, namespace);
    List<String> missing = new ArrayList<>();
    for (Rule rule : wanted) {
      List<Rule> parts = rule.single();
      if (parts.stream().anyMatch(p -> own.stream().noneMatch(o -> o.covers(p)))) {
        missing.add(rule.told());
      }
    }
    return missing;
  }

  /** The rules of the role that a binding in that namespace refers to; empty if there is none. */
  public Optional<List<Rule>> referred(JsonObject binding, String namespace) {
    return Optional.ofNullable(role(binding, namespace)).map(Rule::of);
  }

  private @Nullable JsonObject role(JsonObject binding, String namespace) {
    String name = text(binding, "roleRef", "name");
    boolean cluster = text(binding, "roleRef", "kind").equals("ClusterRole");
    Stored found =
        cluster ? sources.clusterRoles.get(name) : sources.roles.get(namespace + "/" + name);
    return found == null ? null : found.tree();
  }

  private List<Grant> grants(User user, String namespace) {
    List<Grant> grants = new ArrayList<>();
    for (Stored binding : sources.clusterRoleBindings.list("").objects()) {
      grant(user, "", binding.tree(), "ClusterRoleBinding", grants);
    }
    if (!namespace.isEmpty()) {
      for (Stored binding : sources.roleBindings.list(namespace + "/").objects()) {
        grant(user, namespace, binding.tree(), "RoleBinding", grants);
      }
    }
    return grants;
  }

  private void grant(
      User user, String namespace, JsonObject binding, String kind, List<Grant> grants) {
    String subject = subject(user, namespace, binding);
    JsonObject role = subject == null ? null : role(binding, namespace);
    if (role == null) {
      return;
    }
    String name = text(binding, "metadata", "name");
    String by =
        kind
            + " \""
            + name
            + (namespace.isEmpty() ? "" : "/" + namespace)
            + "\" of "
            + text(binding, "roleRef", "kind")
            + " \""
            + text(binding, "roleRef", "name")
            + "\" to "
            + subject;
    grants.add(new Grant(Rule.of(role), by));
  }

  private static @Nullable String subject(User user, String namespace, JsonObject binding) {
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
