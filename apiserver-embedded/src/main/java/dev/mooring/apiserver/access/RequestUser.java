package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The user of a request.
 *
 * @param uid distinguishes users with the same name; "" for none
 * @param extra further attributes from the authenticator
 */
public record RequestUser(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** The group that has full access, regardless of roles. */
  public static final String MASTERS = "system:masters";

  static final String AUTHENTICATED = "system:authenticated";
  static final String UNAUTHENTICATED = "system:unauthenticated";

  public static final RequestUser ANONYMOUS =
      new RequestUser("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  /** The holder of the server's own token. */
  public static final RequestUser ADMIN =
      new RequestUser("admin", "admin", List.of(MASTERS, AUTHENTICATED), Map.of());

  /** Creates an authenticated user and adds the group system:authenticated. */
  public static RequestUser of(String name, String uid, List<String> groups) {
    List<String> allGroups = new ArrayList<>(groups);
    if (!allGroups.contains(AUTHENTICATED)) {
      allGroups.add(AUTHENTICATED);
    }
    return new RequestUser(name, uid, List.copyOf(allGroups), Map.of());
  }

  public boolean isMaster() {
    return groups.contains(MASTERS);
  }

  /** Returns the user as the API shows users: username, uid, groups and extra. */
  public JsonObject describe() {
    JsonObject info = newObject("username", name);
    if (!uid.isEmpty()) {
      info.addProperty("uid", uid);
    }
    info.add("groups", newArray(groups.toArray()));
    if (!extra.isEmpty()) {
      JsonObject attributes = new JsonObject();
      extra.forEach((key, values) -> attributes.add(key, newArray(values.toArray())));
      info.add("extra", attributes);
    }
    return info;
  }
}
