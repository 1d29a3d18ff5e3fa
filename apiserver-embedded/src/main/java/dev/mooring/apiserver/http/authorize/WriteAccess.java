package dev.mooring.apiserver.http.authorize;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;

public record WriteAccess(AccessControl access, RequestUser user, RequestTarget target) {
  /** Throws 403 unless the user may create the object: PUT and apply can create objects. */
  public void requireCreate() throws StatusException {
    ResourceType type = target.type();
    access.requireAllowed(
        user,
        Attributes.of("create", type.group(), type.plural())
            .inNamespace(target.namespace())
            .withName(target.name()));
  }

  /**
   * Throws if the object grants rights that the user does not have.
   *
   * @throws StatusException 403, or 404 if a referenced role does not exist
   */
  public void requireNoEscalation(JsonObject object) throws StatusException {
    new EscalationCheck(access.authorizer()).requireNoEscalation(user, target, object);
  }
}
