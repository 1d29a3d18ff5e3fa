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
 * Runs several controllers under one name, each in its own {@link ControllerRuntime}. Started once
 * and stopped once. Thread-safe.
 *
 * <p>Initial members start one after the other in the order of declaration, on the thread that
 * starts the group. Later members start on the thread on which they join, perhaps concurrently.
 *
 * <p>Members stop one after the other in the order of declaration and joining; members that others
 * depend on must therefore be declared last. Every member is stopped, even if it has not started or
 * its start was interrupted. No member starts after the stop. A stop does not wait for a start on
 * another thread, which ends after its current part; no lock is held meanwhile.
 */
public final class ControllerGroup implements Controller {
  private final GroupSpec spec;
  private final Time time;
  private final AuditSink audit;
  private final List<ControllerRuntime> members = new CopyOnWriteArrayList<>(); // grows under this
  private boolean stopped; // guarded by this

  public ControllerGroup(GroupSpec spec, Time time) {
    this(spec, time, AuditSink.NONE);
  }

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

  @Override
  public List<Informer<?>> reads() {
    return Stream.concat(
            spec.reads().stream(), members.stream().flatMap(member -> member.reads().stream()))
        .<Informer<?>>map(informer -> informer)
        .distinct()
        .toList();
  }

  /**
   * Starts the initial members and then accepts others. Returns early if the group is stopped
   * meanwhile.
   *
   * @throws InterruptedException if a member's start is interrupted; the following ones do not
   *     start
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
      spec.memberSource().addMembers(this::join);
    }
  }

  @Override
  public List<StoppedPart> stoppedParts() {
    return members.stream().flatMap(member -> member.stoppedParts().stream()).toList();
  }

  private void join(ControllerSpec member) throws InterruptedException {
    ControllerRuntime runtime = runtimeOf(member);
    synchronized (this) {
      if (stopped) {
        return;
      }
      members.add(runtime); // added before it starts, so that an interrupted start is also stopped
    }
    runtime.start();
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  /**
   * Stops the members one after the other. Each has the full grace period, until one exceeds it;
   * the following members then have none.
   *
   * @return whether all members finished
   */
  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    synchronized (this) {
      stopped = true;
    }
    boolean allFinished = true;
    for (ControllerRuntime member : members) {
      allFinished &= member.stop(allFinished ? grace : Duration.ZERO);
    }
    return allFinished;
  }

  @Override
  public boolean isIdle() {
    return members.stream().allMatch(Controller::isIdle);
  }

  @Override
  public List<QueueStats> queueStats() {
    return members.stream().flatMap(member -> member.queueStats().stream()).toList();
  }
}
