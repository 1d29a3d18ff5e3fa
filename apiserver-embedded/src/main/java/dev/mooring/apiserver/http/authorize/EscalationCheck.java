package dev.mooring.apiserver.http.authorize;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer;
import dev.mooring.apiserver.access.PolicyRule;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.util.List;

/**
 * Privilege escalation check: users grant only rights that they have, unless they hold the verb
 * escalate or bind.
 */
final class EscalationCheck {
  @FunctionalInterface
  private interface GrantedRules {
    List<PolicyRule> getRules() throws StatusException;
  }

  private record RoleGrant(String verb, String resource, String role, GrantedRules grantedRules) {}

  private final Authorizer authorizer;

  EscalationCheck(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  void requireNoEscalation(RequestUser user, RequestTarget target, JsonObject object)
      throws StatusException {
    ResourceType type = target.type();
    if (authorizer.isOff() || user.isMaster()) {
      return;
    }
    if (type == KindCatalogue.ROLES || type == KindCatalogue.CLUSTER_ROLES) {
      String role = textAt(object, "metadata", "name");
      refuseMissingRules(
          user,
          target,
          object,
          new RoleGrant("escalate", type.plural(), role, () -> PolicyRule.parseRules(object)));
    } else if (type == KindCatalogue.ROLE_BINDINGS || type == KindCatalogue.CLUSTER_ROLE_BINDINGS) {
      boolean isClusterRole = textAt(object, "roleRef", "kind").equals("ClusterRole");
      String role = textAt(object, "roleRef", "name");
      GrantedRules grantedRules =
          () ->
              authorizer
                  .findReferencedRules(object, target.namespace())
                  .orElseThrow(() -> StatusException.notFound(type, role));
      refuseMissingRules(
          user,
          target,
          object,
          new RoleGrant("bind", isClusterRole ? "clusterroles" : "roles", role, grantedRules));
    }
  }

  private void refuseMissingRules(
      RequestUser user, RequestTarget target, JsonObject object, RoleGrant grant)
      throws StatusException {
    Attributes exemption =
        Attributes.of(grant.verb(), KindCatalogue.ROLES.group(), grant.resource())
            .inNamespace(target.namespace())
            .withName(grant.role());
    if (authorizer.decide(user, exemption).isAllowed()) {
      return;
    }
    List<String> missingRules =
        authorizer.findMissingRules(user, target.namespace(), grant.grantedRules().getRules());
    if (!missingRules.isEmpty()) {
      throw StatusException.forbidden(
          target.type(),
          textAt(object, "metadata", "name"),
          "user \"%s\" (groups=[\"%s\"]) is attempting to grant RBAC permissions not currently held:\n%s"
              .formatted(
                  user.name(),
                  String.join("\" \"", user.groups()),
                  String.join("\n", missingRules)),
          List.of());
    }
  }
}
