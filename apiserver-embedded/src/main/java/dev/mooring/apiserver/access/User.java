package dev.mooring.apiserver.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Who asks.
 *
 * @param name the user's name
 * @param uid what tells two users of one name apart, "" for none
 * @param groups the groups
 * @param extra what else the authenticator knows, by key
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** Who may do everything, whatever the roles say. */
  public static final String MASTERS = "system:masters";

  static final String AUTHENTICATED = "system:authenticated";
  static final String UNAUTHENTICATED = "system:unauthenticated";

  /** Who showed nothing. */
  public static final User ANONYMOUS =
      new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  /** The holder of the server's own token. */
  public static final User ADMIN =
      new User("admin", "admin", List.of(MASTERS, AUTHENTICATED), Map.of());

  /** A user who showed something; the group of all of these is added. */
  public static User of(String name, String uid, List<String> groups) {
    List<String> all = new ArrayList<>(groups);
    if (!all.contains(AUTHENTICATED)) {
      all.add(AUTHENTICATED);
    }
    return new User(name, uid, List.copyOf(all), Map.of());
  }

  /** Whether no role is asked about this user. */
  public boolean isMaster() {
    return groups.contains(MASTERS);
  }
}
