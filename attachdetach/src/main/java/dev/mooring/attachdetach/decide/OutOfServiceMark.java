package dev.mooring.attachdetach.decide;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.model.Kind;
import dev.mooring.text.PlainText;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Record on a Node that its out-of-service taint is Mooring's own.
 *
 * @param plugin plugin whose proof led to the taint
 * @param bootId boot id of the node at that time
 * @param time time of the taint, as in RFC 3339
 * @param evidence the plugin's proof
 */
public record OutOfServiceMark(String plugin, String bootId, String time, String evidence) {
  public static final OwnedKey KEY =
      OwnedKey.annotation(
          Kind.NODE,
          "mooring.dev/out-of-service",
          "the taint node.kubernetes.io/out-of-service is Mooring's own");

  private static final int MAX_EVIDENCE = 512;

  private static final Pattern FORMAT =
      Pattern.compile("boot (\\S+) at (\\S+) by plugin (\\S+): (.*)");

  public OutOfServiceMark {
    String line = PlainText.filterLine(evidence);
    evidence = line.length() > MAX_EVIDENCE ? line.substring(0, MAX_EVIDENCE) : line;
  }

  /** Returns the value of the annotation. */
  public String text() {
    return "boot " + bootId + " at " + time + " by plugin " + plugin + ": " + evidence;
  }

  /** Parses the value of the annotation; empty if it has another form. */
  static Optional<OutOfServiceMark> parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new OutOfServiceMark(
                matcher.group(3), matcher.group(1), matcher.group(2), matcher.group(4)))
        : Optional.empty();
  }
}
