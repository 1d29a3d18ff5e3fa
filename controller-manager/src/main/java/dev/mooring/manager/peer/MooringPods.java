package dev.mooring.manager.peer;

import dev.mooring.cluster.LiveReader;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Optional;

/** Reads from the pods of other Mooring processes which controllers they run. */
public final class MooringPods {
  private static final String MODE = "--mode";
  private static final List<String> BINDER =
      List.of("persistentvolume-binder-controller", "persistentvolume-binder");

  private final LiveReader reader;

  public MooringPods(LiveReader reader) {
    this.reader = reader;
  }

  /**
   * Returns whether the holder of a Lease binds claims.
   *
   * @param holder identity in the Lease; starts with the name of the pod
   * @return empty if it runs in no readable pod of the Lease's namespace
   */
  public Optional<Boolean> binds(ObjectKey lease, String holder) throws InterruptedException {
    int end = holder.lastIndexOf('_');
    ObjectKey pod = ObjectKey.of(lease.namespace(), end < 0 ? holder : holder.substring(0, end));
    List<String> words = PodCommandLine.read(reader, pod);
    return words.contains("run") ? Optional.of(isBinder(words)) : Optional.empty();
  }

  static boolean isBinder(List<String> words) {
    ControllersFlag controllers = ControllersFlag.in(words);
    return isReplacing(words)
        ? controllers.isOn(BINDER::contains)
        : controllers.entries().stream().anyMatch(BINDER::contains);
  }

  private static boolean isReplacing(List<String> words) {
    boolean replaces = false;
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).startsWith(MODE + "=")) {
        replaces = words.get(i).endsWith("=replace");
      } else if (words.get(i).equals(MODE) && i + 1 < words.size()) {
        replaces = words.get(i + 1).equals("replace");
      }
    }
    return replaces;
  }
}
