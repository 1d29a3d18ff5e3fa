package dev.mooring.manager.lifecycle;

import com.google.inject.Injector;
import com.google.inject.Key;
import dev.mooring.audit.AuditSink;
import dev.mooring.informer.Informer;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.ControllerGroup;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.GroupSpec;
import dev.mooring.reconcile.StoppedPart;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Controllers of a manager and their state. Thread-safe.
 *
 * @param list the controllers in the order of their start
 */
public record ControllerSet(List<Controller> list) {
  public ControllerSet {
    list = List.copyOf(list);
  }

  /** Returns the configured controllers of all modules. */
  static ControllerSet of(ManagerConfig config, Injector injector, AuditSink sink) {
    Time time = injector.getInstance(Time.class);
    Stream<Controller> declared =
        Stream.concat(
            injector.getInstance(new Key<Set<ControllerSpec>>() {}).stream()
                .map(spec -> new ControllerRuntime(spec, time, sink)),
            injector.getInstance(new Key<Set<GroupSpec>>() {}).stream()
                .map(spec -> new ControllerGroup(spec, time, sink)));
    return new ControllerSet(
        declared
            .filter(controller -> config.isActive(controller.name()))
            .sorted(EphemeralVolumes.FIRST)
            .toList());
  }

  public List<QueueStats> queueStats() {
    return list.stream().flatMap(controller -> controller.queueStats().stream()).toList();
  }

  public List<Informer<?>> informers() {
    return list.stream()
        .<Informer<?>>flatMap(controller -> controller.reads().stream())
        .distinct()
        .toList();
  }

  public boolean areIdle() {
    return list.stream().allMatch(Controller::isIdle);
  }

  // Parts of these controllers may be stopped.
  public Set<String> runningNames() {
    Set<String> names =
        list.stream().map(Controller::name).collect(Collectors.toCollection(TreeSet::new));
    stoppedParts().forEach(part -> names.remove(part.name()));
    return names;
  }

  Stream<StoppedPart> stoppedParts() {
    return list.stream().flatMap(controller -> controller.stoppedParts().stream());
  }

  public List<String> describeStoppedParts() {
    return stoppedParts().map(StoppedPart::describe).toList();
  }
}
