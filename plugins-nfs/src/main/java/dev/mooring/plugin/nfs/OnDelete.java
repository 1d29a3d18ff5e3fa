package dev.mooring.plugin.nfs;

import java.util.Locale;

/** What becomes of a directory when its volume is deleted. */
enum OnDelete {
  /** It is removed with everything in it. */
  DELETE,
  /** It stays where it is. */
  RETAIN,
  /** It is renamed. */
  ARCHIVE;

  /** On a volume: what was decided when it was made. */
  static final String ANNOTATION = "mooring.dev/nfs-on-delete";

  /** As it stands in parameters and annotations. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the parameters {@code onDelete} and {@code archiveOnDelete}, "" for absent: as
   * nfs-subdir-external-provisioner does, but words that it does not know are refused instead of
   * guessed.
   *
   * @throws IllegalArgumentException naming the parameter, its value and what there is
   */
  static OnDelete of(String onDelete, String archiveOnDelete) {
    for (OnDelete known : values()) {
      if (known.word().equals(onDelete)) {
        return known;
      }
    }
    if (!onDelete.isEmpty()) {
      throw new IllegalArgumentException(
          "onDelete \"" + onDelete + "\" is not known: name delete, retain or archive");
    }
    return switch (archiveOnDelete) {
      case "", "1", "t", "T", "true", "True", "TRUE" -> ARCHIVE;
      case "0", "f", "F", "false", "False", "FALSE" -> DELETE;
      default ->
          throw new IllegalArgumentException(
              "archiveOnDelete \"" + archiveOnDelete + "\" is not known: name true or false");
    };
  }
}
