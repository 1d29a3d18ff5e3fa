package dev.mooring.apiserver.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An authenticated user.
 *
 * @param uid distinguishes users with the same name; "" for none
 * @param extra further attributes from the authenticator
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** The group that has full access, regardless of roles. */
  public static final String MASTERS = "system:masters";

  static final String AUTHENTICATED = "system:authenticated";
  static final String UNAUTHENTICATED = "system:unauthenticated";

  public static final User ANONYMOUS =
      new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  /** The holder of the server's own token. */
  public static final User ADMIN =
      new User("admin", "admin", List.of(MASTERS, AUTHENTICATED), Map.of());

  /** Creates an authenticated user and adds the group system:authenticated. */
  public static User of(String name, String uid, List<String> groups) {
    List<String> all = new ArrayList<>(groups);
    if (!all.contains(AUTHENTICATED)) {
      all.add(AUTHENTICATED);
    }
    return new User(name, uid, List.copyOf(all), Map.of());
  }

  public boolean isMaster() {
    return groups.contains(MASTERS);
  }
}
