package dev.mooring.binder.observe;

import dev.mooring.binder.decide.LabelQuery;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The free volumes, by what claims ask for: class and modes, then access modes, then size, and
 * among these by label, so that labels that no volume has are found out by a look-up. Remembers in
 * which order they became free. Not thread-safe: the reservations' lock guards it.
 */
final class VolumeIndex {
  private static final Volume.Status NOTHING_SAID =
      new Volume.Status(VolumePhase.AVAILABLE, "", "");

  /** Volumes in their order. */
  private static final class Sorted extends TreeMap<Position, Volume> {
    private static final long serialVersionUID = 1L;
  }

  /** Volumes that have a label. */
  private static final class Labelled {
    private final Sorted all = new Sorted();
    private final Map<String, Sorted> byValue = new HashMap<>();
  }

  /** Volumes of the same access modes. */
  private static final class BySize {
    private final Sorted all = new Sorted();
    private final Map<String, Labelled> byLabel = new HashMap<>();

    void add(Position at, Volume volume) {
      all.put(at, volume);
      volume
          .meta()
          .labels()
          .forEach((key, value) -> {
            Labelled labelled = byLabel.computeIfAbsent(key, k -> new Labelled());
            labelled.all.put(at, volume);
            labelled.byValue.computeIfAbsent(value, v -> new Sorted()).put(at, volume);
          });
    }

    void remove(Position at, Volume volume) {
      all.remove(at);
      volume
          .meta()
          .labels()
          .forEach((key, value) -> {
            Labelled labelled = byLabel.get(key);
            if (labelled != null) {
              labelled.all.remove(at);
              labelled.byValue.computeIfPresent(value, (v, same) -> without(same, at));
              byLabel.computeIfPresent(key, (k, left) -> left.all.isEmpty() ? null : left);
            }
          });
    }

    private static @Nullable Sorted without(Sorted volumes, Position at) {
      volumes.remove(at);
      return volumes.isEmpty() ? null : volumes;
    }

    /** The fewest volumes that surely hold all which the query holds for. */
    List<Sorted> narrowest(@Nullable LabelQuery query, Steps steps) {
      List<Sorted> best = List.of(all);
      int fewest = all.size();
      for (LabelQuery.Term term : query == null ? List.<LabelQuery.Term>of() : query.terms()) {
        steps.take(1 + term.values().size());
        List<Sorted> found = having(term);
        int size = found.stream().mapToInt(Map::size).sum();
        if (size < fewest) {
          best = found;
          fewest = size;
        }
      }
      return best;
    }

    private List<Sorted> having(LabelQuery.Term term) {
      Labelled labelled = byLabel.get(term.key());
      if (labelled == null) {
        return List.of();
      }
      if (term.values().isEmpty()) {
        return List.of(labelled.all);
      }
      List<Sorted> found = new ArrayList<>();
      for (String value : term.values()) {
        Sorted same = labelled.byValue.get(value);
        if (same != null) {
          found.add(same);
        }
      }
      return found;
    }
  }

  /** Volumes of the same class, mode and attributes class. */
  static final class Bin {
    private final @Nullable BySize[] sizes = new BySize[AccessModes.MASKS];
    private final TreeMap<Long, Volume> byArrival = new TreeMap<>();
    private final Map<String, Long> arrivals = new HashMap<>();

    /** The volumes that became free after that moment, in that order. */
    NavigableMap<Long, Volume> since(long moment) {
      return byArrival.tailMap(moment, false);
    }

    /** Whether the volume, as it is here, is free. */
    boolean contains(Volume volume) {
      Long arrival = arrivals.get(volume.meta().name());
      return arrival != null && volume.equals(byArrival.get(arrival));
    }

    /**
     * Where volumes that suit may be, each sorted.
     *
     * @param accessModes in which sets of access modes
     * @param steps each look-up takes one
     */
    List<NavigableMap<Position, Volume>> places(
        MatchKey key, Collection<Integer> accessModes, Steps steps) {
      List<NavigableMap<Position, Volume>> places = new ArrayList<>();
      for (int modes : accessModes) {
        BySize bySize = sizes[modes];
        if (bySize != null) {
          steps.take(1);
          places.addAll(bySize.narrowest(key.labels(), steps));
        }
      }
      return places;
    }

    private void add(Volume volume, long moment) {
      int modes = volume.accessModes().mask();
      BySize bySize = sizes[modes];
      if (bySize == null) {
        bySize = new BySize();
        sizes[modes] = bySize;
      }
      bySize.add(Position.of(volume), volume);
      byArrival.put(moment, volume);
      arrivals.put(volume.meta().name(), moment);
    }

    private void remove(Volume volume, long moment) {
      int modes = volume.accessModes().mask();
      BySize bySize = sizes[modes];
      if (bySize != null) {
        bySize.remove(Position.of(volume), volume);
        if (bySize.all.isEmpty()) {
          sizes[modes] = null;
        }
      }
      byArrival.remove(moment);
      arrivals.remove(volume.meta().name());
    }
  }

  private final Map<ExactKey, Bin> bins = new HashMap<>();
  private long moment;

  void add(Volume volume) {
    bins.computeIfAbsent(ExactKey.of(volume), l -> new Bin()).add(volume, ++moment);
  }

  /**
   * Puts the volume in the place of what it was before, if claims see no difference; false if they
   * would, or it is not here.
   */
  boolean replace(Volume before, Volume now) {
    Bin bin = bins.get(ExactKey.of(before));
    Long arrival = bin == null ? null : bin.arrivals.get(before.meta().name());
    if (bin == null || arrival == null || !asked(before).equals(asked(now))) {
      return false;
    }
    bin.remove(before, arrival);
    bin.add(now, arrival);
    return true;
  }

  /**
   * All of a volume that a claim may ask for, whatever tests there will be: what changes while
   * others work on it apart.
   */
  private static Volume asked(Volume volume) {
    return new Volume(
        volume.meta().unversioned().withFinalizers(List.of()),
        volume.capacity(),
        volume.source(),
        volume.accessModes(),
        volume.claimRef(),
        volume.reclaimPolicy(),
        volume.storageClass(),
        volume.volumeMode(),
        volume.attributesClass(),
        NOTHING_SAID,
        volume.nodeAffinity());
  }

  /** Takes the volume out, as it was put in; nothing if it is not here. */
  void remove(Volume volume) {
    ExactKey exact = ExactKey.of(volume);
    Bin bin = bins.get(exact);
    Long arrival = bin == null ? null : bin.arrivals.get(volume.meta().name());
    if (bin != null && arrival != null) {
      bin.remove(volume, arrival);
      if (bin.byArrival.isEmpty()) {
        bins.remove(exact);
      }
    }
  }

  /** The volumes of that class, mode and attributes class; null for none. */
  @Nullable Bin bin(ExactKey exact) {
    return bins.get(exact);
  }

  /** When the last volume became free, in a time of this index's own. */
  long moment() {
    return moment;
  }
}
