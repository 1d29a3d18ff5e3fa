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
  // as in Go's os.Expand: a name without braces ends at a dot, and some characters are names
  private static final Pattern TOKEN =
      Pattern.compile("\\$(?:\\{([^}]*)}|([-*#$@!?0-9]|[A-Za-z_][A-Za-z0-9_]*))");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern ANNOTATION = Pattern.compile("pvc\\.annotations\\['([^']*)'\\]");
  private static final int MAX_LENGTH = 253;

  public enum Form {
    NAMESPACE("namespace", LABEL),
    NAME("name", SUBDOMAIN);

    private final String label;
    private final Pattern pattern;

    Form(String label, Pattern pattern) {
      this.label = label;
      this.pattern = pattern;
    }
  }

  public record ResolvedTemplate(String text, String flaw) {}

  private SecretTemplate() {}

  public static ResolvedTemplate fill(String template, Map<String, String> tokens, Form form) {
    List<String> unknown = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(template);
    String resolved =
        matcher.replaceAll(match -> {
          String token = match.group(1) == null ? match.group(2) : match.group(1);
          String value = tokens.get(token);
          if (value == null) {
            unknown.add(ANNOTATION.matcher(token).matches() ? token + " (absent)" : token);
            return "";
          }
          return Matcher.quoteReplacement(value);
        });
    String subject = "secret " + form.label + " \"" + template + "\"";
    if (!unknown.isEmpty()) {
      return new ResolvedTemplate("", subject + " has invalid tokens: " + unknown);
    }
    return resolved.length() <= MAX_LENGTH && form.pattern.matcher(resolved).matches()
        ? new ResolvedTemplate(resolved, "")
        : new ResolvedTemplate(
            "", subject + " resolved to \"" + resolved + "\", which is not a valid " + form.label);
  }
}
