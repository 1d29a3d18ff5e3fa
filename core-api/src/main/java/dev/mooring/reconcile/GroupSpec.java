package dev.mooring.reconcile;

import dev.mooring.informer.Informer;
import java.util.List;

/**
 * Declaration of several controllers with one name. {@link ControllerGroup} runs it.
 *
 * @param name name of the group in {@code --controllers}; in logs and metrics members have their
 *     own
 * @param reads caches that are filled regardless of the members; later members can read no others
 * @param members initial members in the order of their start
 * @param memberSource source of later members
 */
public record GroupSpec(
    String name, List<Informer<?>> reads, List<ControllerSpec> members, MemberSource memberSource) {
  public GroupSpec {
    reads = List.copyOf(reads);
    members = List.copyOf(members);
  }

  public static GroupSpec of(String name, List<ControllerSpec> members) {
    return new GroupSpec(name, List.of(), members, MemberSource.NONE);
  }

  @FunctionalInterface
  public interface MemberSource {
    MemberSource NONE = group -> {};

    /**
     * Adds members to the group. Called once, after the initial members have started. Adds existing
     * ones on this thread, and others later on any thread.
     *
     * @throws InterruptedException if the start is interrupted
     */
    void addMembers(JoinableGroup group) throws InterruptedException;
  }

  /** Accepts later members. Thread-safe. */
  @FunctionalInterface
  public interface JoinableGroup {
    /**
     * Adds a member and starts it before the call returns; the group stops it. Does nothing if the
     * group has been stopped. A controller must not join twice.
     *
     * @throws InterruptedException if the start is interrupted; the controller is nevertheless a
     *     member and stopped with the group
     */
    void join(ControllerSpec member) throws InterruptedException;
  }
}
