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

public final class DatedFacts {
  private static final int MAX_OBJECTS = 20; // of one kind

  private DatedFacts() {}

  /** Returns the dated facts of the objects, the oldest first; none of classes and nodes. */
  public static List<DatedFact> of(
      ClusterView clusterView, Map<ConsoleSection, List<ObjectKey>> objects) {
    List<DatedFact> datedFacts = new ArrayList<>();
    objects.forEach((section, keys) -> {
      if (section != ConsoleSection.CLASSES && section != ConsoleSection.NODES) {
        for (ObjectKey key : keys.subList(0, Math.min(MAX_OBJECTS, keys.size()))) {
          clusterView
              .informer(section.kind())
              .snapshot()
              .get(key)
              .map(Resource::meta)
              .ifPresent(meta -> add(datedFacts, new SubjectRef(section.kind(), key), meta));
        }
      }
    });
    datedFacts.sort(Comparator.comparingLong(DatedFact::time));
    return datedFacts;
  }

  private static void add(List<DatedFact> datedFacts, SubjectRef subject, Meta meta) {
    if (meta.created() > 0) {
      datedFacts.add(new DatedFact(meta.created(), subject, "was created"));
    }
    if (meta.isBeingDeleted()) {
      datedFacts.add(new DatedFact(meta.deleted(), subject, "was marked for deletion"));
    }
  }
}
