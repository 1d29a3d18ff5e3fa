package dev.mooring.apiserver.kinds.declared;

import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;

/** API services: local ones are available; the server forwards no request to others. */
public final class ApiServiceStrategy extends DeclaredStrategy {
  public ApiServiceStrategy() {
    super("apiservices.apiregistration.k8s.io", "APIService");
  }

  @Override
  public void prepareCreate(JsonObject object) {
    super.prepareCreate(object);
    if (valueAt(object, "spec", "service") == null) {
      JsonObject condition =
          newObject(
              "type", "Available",
              "status", "True",
              "lastTransitionTime", textAt(object, "metadata", "creationTimestamp"),
              "reason", "Local",
              "message", "Local APIServices are always available");
      object.add("status", newObject("conditions", newArray(condition)));
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    super.validate(object, errors);
    String name = textAt(object, "spec", "version") + "." + textAt(object, "spec", "group");
    if (!textAt(object, "metadata", "name").equals(name)) {
      errors.addInvalid(
          "metadata.name",
          textAt(object, "metadata", "name"),
          "must be `spec.version+\".\"+spec.group`: \"" + name + "\"");
    }
  }
}
