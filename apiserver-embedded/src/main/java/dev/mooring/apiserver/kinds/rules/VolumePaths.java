package dev.mooring.apiserver.kinds.rules;

import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.util.Arrays;

public final class VolumePaths {
  private VolumePaths() {}

  static void rejectBacksteps(String path, String field, FieldErrors errors) {
    if (hasBackstep(path)) {
      errors.addInvalid(field, path, "must not contain '..'");
    }
  }

  public static boolean hasBackstep(String path) {
    return Arrays.asList(path.split("/")).contains("..");
  }

  static void requireDescending(String path, String field, FieldErrors errors) {
    if (path.startsWith("/")) {
      errors.addInvalid(field, path, "must be a relative path");
    }
    rejectBacksteps(path, field, errors);
  }

  public static void rejectReserved(String path, String field, FieldErrors errors) {
    requireDescending(path, field, errors);
    if (path.startsWith("..") && !path.startsWith("../")) {
      errors.addInvalid(field, path, "must not start with '..'");
    }
  }

  /** Returns whether the path is absolute and denotes the root directory. */
  public static boolean isRoot(String path) {
    int depth = 0;
    for (String segment : path.split("/")) {
      if (segment.equals("..")) {
        depth = Math.max(0, depth - 1);
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        depth++;
      }
    }
    return path.startsWith("/") && depth == 0;
  }
}
