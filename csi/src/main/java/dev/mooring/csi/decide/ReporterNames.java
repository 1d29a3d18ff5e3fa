package dev.mooring.csi.decide;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names of reporting components. The sidecars use an event API without rules for the name. Ours
 * requires a qualified name: at most 63 characters, with an optional domain and slash before it.
 */
public final class ReporterNames {
  private static final int MAX_LENGTH = 63;
  private static final Pattern INVALID = Pattern.compile("[^A-Za-z0-9_.-]");
  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private ReporterNames() {}

  /**
   * Returns the name of a provisioner: {@code <driver>_<host>_<id>}, or {@code
   * <driver>/<host>_<id>} if that is too long, with a shortened host.
   *
   * @param host this machine's name
   * @param id unique for each process: at most 36 characters, letters, digits and dashes
   */
  public static String provisionerName(String driver, String host, String id) {
    String hostPart = INVALID.matcher(host).replaceAll("-").replaceAll("^[^A-Za-z0-9]+", "");
    String shortForm = INVALID.matcher(driver).replaceAll("-") + "_" + hostPart + "_" + id;
    if (shortForm.length() <= MAX_LENGTH) {
      return shortForm;
    }
    int maxHostLength = MAX_LENGTH - id.length() - 1;
    String name = hostPart.substring(0, Math.min(maxHostLength, hostPart.length())) + "_" + id;
    String domain = driver.toLowerCase(Locale.ROOT);
    String qualified = hostPart.isEmpty() ? id : name;
    return DOMAIN.matcher(domain).matches() ? domain + "/" + qualified : qualified;
  }
}
