package dev.mooring.console.page;

import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Claim;
import dev.mooring.model.Node;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Order of a list of objects by one of its columns. Equal objects keep their order by name. */
final class ListSort {
  private static final String SIZE = "size";
  private static final String ATTACHED = "attached";

  private final ConsoleSection section;
  private final WaitingSnapshot waiting;

  ListSort(ConsoleSection section, WaitingSnapshot waiting) {
    this.section = section;
    this.waiting = waiting;
  }

  List<Resource> sort(List<Resource> objects, ListQuery query) {
    Optional<Comparator<Resource>> comparator = comparator(query.sortColumn());
    if (comparator.isEmpty()) {
      return objects;
    }
    List<Resource> sorted = new ArrayList<>(objects);
    sorted.sort(query.isDescending() ? comparator.get().reversed() : comparator.get());
    return sorted;
  }

  private Optional<Comparator<Resource>> comparator(String column) {
    return switch (column) {
      case SortableHeads.NAME -> Optional.of(Comparator.comparing(o -> o.key().name()));
      case SortableHeads.NAMESPACE -> Optional.of(Comparator.comparing(Resource::key));
      case SortableHeads.AGE ->
          Optional.of(Comparator.comparingLong((Resource o) -> o.meta().created()).reversed());
      case SortableHeads.REASON ->
          Optional.of(
              Comparator.comparing(this::mostUrgent, Comparator.nullsLast(Explanation.PRECEDENCE)));
      case SIZE -> Optional.of(Comparator.comparing(ListSort::size));
      default -> byCell(column);
    };
  }

  private @Nullable Explanation mostUrgent(Resource object) {
    List<Explanation> explanations =
        waiting.explanations(new SubjectRef(section.kind(), object.key()));
    return explanations.isEmpty() ? null : explanations.getFirst();
  }

  private static Quantity size(Resource object) {
    return switch (object) {
      case Claim claim -> claim.request();
      case Volume volume -> volume.storage();
      default -> Quantity.ZERO;
    };
  }

  private Optional<Comparator<Resource>> byCell(String column) {
    List<String> tokens = ListColumns.of(section).stream().map(ListColumns.Column::token).toList();
    int index = tokens.indexOf(column);
    if (index < 0) {
      return Optional.empty();
    }
    return Optional.of(
        column.equals(ATTACHED) && section == ConsoleSection.NODES
            ? Comparator.comparingInt(o -> o instanceof Node n ? n.volumesAttached().size() : 0)
            : Comparator.comparing(o -> ListColumns.cells(o).get(index).text()));
  }
}
