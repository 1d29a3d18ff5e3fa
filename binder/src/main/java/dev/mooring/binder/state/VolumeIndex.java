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
  private static final Volume.Status NEUTRAL_STATUS =
      new Volume.Status(VolumePhase.AVAILABLE, "", "");

  private static final class LabelledVolumes {
    private final NavigableMap<VolumePosition, Volume> volumes = new TreeMap<>();
    private final Map<String, NavigableMap<VolumePosition, Volume>> byValue = new HashMap<>();
  }

  private static final class VolumesBySize {
    private final NavigableMap<VolumePosition, Volume> volumes = new TreeMap<>();
    private final Map<String, LabelledVolumes> byLabel = new HashMap<>();

    void add(VolumePosition position, Volume volume) {
      volumes.put(position, volume);
      volume
          .meta()
          .labels()
          .forEach((key, value) -> {
            LabelledVolumes labelled = byLabel.computeIfAbsent(key, k -> new LabelledVolumes());
            labelled.volumes.put(position, volume);
            labelled.byValue.computeIfAbsent(value, v -> new TreeMap<>()).put(position, volume);
          });
    }

    void remove(VolumePosition position, Volume volume) {
      volumes.remove(position);
      volume
          .meta()
          .labels()
          .forEach((key, value) -> {
            LabelledVolumes labelled = byLabel.get(key);
            if (labelled != null) {
              labelled.volumes.remove(position);
              labelled.byValue.computeIfPresent(
                  value, (v, volumesOfValue) -> removeFrom(volumesOfValue, position));
              byLabel.computeIfPresent(
                  key, (k, remaining) -> remaining.volumes.isEmpty() ? null : remaining);
            }
          });
    }

    private static @Nullable NavigableMap<VolumePosition, Volume> removeFrom(
        NavigableMap<VolumePosition, Volume> volumes, VolumePosition position) {
      volumes.remove(position);
      return volumes.isEmpty() ? null : volumes;
    }

    List<NavigableMap<VolumePosition, Volume>> narrowestSets(
        @Nullable LabelQuery query, StepBudget steps) {
      List<NavigableMap<VolumePosition, Volume>> narrowest = List.of(volumes);
      int fewestVolumes = volumes.size();
      for (LabelQuery.RequiredLabel term :
          query == null ? List.<LabelQuery.RequiredLabel>of() : query.terms()) {
        steps.take(1 + term.values().size());
        List<NavigableMap<VolumePosition, Volume>> volumeSets = setsWithLabel(term);
        int size = volumeSets.stream().mapToInt(Map::size).sum();
        if (size < fewestVolumes) {
          narrowest = volumeSets;
          fewestVolumes = size;
        }
      }
      return narrowest;
    }

    private List<NavigableMap<VolumePosition, Volume>> setsWithLabel(
        LabelQuery.RequiredLabel term) {
      LabelledVolumes labelled = byLabel.get(term.key());
      if (labelled == null) {
        return List.of();
      }
      if (term.values().isEmpty()) {
        return List.of(labelled.volumes);
      }
      List<NavigableMap<VolumePosition, Volume>> volumeSets = new ArrayList<>();
      for (String value : term.values()) {
        NavigableMap<VolumePosition, Volume> volumesOfValue = labelled.byValue.get(value);
        if (volumesOfValue != null) {
          volumeSets.add(volumesOfValue);
        }
      }
      return volumeSets;
    }
  }

  static final class VolumeBin {
    private final @Nullable VolumesBySize[] volumesByModes = new VolumesBySize[AccessModes.MASKS];
    private final TreeMap<Long, Volume> byArrival = new TreeMap<>();
    private final Map<String, Long> arrivals = new HashMap<>();

    NavigableMap<Long, Volume> arrivedAfter(long moment) {
      return byArrival.tailMap(moment, false);
    }

    boolean contains(Volume volume) {
      Long arrival = arrivals.get(volume.meta().name());
      return arrival != null && volume.equals(byArrival.get(arrival));
    }

    List<NavigableMap<VolumePosition, Volume>> candidateSets(
        MatchKey key, Collection<Integer> accessModes, StepBudget steps) {
      List<NavigableMap<VolumePosition, Volume>> candidateSets = new ArrayList<>();
      for (int modes : accessModes) {
        VolumesBySize bySize = volumesByModes[modes];
        if (bySize != null) {
          steps.take(1);
          candidateSets.addAll(bySize.narrowestSets(key.labels(), steps));
        }
      }
      return candidateSets;
    }

    private void add(Volume volume, long moment) {
      int modes = volume.accessModes().mask();
      VolumesBySize bySize = volumesByModes[modes];
      if (bySize == null) {
        bySize = new VolumesBySize();
        volumesByModes[modes] = bySize;
      }
      bySize.add(VolumePosition.of(volume), volume);
      byArrival.put(moment, volume);
      arrivals.put(volume.meta().name(), moment);
    }

    private void remove(Volume volume, long moment) {
      int modes = volume.accessModes().mask();
      VolumesBySize bySize = volumesByModes[modes];
      if (bySize != null) {
        bySize.remove(VolumePosition.of(volume), volume);
        if (bySize.volumes.isEmpty()) {
          volumesByModes[modes] = null;
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
  boolean replace(Volume old, Volume current) {
    VolumeBin bin = bins.get(ExactKey.of(old));
    Long arrival = bin == null ? null : bin.arrivals.get(old.meta().name());
    if (bin == null
        || arrival == null
        || !reduceToTestedFields(old).equals(reduceToTestedFields(current))) {
      return false;
    }
    bin.remove(old, arrival);
    bin.add(current, arrival);
    return true;
  }

  /**
   * Returns the volume reduced to the fields that a test may read: the other fields change while
   * controllers work on it.
   */
  private static Volume reduceToTestedFields(Volume volume) {
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
        NEUTRAL_STATUS,
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

  @Nullable VolumeBin findBin(ExactKey exact) {
    return bins.get(exact);
  }

  long moment() {
    return moment;
  }
}
