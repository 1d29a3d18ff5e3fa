package dev.mooring.csi;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Who events come from. The sidecars write events in which any text will do; in ours the server
 * wants a qualified name: at most 63 characters, before which there may be a domain and a slash.
 */
final class Reporters {
  private static final int LONGEST = 63;
  private static final Pattern UNFIT = Pattern.compile("[^A-Za-z0-9_.-]");
  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private Reporters() {}

  /**
   * Of volumes that are made and destroyed: {@code <driver>_<host>_<id>}, or {@code
   * <driver>/<host>_<id>} if that is too long, with as much of the host as there is room for.
   *
   * @param driver the driver's name
   * @param host this machine's
   * @param id another one for each process: at most 36 characters, letters, digits and dashes
   */
  static String provisioner(String driver, String host, String id) {
    String place = UNFIT.matcher(host).replaceAll("-").replaceAll("^[^A-Za-z0-9]+", "");
    String fitting = UNFIT.matcher(driver).replaceAll("-") + "_" + place + "_" + id;
    if (fitting.length() <= LONGEST) {
      return fitting;
    }
    int room = LONGEST - id.length() - 1;
    String name = place.substring(0, Math.min(room, place.length())) + "_" + id;
    String domain = driver.toLowerCase(Locale.ROOT);
    String qualified = place.isEmpty() ? id : name;
    return DOMAIN.matcher(domain).matches() ? domain + "/" + qualified : qualified;
  }
}
