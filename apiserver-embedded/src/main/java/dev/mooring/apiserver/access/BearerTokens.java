package dev.mooring.apiserver.access;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The bearer tokens that the server accepts besides those of service accounts. Thread-safe. */
public final class BearerTokens {
  private final Map<String, RequestUser> users = new ConcurrentHashMap<>();

  /** Accepts the token as the user's from now on. */
  public void accept(String token, RequestUser user) {
    users.put(token, user);
  }

  /** Refuses the token with 401 from now on. */
  public void revoke(String token) {
    users.remove(token);
  }

  public Optional<RequestUser> findUser(String token) {
    return Optional.ofNullable(users.get(token));
  }
}
