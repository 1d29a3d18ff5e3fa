package dev.mooring.apiserver.http;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;

/**
 * What who sent a write may do by it, beyond sending it: that depends on the object.
 *
 * @param access who may do what
 * @param user who sent it
 * @param target what it is about
 */
record WriteAccess(AccessControl access, User user, RequestTarget target) {
  /** 403 unless the user may create the object: a PUT or an apply may make one. */
  void requireCreate() throws Problem {
    ResourceType type = target.type();
    access.require(
        user,
        new Attributes(
            "create", type.group(), type.plural(), "", target.namespace(), target.name(), ""));
  }

  /** 403 if the object grants what the user does not have. */
  void requireNoEscalation(JsonObject object) throws Problem {
    new Escalation(access.authorizer()).check(user, target, object);
  }
}
