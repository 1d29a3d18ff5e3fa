package dev.mooring.manager.lifecycle;

import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.StoppedPart;
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

  public List<QueueStats> queueStats() {
    return list.stream().flatMap(controller -> controller.queueStats().stream()).toList();
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
