package dev.mooring.plugin.nfs;

import java.util.Locale;

enum OnDelete {
  DELETE,
  RETAIN,
  ARCHIVE;

  static final String ANNOTATION = "mooring.dev/nfs-on-delete";

  String parameterValue() {
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
    for (OnDelete action : values()) {
      if (action.parameterValue().equals(onDelete)) {
        return action;
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
