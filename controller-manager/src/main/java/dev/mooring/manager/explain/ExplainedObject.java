package dev.mooring.manager.explain;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An object as it is named on a command line: {@code KIND/NAME}, or {@code KIND NAME}, as kubectl
 * takes them.
 *
 * @param kind its kind
 * @param key its name, and its namespace if it has one
 */
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
          Map.entry("va", Kind.ATTACHMENT));

  /**
   * The one that is named by these words.
   *
   * @param namespace where it is, if its kind has namespaces
   * @throws NotAnsweredException if there can be no such object, or nothing can explain it
   */
  public static ExplainedObject of(List<String> words, String namespace)
      throws NotAnsweredException {
    String text = String.join("/", words);
    int slash = text.indexOf('/');
    String name = slash < 0 ? "" : text.substring(slash + 1);
    if (name.isEmpty()) {
      throw new NotAnsweredException(
          "\"" + text + "\" does not say what to explain: name it as KIND/NAME, such as pvc/data");
    }
    String word = text.substring(0, slash);
    Kind<?> kind =
        kind(word.toLowerCase(Locale.ROOT))
            .filter(Explainers.KINDS::contains)
            .orElseThrow(() ->
                new NotAnsweredException(
                    "\"" + word + "\" cannot be explained; these can: " + explainable()));
    ObjectKey key = kind.namespaced() ? ObjectKey.of(namespace, name) : ObjectKey.cluster(name);
    if (!key.flaw().isEmpty()) {
      throw new NotAnsweredException("there can be no such " + kind + ": " + key.flaw());
    }
    return new ExplainedObject(kind, key);
  }

  private static String explainable() {
    return Explainers.KINDS.stream()
        .map(kind -> ExplanationText.shortName(kind) + "/NAME")
        .collect(Collectors.joining(", "));
  }

  private static Optional<Kind<?>> kind(String word) {
    Kind<?> known = ALIASES.get(word);
    if (known != null) {
      return Optional.of(known);
    }
    for (Kind<?> kind : Kind.ALL) {
      if (word.equals(kind.plural()) || word.equals(kind.kind().toLowerCase(Locale.ROOT))) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
