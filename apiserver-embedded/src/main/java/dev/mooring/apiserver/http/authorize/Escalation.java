package dev.mooring.apiserver.http.authorize;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer;
import dev.mooring.apiserver.access.Rule;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import java.util.List;

/** Nobody grants what they do not have, unless they may escalate or bind. */
final class Escalation {
  /** What is granted, looked up only when it is asked for. */
  @FunctionalInterface
  private interface Granted {
    List<Rule> rules() throws Problem;
  }

  /**
   * What somebody is about to grant.
   *
   * @param verb what whoever may grant anything may do with the role
   * @param resource the role's, in URLs
   * @param role its name
   * @param granted what is in it
   */
  private record Grant(String verb, String resource, String role, Granted granted) {}

  private final Authorizer authorizer;

  Escalation(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  void check(User user, RequestTarget target, JsonObject object) throws Problem {
    ResourceType type = target.type();
    if (authorizer.isOff() || user.isMaster()) {
      return;
    }
    if (type == KindCatalogue.ROLES || type == KindCatalogue.CLUSTER_ROLES) {
      String role = text(object, "metadata", "name");
      refuse(
          user, target, object, new Grant("escalate", type.plural(), role, () -> Rule.of(object)));
    } else if (type == KindCatalogue.ROLE_BINDINGS || type == KindCatalogue.CLUSTER_ROLE_BINDINGS) {
      boolean cluster = text(object, "roleRef", "kind").equals("ClusterRole");
      String role = text(object, "roleRef", "name");
      Granted granted =
          () ->
              authorizer
                  .referred(object, target.namespace())
                  .orElseThrow(() -> Problem.notFound(type, role));
      refuse(
          user,
          target,
          object,
          new Grant("bind", cluster ? "clusterroles" : "roles", role, granted));
    }
  }

  private void refuse(User user, RequestTarget target, JsonObject object, Grant grant)
      throws Problem {
    Attributes allowed =
        Attributes.of(grant.verb(), KindCatalogue.ROLES.group(), grant.resource())
            .in(target.namespace())
            .named(grant.role());
    if (authorizer.decide(user, allowed).allowed()) {
      return;
    }
    List<String> missing = authorizer.missing(user, target.namespace(), grant.granted().rules());
    if (!missing.isEmpty()) {
      throw Problem.forbidden(
          target.type(),
          text(object, "metadata", "name"),
          "user \""
              + user.name()
              + "\" (groups=[\""
              + String.join("\" \"", user.groups())
              + "\"]) is attempting to grant RBAC permissions not currently held:\n"
              + String.join("\n", missing),
          List.of());
    }
  }
}
