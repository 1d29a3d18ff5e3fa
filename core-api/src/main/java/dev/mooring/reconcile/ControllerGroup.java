package dev.mooring.reconcile;

import dev.mooring.audit.AuditSink;
import dev.mooring.informer.Informer;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Runs several controllers under one name, as one: each by a {@link ControllerRuntime} of its own.
 * Started once and stopped once.
 *
 * <p>Members from the beginning start one after the other, as they are declared, on the thread that
 * starts the group; those that come later each on the thread on which they join, several at once
 * perhaps. On the thread that stops the group all of them stop one after the other, as they are
 * declared and then as they joined: what others rest on is declared last. Whoever is a member is
 * stopped, whether or not it was started, or its start was cut short; after a stop nobody is
 * started any more. No lock is held while a member starts or stops: a stop does not wait for a
 * start that is under way on another thread, which ends with the part at which it is. Thread-safe.
 */
public final class ControllerGroup implements Controller {
  private final GroupSpec spec;
  private final Time time;
  private final AuditSink audit;
  private final List<ControllerRuntime> members = new CopyOnWriteArrayList<>(); // grows under this
  private boolean stopped; // guarded by this

  /** Of that group, which does nothing yet. */
  public ControllerGroup(GroupSpec spec, Time time) {
    this(spec, time, AuditSink.NONE);
  }

  /**
   * The same.
   *
   * @param audit takes what members do besides writes and events, which the ports note
   */
  public ControllerGroup(GroupSpec spec, Time time, AuditSink audit) {
    this.spec = spec;
    this.time = time;
    this.audit = audit;
    spec.members().forEach(member -> members.add(runtimeOf(member)));
  }

  private ControllerRuntime runtimeOf(ControllerSpec member) {
    return new ControllerRuntime(member, time, audit);
  }

  @Override
  public String name() {
    return spec.name();
  }

  /** What the group reads whoever its members are, and what those read that there are. */
  @Override
  public List<Informer<?>> reads() {
    return Stream.concat(
            spec.reads().stream(), members.stream().flatMap(member -> member.reads().stream()))
        .<Informer<?>>map(informer -> informer)
        .distinct()
        .toList();
  }

  /**
   * Starts the members that there are, and has others join from then on. Returns early if the group
   * is stopped meanwhile.
   *
   * @throws InterruptedException if a member's start is cut short; the next ones do not start
   */
  @Override
  public void start() throws InterruptedException {
    for (ControllerRuntime member : members) {
      if (isStopped()) {
        return;
      }
      member.start();
    }
    if (!isStopped()) {
      spec.later().follow(this::join);
    }
  }

  private void join(ControllerSpec member) throws InterruptedException {
    ControllerRuntime fresh = runtimeOf(member);
    synchronized (this) {
      if (stopped) {
        return;
      }
      members.add(fresh); // before it starts: a start that is cut short is stopped
    }
    fresh.start();
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  /**
   * Ends the members, one after the other: each has that grace until one has not finished in time;
   * those after it have none.
   *
   * @return whether all of them finished
   */
  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    synchronized (this) {
      stopped = true;
    }
    boolean clean = true;
    for (ControllerRuntime member : members) {
      clean &= member.stop(clean ? grace : Duration.ZERO);
    }
    return clean;
  }

  /** Whether no member has anything to do: so while there are none. */
  @Override
  public boolean isIdle() {
    return members.stream().allMatch(Controller::isIdle);
  }

  @Override
  public List<QueueStats> queueStats() {
    return members.stream().flatMap(member -> member.queueStats().stream()).toList();
  }
}
