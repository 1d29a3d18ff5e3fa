package dev.mooring.apiserver.http.authorize;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;

/**
 * What who sent a write may do by it, beyond sending it: that depends on the object.
 *
 * @param access who may do what
 * @param user who sent it
 * @param target what it is about
 */
public record WriteAccess(AccessControl access, User user, RequestTarget target) {
  /**
   * Throws unless the user may create the object: a PUT or an apply may make one.
   *
   * @throws Problem 403
   */
  public void requireCreate() throws Problem {
    ResourceType type = target.type();
    access.require(
        user,
        Attributes.of("create", type.group(), type.plural())
            .in(target.namespace())
            .named(target.name()));
  }

  /**
   * Throws if the object grants what the user does not have.
   *
   * @throws Problem 403, or 404 for a role that is not there
   */
  public void requireNoEscalation(JsonObject object) throws Problem {
    new Escalation(access.authorizer()).check(user, target, object);
  }
}
