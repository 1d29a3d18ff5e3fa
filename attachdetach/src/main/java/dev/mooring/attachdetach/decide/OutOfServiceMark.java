package dev.mooring.attachdetach.decide;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Record on a Node that its out-of-service taint is Mooring's own.
 *
 * @param plugin plugin whose proof led to the taint
 * @param bootId boot id of the node at that time
 * @param time time of the taint, as in RFC 3339
 * @param evidence the plugin's proof in one line; truncated
 */
public record OutOfServiceMark(String plugin, String bootId, String time, String evidence) {
  public static final String ANNOTATION = "mooring.dev/out-of-service";

  private static final int MAX_EVIDENCE = 512;

  private static final Pattern FORMAT =
      Pattern.compile("(?s)boot (\\S+) at (\\S+) by plugin (.*?): (.*)");

  private static final Pattern BOOT_ID = Pattern.compile("\\S+");

  public OutOfServiceMark {
    evidence = evidence.length() > MAX_EVIDENCE ? evidence.substring(0, MAX_EVIDENCE) : evidence;
  }

  public String text() {
    return "boot " + bootId + " at " + time + " by plugin " + plugin + ": " + evidence;
  }

  // a space would end it in the annotation
  static boolean canRecord(String bootId) {
    return BOOT_ID.matcher(bootId).matches();
  }

  // empty if the value has another form
  static Optional<OutOfServiceMark> parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new OutOfServiceMark(
                matcher.group(3), matcher.group(1), matcher.group(2), matcher.group(4)))
        : Optional.empty();
  }
}
