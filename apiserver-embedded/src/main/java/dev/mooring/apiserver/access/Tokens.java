package dev.mooring.apiserver.access;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The bearer tokens that the server takes, beside those of service accounts. Thread-safe. */
public final class Tokens {
  private final Map<String, User> users = new ConcurrentHashMap<>();

  /** From now on the token is that user's. */
  public void accept(String token, User user) {
    users.put(token, user);
  }

  /** From now on whoever shows the token is refused with 401. */
  public void revoke(String token) {
    users.remove(token);
  }

  /** Whose token it is. */
  public Optional<User> find(String token) {
    return Optional.ofNullable(users.get(token));
  }
}
