package dev.mooring.manager.danger;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.Locale;

/**
 * Topmost owner of pods or claims.
 *
 * @param kind kind of the object, for example StatefulSet
 */
public record OwningWorkload(String kind, ObjectKey key, Uid uid) {
  boolean isDaemonSet() {
    return kind.equals("DaemonSet");
  }

  boolean keepsPodNames() {
    return kind.equals("StatefulSet");
  }

  String title() {
    return kind.toLowerCase(Locale.ROOT) + " " + key;
  }
}
