package dev.mooring.manager.endpoint;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Protection against DNS rebinding. A web page can point its own host name to this machine and send
 * requests with arbitrary headers from a user's browser. Such a page has no credentials, so
 * endpoints that require them need no check.
 */
record LocalNames(EndpointConfig config) {
  // Host names that no external DNS server can define.
  private static final Pattern LOCAL =
      Pattern.compile("localhost|[0-9.]{7,15}|\\[[0-9a-fA-F:.%]{2,64}]", Pattern.CASE_INSENSITIVE);

  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");

  /**
   * Returns whether the host name may be a rebound one.
   *
   * @param host the {@code Host} header; null if absent, which no browser sends
   */
  boolean isPossiblyRebound(@Nullable String host) {
    if (config.requiresCredentials() || host == null) {
      return false;
    }
    String name = PORT.matcher(host).replaceFirst("");
    return !LOCAL.matcher(name).matches()
        && !name.equalsIgnoreCase(config.address().getHostString());
  }
}
