package dev.mooring.apiserver.kinds;

import java.util.Arrays;

final class VolumePaths {
  private VolumePaths() {}

  static void noBacksteps(String path, String field, FieldErrors errors) {
    if (climbs(path)) {
      errors.invalid(field, path, "must not contain '..'");
    }
  }

  static boolean climbs(String path) {
    return Arrays.asList(path.split("/")).contains("..");
  }

  static void descending(String path, String field, FieldErrors errors) {
    if (path.startsWith("/")) {
      errors.invalid(field, path, "must be a relative path");
    }
    noBacksteps(path, field, errors);
  }

  static void notReserved(String path, String field, FieldErrors errors) {
    descending(path, field, errors);
    if (path.startsWith("..") && !path.startsWith("../")) {
      errors.invalid(field, path, "must not start with '..'");
    }
  }

  static boolean isRoot(String path) {
    int depth = 0;
    for (String part : path.split("/")) {
      if (part.equals("..")) {
        depth = Math.max(0, depth - 1);
      } else if (!part.isEmpty() && !part.equals(".")) {
        depth++;
      }
    }
    return path.startsWith("/") && depth == 0;
  }
}
