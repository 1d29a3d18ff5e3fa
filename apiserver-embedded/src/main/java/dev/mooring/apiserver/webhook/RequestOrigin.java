package dev.mooring.apiserver.webhook;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.RequestUser;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sender of a request.
 *
 * @param warnings receives warnings for the client
 */
public record RequestOrigin(RequestUser user, Consumer<String> warnings) {
  /** Returns the user as the API shows users: username, uid, groups and extra. */
  public JsonObject describeUser() {
    JsonObject info = newObject("username", user.name());
    if (!user.uid().isEmpty()) {
      info.addProperty("uid", user.uid());
    }
    info.add("groups", toArray(user.groups()));
    if (!user.extra().isEmpty()) {
      JsonObject extra = new JsonObject();
      user.extra().forEach((key, values) -> extra.add(key, toArray(values)));
      info.add("extra", extra);
    }
    return info;
  }

  private static JsonArray toArray(List<String> values) {
    JsonArray list = new JsonArray();
    values.forEach(list::add);
    return list;
  }
}
