package dev.mooring.apiserver.kinds.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The priority of API versions: v2, v1, v1beta2, v1alpha1, then others. */
public final class ApiVersions {
  private static final Pattern FORM = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");

  private ApiVersions() {}

  /** Returns a positive number if {@code version} has priority over {@code other}. */
  public static int compare(String version, String other) {
    Matcher versionMatch = FORM.matcher(version);
    Matcher otherMatch = FORM.matcher(other);
    boolean isStandard = versionMatch.matches();
    if (isStandard != otherMatch.matches()) {
      return isStandard ? 1 : -1;
    }
    if (!isStandard) {
      return other.compareTo(version);
    }
    int stageOrder = Integer.compare(rankStage(versionMatch), rankStage(otherMatch));
    if (stageOrder != 0) {
      return stageOrder;
    }
    int majorOrder =
        Integer.compare(
            Integer.parseInt(versionMatch.group(1)), Integer.parseInt(otherMatch.group(1)));
    return majorOrder != 0
        ? majorOrder
        : Integer.compare(parseMinor(versionMatch), parseMinor(otherMatch));
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
