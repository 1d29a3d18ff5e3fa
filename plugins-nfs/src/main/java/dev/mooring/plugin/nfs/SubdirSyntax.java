package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathPattern.Property;
import dev.mooring.spi.files.PathPattern.Syntax;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Syntax of the parameter {@code pathPattern} of nfs-subdir-external-provisioner. Supports {@code
 * ${.PVC.namespace}}, {@code ${.PVC.name}}, {@code ${.PVC.labels.KEY}} and {@code
 * ${.PVC.annotations.KEY}}.
 */
final class SubdirSyntax implements Syntax {
  static final Syntax INSTANCE = new SubdirSyntax();

  private static final String CLAIM = ".PVC.";
  private static final String LABEL = "labels.";
  private static final String ANNOTATION = "annotations.";

  private SubdirSyntax() {}

  @Override
  public String begin() {
    return "${";
  }

  @Override
  public String end() {
    return "}";
  }

  @Override
  public String knownPlaceholders() {
    return "${.PVC.namespace}, ${.PVC.name}, ${.PVC.labels.KEY} and ${.PVC.annotations.KEY}";
  }

  @Override
  public Optional<Property> property(String placeholder) {
    String name = placeholder.startsWith(CLAIM) ? placeholder.substring(CLAIM.length()) : "";
    if (name.equals("namespace")) {
      return Optional.of(request -> request.claim().key().namespace());
    }
    if (name.equals("name")) {
      return Optional.of(request -> request.claim().key().name());
    }
    Optional<String> label = parseKey(name, LABEL);
    if (label.isPresent()) {
      return Optional.of(request -> request.claim().labels().get(label.get()));
    }
    return parseKey(name, ANNOTATION)
        .map(key -> request -> withoutExtraSlashes(request.claim().annotations().get(key)));
  }

  // Treats a value of slashes alone as missing, so that no claim gets the directory above.
  private static @Nullable String withoutExtraSlashes(@Nullable String value) {
    return value == null ? null : SubdirPattern.withoutExtraSlashes(value);
  }

  private static Optional<String> parseKey(String name, String prefix) {
    return name.startsWith(prefix) && name.length() > prefix.length()
        ? Optional.of(name.substring(prefix.length()))
        : Optional.empty();
  }
}
