package dev.mooring.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Template in a class's parameters for the name or namespace of a Secret, with tokens such as
 * {@code ${pvc.namespace}}. Pure function; never throws.
 */
public final class SecretTemplate {
  private static final Pattern TOKEN =
      Pattern.compile("\\$(?:\\{([^}]*)}|([A-Za-z_][A-Za-z0-9_.]*))");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern ANNOTATION = Pattern.compile("pvc\\.annotations\\['([^']*)'\\]");
  private static final int MAX_LENGTH = 253;

  public enum Form {
    NAMESPACE("namespace", LABEL),
    NAME("name", SUBDOMAIN);

    private final String word;
    private final Pattern pattern;

    Form(String word, Pattern pattern) {
      this.word = word;
      this.pattern = pattern;
    }
  }

  public record ResolvedTemplate(String text, String flaw) {}

  private SecretTemplate() {}

  public static ResolvedTemplate fill(String template, Map<String, String> tokens, Form form) {
    List<String> unknown = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(template);
    String filled =
        matcher.replaceAll(found -> {
          String token = found.group(1) == null ? found.group(2) : found.group(1);
          String value = tokens.get(token);
          if (value == null) {
            unknown.add(ANNOTATION.matcher(token).matches() ? token + " (absent)" : token);
            return "";
          }
          return Matcher.quoteReplacement(value);
        });
    String what = "secret " + form.word + " \"" + template + "\"";
    if (!unknown.isEmpty()) {
      return new ResolvedTemplate("", what + " has invalid tokens: " + unknown);
    }
    return filled.length() <= MAX_LENGTH && form.pattern.matcher(filled).matches()
        ? new ResolvedTemplate(filled, "")
        : new ResolvedTemplate(
            "", what + " resolved to \"" + filled + "\", which is not a valid " + form.word);
  }
}
