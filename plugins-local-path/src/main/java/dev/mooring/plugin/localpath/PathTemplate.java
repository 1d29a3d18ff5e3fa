package dev.mooring.plugin.localpath;

import dev.mooring.spi.Provisioner.Request;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The class parameter {@code pathPattern}: text with {@code {{ .PVName }}}, {@code {{
 * .PVC.Namespace }}}, {@code {{ .PVC.Name }}}, labels and annotations of the claim in it, as
 * local-path-provisioner has it. Other actions of Go's templates are refused. Values are put in
 * once and are not read again; one that is missing is refused rather than left empty.
 */
record PathTemplate(String text) {
  private static final Pattern ACTION = Pattern.compile("\\{\\{(.*?)\\}\\}", Pattern.DOTALL);
  private static final Pattern FIELD = Pattern.compile("\\.(PVName|PVC\\.(?:Namespace|Name|UID))");
  private static final Pattern KEYED =
      Pattern.compile("\\.PVC\\.(Labels|Annotations)\\.([A-Za-z_][A-Za-z0-9_]*)");
  private static final Pattern INDEXED =
      Pattern.compile("index\\s+\\.PVC\\.(Labels|Annotations)\\s+\"([^\"\\\\]+)\"");

  /** What is put in. */
  private interface Values {
    String of(String action) throws Refused;
  }

  /** Refuses a pattern that is none, whatever the claim. */
  void check() throws Refused {
    expand(action -> {
      understood(action);
      return "x";
    });
  }

  /** The directory for a claim, below its namespace and name. */
  RelativePath resolve(Request request) throws Refused {
    String path = expand(action -> value(action, request)).replaceFirst("/$", "");
    RelativePath below;
    try {
      below = RelativePath.of(path);
    } catch (PathRefused e) {
      throw new Refused(e);
    }
    String namespace = request.claim().key().namespace();
    String name = request.claim().key().name();
    if (!below.startsWith(namespace, name)) {
      throw new Refused(
          "pathPattern \""
              + text
              + "\" leads to \""
              + below
              + "\": it must begin with {{ .PVC.Namespace }}/{{ .PVC.Name }}, so that no claim gets another one's directory");
    }
    return below;
  }

  private String expand(Values values) throws Refused {
    StringBuilder out = new StringBuilder();
    Matcher action = ACTION.matcher(text);
    int at = 0;
    while (action.find()) {
      out.append(text, at, action.start()).append(values.of(action.group(1).strip()));
      at = action.end();
    }
    String rest = text.substring(at);
    if (rest.contains("{{")) {
      throw new Refused("pathPattern \"" + text + "\" has a {{ without its }}");
    }
    return out.append(rest).toString();
  }

  private void understood(String action) throws Refused {
    if (!FIELD.matcher(action).matches()
        && !KEYED.matcher(action).matches()
        && !INDEXED.matcher(action).matches()) {
      throw new Refused(
          "pathPattern \""
              + text
              + "\" has {{ "
              + action
              + " }}: there are .PVName, .PVC.Namespace, .PVC.Name, .PVC.UID, .PVC.Labels.KEY, .PVC.Annotations.KEY and index .PVC.Annotations \"KEY\"");
    }
  }

  private String value(String action, Request request) throws Refused {
    understood(action);
    Matcher field = FIELD.matcher(action);
    if (field.matches()) {
      return switch (field.group(1)) {
        case "PVName" -> request.volumeName();
        case "PVC.Namespace" -> request.claim().key().namespace();
        case "PVC.Name" -> request.claim().key().name();
        default -> request.claim().uid().toString();
      };
    }
    Matcher keyed = KEYED.matcher(action);
    Matcher indexed = INDEXED.matcher(action);
    Matcher found = keyed.matches() ? keyed : indexed;
    if (found == indexed && !indexed.matches()) {
      throw new IllegalStateException(action);
    }
    Map<String, String> all =
        found.group(1).equals("Labels") ? request.claim().labels() : request.claim().annotations();
    @Nullable String value = all.get(found.group(2));
    if (value == null || value.isEmpty()) {
      throw new Refused(
          "pathPattern \""
              + text
              + "\" needs {{ "
              + action
              + " }}, which claim "
              + request.claim().key()
              + " does not have: add it to the claim");
    }
    return value;
  }
}
