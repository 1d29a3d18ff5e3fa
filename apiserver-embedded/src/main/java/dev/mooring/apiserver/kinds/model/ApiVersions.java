package dev.mooring.apiserver.kinds.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The priority of API versions: v2, v1, v1beta2, v1alpha1, then others. */
public final class ApiVersions {
  private static final Pattern FORM = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");

  private ApiVersions() {}

  /** Returns a positive number if {@code one} has priority. */
  public static int compare(String one, String other) {
    Matcher a = FORM.matcher(one);
    Matcher b = FORM.matcher(other);
    boolean known = a.matches();
    if (known != b.matches()) {
      return known ? 1 : -1;
    }
    if (!known) {
      return other.compareTo(one);
    }
    int stage = Integer.compare(rankStage(a), rankStage(b));
    if (stage != 0) {
      return stage;
    }
    int major = Integer.compare(Integer.parseInt(a.group(1)), Integer.parseInt(b.group(1)));
    return major != 0 ? major : Integer.compare(parseMinor(a), parseMinor(b));
  }

  private static int rankStage(Matcher version) {
    String stage = version.group(2);
    return stage == null ? 2 : stage.equals("beta") ? 1 : 0;
  }

  private static int parseMinor(Matcher version) {
    String minor = version.group(3);
    return minor == null ? 0 : Integer.parseInt(minor);
  }
}
