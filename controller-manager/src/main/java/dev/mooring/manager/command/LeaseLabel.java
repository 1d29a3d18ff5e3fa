package dev.mooring.manager.command;

import java.util.regex.Pattern;
import picocli.CommandLine;

/** A label of the Lease, written KEY:VALUE as in the flag of the CSI sidecars. */
record LeaseLabel(String key, String value) {
  private static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

  // an invalid label would make the API server reject every election
  private static final Pattern LABEL =
      Pattern.compile(
          "(?<key>([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?" + NAME + "):(?<value>(" + NAME + ")?)");

  static LeaseLabel parse(String text) {
    var matcher = LABEL.matcher(text.strip());
    if (!matcher.matches()) {
      throw new CommandLine.TypeConversionException(
          "'" + text + "' is not a label (for example team:storage)");
    }
    return new LeaseLabel(matcher.group("key"), matcher.group("value"));
  }
}
