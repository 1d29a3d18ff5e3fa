package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.decide.ReferenceGrantRules;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.CsiConnection.ContentSource;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.State;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the data source of a claim for CreateVolume (spec/csi-bridge.md 5.3). Thread-safe.
 *
 * @param keepMode whether a snapshot's volume mode must be kept
 */
record FillSourceReader(
    String driver,
    boolean keepMode,
    LiveReader reader,
    DriverFinalizers finalizers,
    SourceProtection protection) {
  private static final Kind<Resource> CONTENT =
      new Kind<>(
          DataSource.SNAPSHOTS,
          "v1",
          "volumesnapshotcontents",
          "VolumeSnapshotContent",
          false,
          Resource.class);

  // Resolved data source.
  sealed interface DataRequest {
    record Empty() implements DataRequest {}

    record Filled(ContentSource with) implements DataRequest {}

    // An external populator provisions the volume.
    record ByPopulator(String why) implements DataRequest {}

    // Returns the content source of the request; null for none.
    default @Nullable ContentSource content() {
      return this instanceof Filled(ContentSource with) ? with : null;
    }
  }

  private static final DataRequest BY_POPULATOR =
      new DataRequest.ByPopulator("Assuming an external populator will provision the volume");

  record SourceProtection(
      SnapshotProtection snapshots,
      SourceGate gate,
      BlockedClaims waiting,
      boolean acrossNamespaces) {}

  private void dependsOn(Claim claim, Kind<?> kind, ObjectKey key) {
    protection.waiting().dependsOn(claim, new BlockedClaims.Input(kind, key));
  }

  // Caches keep only whether a claim has a source; the flag never changes.
  private Optional<DataSource> dataSource(Claim claim) throws RequestNotSent, InterruptedException {
    return claim.hasDataSource()
        ? rawObject(Kind.CLAIM, claim.key()).flatMap(DataSourceReader::of)
        : Optional.empty();
  }

  DataRequest read(Order order, DriverIdentity identity)
      throws RequestNotSent, InterruptedException {
    Claim claim = order.claim();
    Optional<DataSource> dataSource = dataSource(claim);
    if (dataSource.isEmpty()) {
      return new DataRequest.Empty();
    }
    DataSource source = dataSource.get();
    if (source.name().isEmpty()) {
      throw new RequestNotSent(State.FINISHED, "the data source has no name");
    }
    ObjectKey key = source.key(claim.key().namespace());
    if (!key.flaw().isEmpty()) {
      throw new RequestNotSent(
          State.FINISHED, "the name of the data source is invalid: " + key.flaw());
    }
    if (ReferenceGrantRules.isNeeded(source, claim.key().namespace())) {
      checkGrants(claim, source, key);
    }
    return switch (source.kind()) {
      case "VolumeSnapshot" -> {
        requireSnapshot(source);
        require(identity, DriverCapability.CREATE_DELETE_SNAPSHOT);
        yield new DataRequest.Filled(
            new ContentSource(
                ContentSource.Kind.SNAPSHOT,
                protectedId(source, claim, () -> snapshot(claim, key))));
      }
      case "PersistentVolumeClaim" -> {
        if (!source.isClaim()) {
          yield BY_POPULATOR;
        }
        require(identity, DriverCapability.CLONE_VOLUME);
        yield new DataRequest.Filled(
            new ContentSource(
                ContentSource.Kind.VOLUME, protectedId(source, claim, () -> clone(claim, key))));
      }
      default -> BY_POPULATOR;
    };
  }

  private static void requireSnapshot(DataSource source) throws RequestNotSent {
    if (!source.isSnapshot()) {
      throw new RequestNotSent(
          State.FINISHED, "there is no VolumeSnapshot in API group \"" + source.group() + "\"");
    }
  }

  // Grants are read live each time, because a grant may be revoked.
  private void checkGrants(Claim claim, DataSource source, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    if (!protection.acrossNamespaces()) {
      throw new RequestNotSent(
          State.FINISHED,
          "data sources in other namespaces are disabled: "
              + key.namespace()
              + " (--feature-gates=CrossNamespaceVolumeDataSource=true)");
    }
    BlockedClaims.Input all = BlockedClaims.Input.in(ReferenceGrant.KIND, key.namespace());
    protection.waiting().dependsOn(claim, all);
    switch (reader.list(ReferenceGrant.KIND, key.namespace())) {
      case ReadResult.Found<List<ReferenceGrant>>(List<ReferenceGrant> grants) -> {
        if (!ReferenceGrantRules.allow(source, claim.key().namespace(), grants)) {
          throw new RequestNotSent(
              State.UNCHANGED,
              "no ReferenceGrant of namespace "
                  + key.namespace()
                  + " lets claims of namespace "
                  + claim.key().namespace()
                  + " be filled from "
                  + source.kind()
                  + " "
                  + key.name());
        }
        protection.waiting().dropDependency(claim, all);
      }
      case ReadResult.Absent<List<ReferenceGrant>> _ ->
          throw new RequestNotSent(State.UNCHANGED, "there are no ReferenceGrants");
      case ReadResult.Failed<List<ReferenceGrant>>(String message) ->
          throw RequestNotSent.unknown("ReferenceGrants: " + message);
    }
  }

  @FunctionalInterface
  private interface IdLookup {
    String id() throws RequestNotSent, InterruptedException;
  }

  private String protectedId(DataSource dataSource, Claim claim, IdLookup lookup)
      throws RequestNotSent, InterruptedException {
    CloneSource source = dataSource.copySource(claim.key().namespace()).orElseThrow();
    protection.waiting().dependsOn(claim, BlockedClaims.Input.of(source));
    if (!protection.gate().tryEnter(source)) {
      throw new RequestNotSent(
          State.UNCHANGED, source + " is being released: another claim has just finished with it");
    }
    try {
      return lookup.id();
    } finally {
      protection.gate().leave(source);
    }
  }

  private void require(DriverIdentity identity, DriverCapability ability) throws RequestNotSent {
    if (!identity.can(ability)) {
      throw new RequestNotSent(State.FINISHED, "CSI driver " + driver + " lacks " + ability);
    }
  }

  private Optional<RawObject> rawObject(Kind<?> kind, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    return RequestNotSent.unlessUnknown(reader.readWhole(kind, key)).map(RawObject::of);
  }

  private String snapshot(Claim claim, ObjectKey key) throws RequestNotSent, InterruptedException {
    RawObject snapshot =
        rawObject(DataSource.SNAPSHOT, key)
            .orElseThrow(() -> new RequestNotSent(State.UNCHANGED, "there is no snapshot " + key));
    RawObject meta = snapshot.at("metadata");
    RawObject status = snapshot.at("status");
    String contentName = status.text("boundVolumeSnapshotContentName");
    Optional<RawObject> content =
        contentName.isEmpty() ? Optional.empty() : content(claim, ObjectKey.cluster(contentName));
    boolean isProtected = meta.list("finalizers").contains(FillSourceRules.SNAPSHOT_IN_USE);
    String id =
        CreateRequests.valid(
            FillSourceRules.ofSnapshot(
                claim,
                new FillSourceRules.Snapshot(
                    key,
                    Uid.of(meta.text("uid")),
                    !meta.text("deletionTimestamp").isEmpty() && !isProtected,
                    status.flag("readyToUse"),
                    Quantity.parse(status.text("restoreSize")),
                    content.map(FillSourceReader::content)),
                driver,
                keepMode),
            State.UNCHANGED);
    if (!isProtected) {
      protection.snapshots().protect(key);
    }
    return id;
  }

  private Optional<RawObject> content(Claim claim, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    dependsOn(claim, Kind.SNAPSHOT_CONTENT, key);
    return rawObject(CONTENT, key);
  }

  private static FillSourceRules.Content content(RawObject content) {
    RawObject spec = content.at("spec");
    RawObject ref = spec.at("volumeSnapshotRef");
    String mode = spec.text("sourceVolumeMode");
    return new FillSourceRules.Content(
        spec.text("driver"),
        content.at("status").text("snapshotHandle"),
        new ObjectKey(ref.text("namespace"), ref.text("name")),
        Uid.of(ref.text("uid")),
        mode.isEmpty() ? Optional.empty() : Optional.of(VolumeMode.of(mode)),
        content
            .at("metadata", "annotations")
            .text("snapshot.storage.kubernetes.io/allow-volume-mode-change")
            .equals("true"));
  }

  private String clone(Claim claim, ObjectKey key) throws RequestNotSent, InterruptedException {
    Claim source = read(Kind.CLAIM, key);
    if (source.volumeName().isEmpty()) {
      throw new RequestNotSent(
          State.UNCHANGED, "the source claim " + key + " is not bound: " + source.phase());
    }
    ObjectKey volumeKey = ObjectKey.cluster(source.volumeName());
    dependsOn(claim, Kind.VOLUME, volumeKey);
    Volume volume = read(Kind.VOLUME, volumeKey);
    String handle =
        CreateRequests.valid(
            FillSourceRules.ofClaim(claim, source, volume, driver), State.UNCHANGED);
    protect(source);
    return handle;
  }

  private <T extends Resource> T read(Kind<T> kind, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    return RequestNotSent.unlessUnknown(reader.read(kind, key))
        .orElseThrow(() -> new RequestNotSent(State.UNCHANGED, "there is no " + kind + " " + key));
  }

  // Keeps the source until it is copied.
  private void protect(Claim source) throws RequestNotSent, InterruptedException {
    if (source.meta().finalizers().contains(FillSourceRules.CLAIM_IN_USE)) {
      return;
    }
    WriteResult<Claim> written = finalizers.add(Kind.CLAIM, source, FillSourceRules.CLAIM_IN_USE);
    RequestNotSent.unlessWritten(
        "the source claim " + source.key() + " could not be protected", written);
  }
}
