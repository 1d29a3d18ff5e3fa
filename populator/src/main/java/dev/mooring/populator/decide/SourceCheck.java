package dev.mooring.populator.decide;

import dev.mooring.model.DataSourceRef;
import dev.mooring.model.VolumePopulator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Program that fills the volume of a claim; the names are label values of a metric. */
public enum SourceCheck {
  EMPTY,
  PVC,
  SNAPSHOT,
  POPULATOR,
  INVALID,
  ERROR;

  /**
   * Checks the kind of a data source.
   *
   * @param source spec.dataSourceRef; null if none
   * @param registered VolumePopulators of the cluster
   * @param isServed whether a plugin has a populator for the kind
   */
  public static SourceCheck of(
      @Nullable DataSourceRef source, List<VolumePopulator> registered, boolean isServed) {
    if (source == null) {
      return EMPTY;
    }
    if (source.isClaim()) {
      return PVC;
    }
    if (source.isSnapshot()) {
      return SNAPSHOT;
    }
    return isServed || registered.stream().anyMatch(populator -> populator.serves(source))
        ? POPULATOR
        : INVALID;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
