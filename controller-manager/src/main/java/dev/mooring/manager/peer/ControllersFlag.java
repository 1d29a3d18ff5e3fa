package dev.mooring.manager.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The flag {@code --controllers} of kube-controller-manager.
 *
 * @param entries names, names with a leading minus, and '*'
 */
public record ControllersFlag(List<String> entries) {
  private static final String FLAG = "--controllers";
  private static final String ALL = "*";

  /** Reads the flag from a command line. As in Kubernetes, repeated flags are joined. */
  static ControllersFlag in(List<String> words) {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith(FLAG + "=")) {
        entries.addAll(List.of(word.substring(FLAG.length() + 1).split(",", -1)));
      } else if (word.equals(FLAG) && i + 1 < words.size()) {
        entries.addAll(List.of(words.get(i + 1).split(",", -1)));
      }
    }
    return new ControllersFlag(entries.isEmpty() ? List.of(ALL) : List.copyOf(entries));
  }

  /**
   * Returns whether a controller runs that is on by default. As in Kubernetes, the first entry with
   * its name counts.
   *
   * @param isItsName matches the names of the controller
   */
  public boolean isOn(Predicate<String> isItsName) {
    for (String entry : entries) {
      if (isItsName.test(entry)) {
        return true;
      }
      if (entry.startsWith("-") && isItsName.test(entry.substring(1))) {
        return false;
      }
    }
    return entries.contains(ALL);
  }
}
