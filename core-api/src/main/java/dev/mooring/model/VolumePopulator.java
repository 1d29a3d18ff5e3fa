package dev.mooring.model;

/**
 * A VolumePopulator: registers a kind of objects that claims may name as data source.
 *
 * @param meta name and version
 * @param sourceGroup API group of the kind; "" for core
 * @param sourceKind the kind
 */
public record VolumePopulator(Meta meta, String sourceGroup, String sourceKind)
    implements Resource {
  public static final Kind<VolumePopulator> KIND =
      new Kind<>(
          "populator.storage.k8s.io",
          "v1beta1",
          "volumepopulators",
          "VolumePopulator",
          false,
          VolumePopulator.class);

  public boolean serves(DataSourceRef source) {
    return sourceGroup.equals(source.group()) && sourceKind.equals(source.kind());
  }
}
