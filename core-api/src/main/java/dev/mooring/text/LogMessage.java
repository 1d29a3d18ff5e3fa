package dev.mooring.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Message of a log line with named fields: {@code LOG.log(Level.INFO, LogMessage.of("bound the
 * claim").with(LogMessage.PVC, claim.key()))}. Any backend prints {@link #toString}; Mooring's also
 * writes the fields to JSON. Immutable.
 */
public final class LogMessage {
  public static final String PVC = "pvc";

  public static final String PV = "pv";

  public static final String NODE = "node";

  public static final String REASON = "reason";

  public static final String ERR = "err";

  private static final Pattern BARE = Pattern.compile("[\\p{Graph}&&[^\"=]]+");

  private final String text;
  private final Map<String, String> fields;
  private final @Nullable Throwable cause;

  private LogMessage(String text, Map<String, String> fields, @Nullable Throwable cause) {
    this.text = text;
    this.fields = fields;
    this.cause = cause;
  }

  public static LogMessage of(String text) {
    return new LogMessage(text, Map.of(), null);
  }

  /**
   * Returns the message with one more field.
   *
   * @param value printed with {@code toString}; an empty text is omitted
   */
  public LogMessage with(String name, Object value) {
    String valueText = value.toString();
    if (valueText.isEmpty()) {
      return this;
    }
    Map<String, String> newFields = new LinkedHashMap<>(fields);
    newFields.put(name, valueText);
    return new LogMessage(text, newFields, cause);
  }

  public LogMessage withCause(Throwable newCause) {
    return new LogMessage(text, fields, newCause);
  }

  public String text() {
    return text;
  }

  public Map<String, String> fields() {
    return new LinkedHashMap<>(fields);
  }

  public @Nullable Throwable cause() {
    return cause;
  }

  /** Returns text and fields: {@code bound the claim pvc=shop/data}. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(text);
    fields.forEach((name, value) -> line.append(formatField(name, value)));
    return line.toString();
  }

  public static String formatField(String name, String value) {
    String quoted =
        BARE.matcher(value).matches()
            ? value
            : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    return " " + name + "=" + quoted;
  }
}
