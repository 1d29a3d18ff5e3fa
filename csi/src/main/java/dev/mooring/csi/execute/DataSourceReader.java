package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.ReferenceGrantRules;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.live.RawObject;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.storage.VolumeService.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads data sources of claims live, because caches drop them. Thread-safe.
 *
 * @param acrossNamespaces whether claims may have sources in other namespaces
 */
public record DataSourceReader(LiveReader reader, boolean acrossNamespaces) {
  ReadResult<DataSource> read(ObjectKey claim) throws InterruptedException {
    return switch (reader.readWhole(Kind.CLAIM, claim)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> document) ->
          parse(new RawObject(document))
              .<ReadResult<DataSource>>map(ReadResult.Found::new)
              .orElseGet(ReadResult.Absent::new);
      case ReadResult.Absent<Map<String, Object>> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new ReadResult.Failed<>(message);
    };
  }

  private static Optional<DataSource> parse(RawObject claim) {
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

  ReadResult<Set<String>> readGrantedNamespaces(CloneSource source) throws InterruptedException {
    return reader
        .list(ReferenceGrant.KIND, source.key().namespace())
        .map(grants -> ReferenceGrantRules.findAllowedNamespaces(source, grants));
  }

  // Grants are read live each time, because a grant may be revoked.
  void requireGrant(Claim claim, DataSource source, BlockedClaims blockedClaims)
      throws RequestNotSent, InterruptedException {
    ObjectKey key = source.key(claim.key().namespace());
    if (!acrossNamespaces) {
      throw new RequestNotSent(
          State.FINISHED,
          "data sources in other namespaces are disabled: "
              + key.namespace()
              + " (--feature-gates=CrossNamespaceVolumeDataSource=true)");
    }
    BlockedClaims.Input grantInput =
        BlockedClaims.Input.allIn(ReferenceGrant.KIND, key.namespace());
    blockedClaims.addDependency(claim, grantInput);
    switch (reader.list(ReferenceGrant.KIND, key.namespace())) {
      case ReadResult.Found<List<ReferenceGrant>>(List<ReferenceGrant> grants) -> {
        if (!ReferenceGrantRules.isAllowed(source, claim.key().namespace(), grants)) {
          throw new RequestNotSent(
              State.UNCHANGED,
              "no ReferenceGrant of namespace %s lets claims of namespace %s be filled from %s %s"
                  .formatted(key.namespace(), claim.key().namespace(), source.kind(), key.name()));
        }
        blockedClaims.dropDependency(claim, grantInput);
      }
      case ReadResult.Absent<List<ReferenceGrant>> _ ->
          throw new RequestNotSent(State.UNCHANGED, "there are no ReferenceGrants");
      case ReadResult.Failed<List<ReferenceGrant>>(String message) ->
          throw RequestNotSent.unanswered("ReferenceGrants: " + message);
    }
  }
}
