package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer;
import dev.mooring.apiserver.access.Rule;
import dev.mooring.apiserver.access.User;
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
      refuse(
          user,
          target,
          object,
          "escalate",
          type.plural(),
          text(object, "metadata", "name"),
          () -> Rule.of(object));
    } else if (type == KindCatalogue.ROLE_BINDINGS || type == KindCatalogue.CLUSTER_ROLE_BINDINGS) {
      boolean cluster = text(object, "roleRef", "kind").equals("ClusterRole");
      String role = text(object, "roleRef", "name");
      refuse(
          user,
          target,
          object,
          "bind",
          cluster ? "clusterroles" : "roles",
          role,
          () ->
              authorizer
                  .referred(object, target.namespace())
                  .orElseThrow(() -> Problem.notFound(type, role)));
    }
  }

  private void refuse(
      User user,
      RequestTarget target,
      JsonObject object,
      String verb,
      String resource,
      String role,
      Granted rules)
      throws Problem {
    Attributes allowed =
        new Attributes(
            verb, KindCatalogue.ROLES.group(), resource, "", target.namespace(), role, "");
    if (authorizer.decide(user, allowed).allowed()) {
      return;
    }
    List<String> missing = authorizer.missing(user, target.namespace(), rules.rules());
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
