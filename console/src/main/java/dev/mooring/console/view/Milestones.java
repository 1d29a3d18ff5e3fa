package dev.mooring.console.view;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Finds the dated facts of related objects. */
public final class Milestones {
  private static final int MAX_OBJECTS = 20; // of one kind

  private Milestones() {}

  /** Returns the milestones of the objects, the oldest first. Classes and nodes have none. */
  public static List<Milestone> of(
      ClusterView clusterView, Map<ConsoleSection, List<ObjectKey>> objects) {
    List<Milestone> milestones = new ArrayList<>();
    objects.forEach((section, keys) -> {
      if (section != ConsoleSection.CLASSES && section != ConsoleSection.NODES) {
        for (ObjectKey key : keys.subList(0, Math.min(MAX_OBJECTS, keys.size()))) {
          clusterView
              .informer(section.kind())
              .snapshot()
              .get(key)
              .map(Resource::meta)
              .ifPresent(meta -> add(milestones, new SubjectRef(section.kind(), key), meta));
        }
      }
    });
    milestones.sort(Comparator.comparingLong(Milestone::time));
    return milestones;
  }

  private static void add(List<Milestone> milestones, SubjectRef subject, Meta meta) {
    if (meta.created() > 0) {
      milestones.add(new Milestone(meta.created(), subject, "was created"));
    }
    if (meta.isBeingDeleted()) {
      milestones.add(new Milestone(meta.deleted(), subject, "was marked for deletion"));
    }
  }
}
