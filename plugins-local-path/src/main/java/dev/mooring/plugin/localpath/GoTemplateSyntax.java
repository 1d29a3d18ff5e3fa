package dev.mooring.plugin.localpath;

import dev.mooring.spi.Provisioner.ClaimInfo;
import dev.mooring.spi.files.PathPattern.Property;
import dev.mooring.spi.files.PathPattern.Syntax;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Syntax of the class parameter {@code pathPattern} of local-path-provisioner. Supports {@code {{
 * .PVName }}}, {@code {{ .PVC.Namespace }}}, {@code {{ .PVC.Name }}}, and the claim's labels and
 * annotations. Rejects other actions of Go templates.
 */
final class GoTemplateSyntax implements Syntax {
  static final Syntax INSTANCE = new GoTemplateSyntax();

  private static final Pattern DOTTED_KEY =
      Pattern.compile("\\.PVC\\.(Labels|Annotations)\\.([A-Za-z_][A-Za-z0-9_]*)");
  private static final Pattern INDEXED_KEY =
      Pattern.compile("index\\s+\\.PVC\\.(Labels|Annotations)\\s+\"([^\"\\\\]+)\"");

  private GoTemplateSyntax() {}

  @Override
  public String begin() {
    return "{{";
  }

  @Override
  public String end() {
    return "}}";
  }

  @Override
  public String knownPlaceholders() {
    return ".PVName, .PVC.Namespace, .PVC.Name, .PVC.UID, .PVC.Labels.KEY, .PVC.Annotations.KEY and index .PVC.Annotations \"KEY\"";
  }

  @Override
  public String format(String placeholder) {
    return "{{ " + placeholder.strip() + " }}";
  }

  @Override
  public Optional<Property> property(String placeholder) {
    String action = placeholder.strip();
    return switch (action) {
      case ".PVName" -> Optional.of(request -> request.volumeName());
      case ".PVC.Namespace" -> Optional.of(request -> request.claim().key().namespace());
      case ".PVC.Name" -> Optional.of(request -> request.claim().key().name());
      case ".PVC.UID" -> Optional.of(request -> request.claim().uid().toString());
      default ->
          parseMapProperty(DOTTED_KEY.matcher(action))
              .or(() -> parseMapProperty(INDEXED_KEY.matcher(action)));
    };
  }

  private static Optional<Property> parseMapProperty(Matcher matcher) {
    if (!matcher.matches()) {
      return Optional.empty();
    }
    boolean isLabel = matcher.group(1).equals("Labels");
    String key = matcher.group(2);
    return Optional.of(request -> selectMap(request.claim(), isLabel).get(key));
  }

  private static Map<String, String> selectMap(ClaimInfo claim, boolean isLabel) {
    return isLabel ? claim.labels() : claim.annotations();
  }
}
