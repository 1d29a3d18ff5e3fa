package dev.mooring.manager.explain;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Object on a command line, in kubectl's syntax: {@code KIND/NAME} or {@code KIND NAME}. */
public record ExplainedObject(Kind<?> kind, ObjectKey key) {
  private static final Map<String, Kind<?>> ALIASES =
      Map.ofEntries(
          Map.entry("pvc", Kind.CLAIM),
          Map.entry("claim", Kind.CLAIM),
          Map.entry("pv", Kind.VOLUME),
          Map.entry("volume", Kind.VOLUME),
          Map.entry("po", Kind.POD),
          Map.entry("no", Kind.NODE),
          Map.entry("sc", Kind.STORAGE_CLASS),
          Map.entry("class", Kind.STORAGE_CLASS),
          Map.entry("va", Kind.ATTACHMENT),
          Map.entry("vs", Kind.SNAPSHOT),
          Map.entry("vsc", Kind.SNAPSHOT_CONTENT),
          Map.entry("vsclass", Kind.SNAPSHOT_CLASS),
          Map.entry("vgs", Kind.GROUP_SNAPSHOT),
          Map.entry("vgsc", Kind.GROUP_SNAPSHOT_CONTENT),
          Map.entry("vgsclass", Kind.GROUP_SNAPSHOT_CLASS));

  public static ExplainedObject of(List<String> arguments, String namespace)
      throws NotAnsweredException {
    String text = String.join("/", arguments);
    int slash = text.indexOf('/');
    String name = slash < 0 ? "" : text.substring(slash + 1);
    if (name.isEmpty()) {
      throw new NotAnsweredException(
          "\"" + text + "\" does not name an object: specify KIND/NAME, for example pvc/data");
    }
    String kindName = text.substring(0, slash);
    Kind<?> kind =
        findKind(kindName.toLowerCase(Locale.ROOT))
            .filter(ClusterExplainers.EXPLAINED_KINDS::contains)
            .orElseThrow(() ->
                new NotAnsweredException(
                    "\""
                        + kindName
                        + "\" cannot be explained; supported kinds: "
                        + explainableKinds()));
    ObjectKey key = kind.namespaced() ? ObjectKey.of(namespace, name) : ObjectKey.cluster(name);
    if (!key.flaw().isEmpty()) {
      throw new NotAnsweredException("invalid name of a " + kind + ": " + key.flaw());
    }
    return new ExplainedObject(kind, key);
  }

  private static String explainableKinds() {
    return ClusterExplainers.EXPLAINED_KINDS.stream()
        .map(kind -> ExplanationText.shortName(kind) + "/NAME")
        .collect(Collectors.joining(", "));
  }

  private static Optional<Kind<?>> findKind(String kindName) {
    Kind<?> alias = ALIASES.get(kindName);
    if (alias != null) {
      return Optional.of(alias);
    }
    for (Kind<?> kind : ClusterExplainers.EXPLAINED_KINDS) {
      if (kindName.equals(kind.plural()) || kindName.equals(kind.kind().toLowerCase(Locale.ROOT))) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
