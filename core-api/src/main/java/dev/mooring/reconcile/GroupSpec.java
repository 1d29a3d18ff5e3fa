package dev.mooring.reconcile;

import dev.mooring.informer.Informer;
import java.util.List;

/**
 * What is declared of several controllers that have one name in {@code --controllers}. It does
 * nothing; {@link ControllerGroup} runs it, and nothing else does.
 *
 * @param name the name of all in {@code --controllers}; in logs and metrics each has its own
 * @param reads caches that are filled for the group whoever its members are: members that come
 *     later read no others
 * @param members those that there are from the beginning, in the order of their start
 * @param later where others come from
 */
public record GroupSpec(
    String name, List<Informer<?>> reads, List<ControllerSpec> members, Later later) {
  /** Copies the lists. */
  public GroupSpec {
    reads = List.copyOf(reads);
    members = List.copyOf(members);
  }

  /** Of members that there are from the beginning, and no others. */
  public static GroupSpec of(String name, List<ControllerSpec> members) {
    return new GroupSpec(name, List.of(), members, Later.NONE);
  }

  /** Where members come from that are not known before the group starts. */
  @FunctionalInterface
  public interface Later {
    /** Nobody comes. */
    Later NONE = group -> {};

    /**
     * Called once, when the members from the beginning have started: has those join that are there,
     * on this thread, and those that come, on any thread, for as long as they come.
     *
     * @throws InterruptedException if the start is cut short
     */
    void follow(Joining group) throws InterruptedException;
  }

  /** The group to who comes later. Thread-safe. */
  @FunctionalInterface
  public interface Joining {
    /**
     * From now on the controller is a member: it is started before this returns, and stopped with
     * the group. A group that has been stopped takes nobody. Nobody joins twice.
     *
     * @throws InterruptedException if the start is cut short; the controller is a member
     *     nevertheless, and stopped with the group
     */
    void join(ControllerSpec member) throws InterruptedException;
  }
}
