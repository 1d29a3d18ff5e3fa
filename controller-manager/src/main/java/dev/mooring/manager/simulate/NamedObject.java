package dev.mooring.manager.simulate;

import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Object that a user names as KIND/NAME.
 *
 * @param namespace "" for a cluster-scoped kind
 */
public record NamedObject(ResourceType type, String namespace, String name) {
  public static Optional<NamedObject> parse(String text, String namespace) {
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1 || slash != text.lastIndexOf('/')) {
      return Optional.empty();
    }
    return CopiedKinds.findNamed(text.substring(0, slash))
        .map(type ->
            new NamedObject(type, type.namespaced() ? namespace : "", text.substring(slash + 1)));
  }

  public static String kinds() {
    return CopiedKinds.all().stream().map(ResourceType::singular).collect(Collectors.joining(", "));
  }
}
