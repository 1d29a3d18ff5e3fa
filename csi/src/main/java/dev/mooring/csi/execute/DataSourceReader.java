package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.ReferenceGrantRules;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads data sources of claims live, because caches drop them. Thread-safe. */
public record DataSourceReader(LiveReader reader) {
  public ReadResult<DataSource> read(ObjectKey claim) throws InterruptedException {
    return switch (reader.readWhole(Kind.CLAIM, claim)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> found) ->
          of(RawObject.of(found))
              .<ReadResult<DataSource>>map(ReadResult.Found::new)
              .orElseGet(ReadResult.Absent::new);
      case ReadResult.Absent<Map<String, Object>> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new ReadResult.Failed<>(message);
    };
  }

  public ReadResult<Set<String>> namespacesGranted(CloneSource source) throws InterruptedException {
    return reader
        .list(ReferenceGrant.KIND, source.key().namespace())
        .map(grants -> ReferenceGrantRules.namespaces(source, grants));
  }

  static Optional<DataSource> of(RawObject claim) {
    RawObject spec = claim.at("spec");
    RawObject source =
        spec.at("dataSource").isEmpty() ? spec.at("dataSourceRef") : spec.at("dataSource");
    return source.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new DataSource(
                source.text("apiGroup"),
                source.text("kind"),
                source.text("namespace"),
                source.text("name")));
  }
}
