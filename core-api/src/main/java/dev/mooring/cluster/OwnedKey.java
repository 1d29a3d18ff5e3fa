package dev.mooring.cluster;

import dev.mooring.model.Kind;

/**
 * Annotation, label or finalizer that only Mooring writes, reads and removes. Keys that Mooring
 * shares with Kubernetes are not listed. Each writer declares its keys, so that {@code uninstall}
 * can remove them. Claim conditions need no declaration: {@code uninstall} removes every condition
 * whose type starts with {@link #PREFIX}.
 *
 * @param text key or finalizer name; starts with {@link #PREFIX}
 * @param meaning purpose, as a clause
 */
public record OwnedKey(Kind<?> kind, KeyType type, String text, String meaning) {
  public static final String PREFIX = "mooring.dev/";

  public enum KeyType {
    FINALIZER("finalizer"),
    ANNOTATION("annotation"),
    LABEL("label");

    private final String text;

    KeyType(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public OwnedKey {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException(text + " does not begin with " + PREFIX);
    }
  }

  public static OwnedKey finalizer(Kind<?> kind, String text, String meaning) {
    return new OwnedKey(kind, KeyType.FINALIZER, text, meaning);
  }

  public static OwnedKey annotation(Kind<?> kind, String text, String meaning) {
    return new OwnedKey(kind, KeyType.ANNOTATION, text, meaning);
  }

  public static OwnedKey label(Kind<?> kind, String text, String meaning) {
    return new OwnedKey(kind, KeyType.LABEL, text, meaning);
  }
}
