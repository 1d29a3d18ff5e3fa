package dev.mooring.plugin.nfs;

import java.util.Locale;

/** Action on a directory when its volume is deleted. */
enum OnDelete {
  /** Removes the directory with its contents. */
  DELETE,
  /** Keeps the directory. */
  RETAIN,
  /** Renames the directory. */
  ARCHIVE;

  /** Annotation of volumes: the action that was decided at creation. */
  static final String ANNOTATION = "mooring.dev/nfs-on-delete";

  /** Returns the value for parameters and annotations. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the parameters {@code onDelete} and {@code archiveOnDelete}, "" for absent. Differs from
   * nfs-subdir-external-provisioner only in that it rejects unknown values.
   *
   * @throws IllegalArgumentException if a value is unknown; the message contains name, value and
   *     remedy
   */
  static OnDelete of(String onDelete, String archiveOnDelete) {
    for (OnDelete known : values()) {
      if (known.word().equals(onDelete)) {
        return known;
      }
    }
    if (!onDelete.isEmpty()) {
      throw new IllegalArgumentException(
          "onDelete \"" + onDelete + "\" is unknown: use delete, retain or archive");
    }
    return switch (archiveOnDelete) {
      case "", "1", "t", "T", "true", "True", "TRUE" -> ARCHIVE;
      case "0", "f", "F", "false", "False", "FALSE" -> DELETE;
      default ->
          throw new IllegalArgumentException(
              "archiveOnDelete \"" + archiveOnDelete + "\" is unknown: use true or false");
    };
  }
}
