package dev.mooring.manager.endpoint;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What this machine is called by those on it. A page from elsewhere can have a name of its own
 * point to this machine, and then ask from somebody's browser as if it came from here, with
 * whatever headers it likes. Where credentials are asked for, that page has none.
 */
record LocalNames(EndpointConfig config) {
  /** Names that nobody else's name server can lend to this machine. */
  private static final Pattern LOCAL =
      Pattern.compile("localhost|[0-9.]{7,15}|\\[[0-9a-fA-F:.%]{2,64}]", Pattern.CASE_INSENSITIVE);

  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");

  /**
   * Whether a request may have come by a name that was lent to this machine.
   *
   * @param host the request's header of that name; null for none, as no browser does
   */
  boolean isLent(@Nullable String host) {
    if (config.asksForCredentials() || host == null) {
      return false;
    }
    String name = PORT.matcher(host).replaceFirst("");
    return !LOCAL.matcher(name).matches()
        && !name.equalsIgnoreCase(config.address().getHostString());
  }
}
