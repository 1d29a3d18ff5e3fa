package dev.mooring.populator.decide;

import dev.mooring.model.DataSourceRef;
import dev.mooring.model.VolumePopulator;
import dev.mooring.spi.Populator.SourceKind;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who fills the volume of a claim; the names are label values of a metric. */
public enum SourceCheck {
  EMPTY,
  PVC,
  SNAPSHOT,
  POPULATOR,
  INVALID;

  /**
   * Checks the kind of a data source.
   *
   * @param source spec.dataSourceRef; null if none
   * @param registered VolumePopulators of the cluster
   * @param served kinds that populators of plugins serve
   */
  public static SourceCheck of(
      @Nullable DataSourceRef source, List<VolumePopulator> registered, List<SourceKind> served) {
    if (source == null) {
      return EMPTY;
    }
    if (source.isClaim()) {
      return PVC;
    }
    if (source.isSnapshot()) {
      return SNAPSHOT;
    }
    return registered.stream().anyMatch(populator -> populator.serves(source))
            || served.stream().anyMatch(kind -> isKindOf(kind, source))
        ? POPULATOR
        : INVALID;
  }

  public static boolean isKindOf(SourceKind kind, DataSourceRef source) {
    return kind.group().equals(source.group()) && kind.kind().equals(source.kind());
  }

  /** Returns the value of the metric's label. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
