package dev.mooring.manager.rights;

import dev.mooring.manager.rights.RbacRole.Rule;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Roles and bindings as YAML.
 *
 * @param name name of roles and bindings
 * @param account ServiceAccount of the bindings
 * @param namespace namespace of the ServiceAccount
 */
public record RoleManifest(String name, String account, String namespace) {
  private static final String API = "apiVersion: rbac.authorization.k8s.io/v1\n";

  public String toYaml(List<RbacRole> roles) {
    return "apiVersion: v1\nkind: ServiceAccount\n"
        + metadata(account, namespace)
        + roles.stream().map(this::toYaml).collect(Collectors.joining());
  }

  private String toYaml(RbacRole role) {
    String kind = role.namespace().isEmpty() ? "ClusterRole" : "Role";
    return "---\n"
        + API
        + "kind: "
        + kind
        + "\n"
        + metadata(name, role.namespace())
        + "rules:\n"
        + toRulesYaml(role)
        + "---\n"
        + API
        + "kind: "
        + kind
        + "Binding\n"
        + metadata(name, role.namespace())
        + "roleRef: { apiGroup: rbac.authorization.k8s.io, kind: "
        + kind
        + ", name: "
        + name
        + " }\nsubjects:\n  - { kind: ServiceAccount, name: "
        + account
        + ", namespace: "
        + namespace
        + " }\n";
  }

  private static String metadata(String name, String namespace) {
    return "metadata: { name: "
        + name
        + (namespace.isEmpty() ? "" : ", namespace: " + namespace)
        + " }\n";
  }

  public static String toRulesYaml(RbacRole role) {
    StringBuilder text = new StringBuilder();
    for (Rule rule : role.rules()) {
      text.append("  - { apiGroups: [")
          .append(rule.group().isEmpty() ? "\"\"" : rule.group())
          .append("], resources: ")
          .append(joinValues(rule.resources()));
      if (!rule.names().isEmpty()) {
        text.append(", resourceNames: ").append(joinValues(rule.names()));
      }
      text.append(", verbs: ").append(joinValues(rule.verbs())).append(" }\n");
    }
    return text.toString();
  }

  private static String joinValues(Collection<?> values) {
    return values.stream().map(Object::toString).collect(Collectors.joining(", ", "[", "]"));
  }
}
