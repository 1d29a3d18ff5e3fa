package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.Grants;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What claims are to be filled with, which caches do not keep. Thread-safe. */
public record DataSources(LiveReader reader) {
  /** Of a claim; absent if it is gone, or is filled with nothing. */
  public ReadResult<DataSource> read(ObjectKey claim) throws InterruptedException {
    return switch (reader.readWhole(Kind.CLAIM, claim)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> found) ->
          of(Whole.of(found))
              .<ReadResult<DataSource>>map(ReadResult.Found::new)
              .orElseGet(ReadResult.Absent::new);
      case ReadResult.Absent<Map<String, Object>> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new ReadResult.Failed<>(message);
    };
  }

  /** The other namespaces whose claims may use the source, as the API server says now. */
  public ReadResult<Set<String>> namespacesGranted(CloneSource source) throws InterruptedException {
    return reader
        .list(ReferenceGrant.KIND, source.key().namespace())
        .map(grants -> Grants.namespaces(source, grants));
  }

  /** Of a claim as the server has it. */
  static Optional<DataSource> of(Whole claim) {
    Whole spec = claim.at("spec");
    Whole source =
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
