package dev.mooring.binder.state;

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
 * Index of free volumes: by class and modes, then access modes, then size, and by label, so that a
 * look-up detects labels that no volume has. Keeps the order in which volumes became free. Not
 * thread-safe: the reservations' lock guards it.
 */
final class VolumeIndex {
  private static final Volume.Status NOTHING_SAID =
      new Volume.Status(VolumePhase.AVAILABLE, "", "");

  private static final class LabelledVolumes {
    private final NavigableMap<VolumePosition, Volume> all = new TreeMap<>();
    private final Map<String, NavigableMap<VolumePosition, Volume>> byValue = new HashMap<>();
  }

  private static final class VolumesBySize {
    private final NavigableMap<VolumePosition, Volume> all = new TreeMap<>();
    private final Map<String, LabelledVolumes> byLabel = new HashMap<>();

    void add(VolumePosition at, Volume volume) {
      all.put(at, volume);
      volume
          .meta()
          .labels()
          .forEach((key, value) -> {
            LabelledVolumes labelled = byLabel.computeIfAbsent(key, k -> new LabelledVolumes());
            labelled.all.put(at, volume);
            labelled.byValue.computeIfAbsent(value, v -> new TreeMap<>()).put(at, volume);
          });
    }

    void remove(VolumePosition at, Volume volume) {
      all.remove(at);
      volume
          .meta()
          .labels()
          .forEach((key, value) -> {
            LabelledVolumes labelled = byLabel.get(key);
            if (labelled != null) {
              labelled.all.remove(at);
              labelled.byValue.computeIfPresent(value, (v, same) -> without(same, at));
              byLabel.computeIfPresent(key, (k, left) -> left.all.isEmpty() ? null : left);
            }
          });
    }

    private static @Nullable NavigableMap<VolumePosition, Volume> without(
        NavigableMap<VolumePosition, Volume> volumes, VolumePosition at) {
      volumes.remove(at);
      return volumes.isEmpty() ? null : volumes;
    }

    List<NavigableMap<VolumePosition, Volume>> narrowest(
        @Nullable LabelQuery query, StepBudget steps) {
      List<NavigableMap<VolumePosition, Volume>> best = List.of(all);
      int fewest = all.size();
      for (LabelQuery.RequiredLabel term :
          query == null ? List.<LabelQuery.RequiredLabel>of() : query.terms()) {
        steps.take(1 + term.values().size());
        List<NavigableMap<VolumePosition, Volume>> found = withLabel(term);
        int size = found.stream().mapToInt(Map::size).sum();
        if (size < fewest) {
          best = found;
          fewest = size;
        }
      }
      return best;
    }

    private List<NavigableMap<VolumePosition, Volume>> withLabel(LabelQuery.RequiredLabel term) {
      LabelledVolumes labelled = byLabel.get(term.key());
      if (labelled == null) {
        return List.of();
      }
      if (term.values().isEmpty()) {
        return List.of(labelled.all);
      }
      List<NavigableMap<VolumePosition, Volume>> found = new ArrayList<>();
      for (String value : term.values()) {
        NavigableMap<VolumePosition, Volume> same = labelled.byValue.get(value);
        if (same != null) {
          found.add(same);
        }
      }
      return found;
    }
  }

  static final class VolumeBin {
    private final @Nullable VolumesBySize[] sizes = new VolumesBySize[AccessModes.MASKS];
    private final TreeMap<Long, Volume> byArrival = new TreeMap<>();
    private final Map<String, Long> arrivals = new HashMap<>();

    NavigableMap<Long, Volume> since(long moment) {
      return byArrival.tailMap(moment, false);
    }

    boolean contains(Volume volume) {
      Long arrival = arrivals.get(volume.meta().name());
      return arrival != null && volume.equals(byArrival.get(arrival));
    }

    List<NavigableMap<VolumePosition, Volume>> candidateSets(
        MatchKey key, Collection<Integer> accessModes, StepBudget steps) {
      List<NavigableMap<VolumePosition, Volume>> places = new ArrayList<>();
      for (int modes : accessModes) {
        VolumesBySize bySize = sizes[modes];
        if (bySize != null) {
          steps.take(1);
          places.addAll(bySize.narrowest(key.labels(), steps));
        }
      }
      return places;
    }

    private void add(Volume volume, long moment) {
      int modes = volume.accessModes().mask();
      VolumesBySize bySize = sizes[modes];
      if (bySize == null) {
        bySize = new VolumesBySize();
        sizes[modes] = bySize;
      }
      bySize.add(VolumePosition.of(volume), volume);
      byArrival.put(moment, volume);
      arrivals.put(volume.meta().name(), moment);
    }

    private void remove(Volume volume, long moment) {
      int modes = volume.accessModes().mask();
      VolumesBySize bySize = sizes[modes];
      if (bySize != null) {
        bySize.remove(VolumePosition.of(volume), volume);
        if (bySize.all.isEmpty()) {
          sizes[modes] = null;
        }
      }
      byArrival.remove(moment);
      arrivals.remove(volume.meta().name());
    }
  }

  private final Map<ExactKey, VolumeBin> bins = new HashMap<>();
  private long moment;

  void add(Volume volume) {
    bins.computeIfAbsent(ExactKey.of(volume), l -> new VolumeBin()).add(volume, ++moment);
  }

  /**
   * Replaces a volume if claims see no difference; false if they do, or if the volume is not in the
   * index.
   */
  boolean replace(Volume before, Volume now) {
    VolumeBin bin = bins.get(ExactKey.of(before));
    Long arrival = bin == null ? null : bin.arrivals.get(before.meta().name());
    if (bin == null || arrival == null || !reduced(before).equals(reduced(now))) {
      return false;
    }
    bin.remove(before, arrival);
    bin.add(now, arrival);
    return true;
  }

  /**
   * Returns the volume reduced to the fields that a test may read: the other fields change while
   * controllers work on it.
   */
  private static Volume reduced(Volume volume) {
    return new Volume(
        volume.meta().withoutVersion().withFinalizers(List.of()),
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

  void remove(Volume volume) {
    ExactKey exact = ExactKey.of(volume);
    VolumeBin bin = bins.get(exact);
    Long arrival = bin == null ? null : bin.arrivals.get(volume.meta().name());
    if (bin != null && arrival != null) {
      bin.remove(volume, arrival);
      if (bin.byArrival.isEmpty()) {
        bins.remove(exact);
      }
    }
  }

  @Nullable VolumeBin bin(ExactKey exact) {
    return bins.get(exact);
  }

  long moment() {
    return moment;
  }
}
