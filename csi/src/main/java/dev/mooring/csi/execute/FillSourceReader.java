package dev.mooring.csi.execute;

import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.decide.ReferenceGrantRules;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.CsiConnection.ContentSource;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.State;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the data source of a claim for CreateVolume (spec/csi-bridge.md 5.3). Thread-safe.
 *
 * @param keepMode whether a snapshot's volume mode must be kept
 */
public record FillSourceReader(
    String driver,
    boolean keepMode,
    InputReader inputs,
    DataSourceReader sources,
    SourceProtection protection) {
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

  // Caches keep only whether a claim has a source; the flag never changes.
  private Optional<DataSource> dataSource(Claim claim) throws RequestNotSent, InterruptedException {
    return claim.hasDataSource()
        ? RequestNotSent.unlessUnknown(sources.read(claim.key()))
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
      sources.requireGrant(claim, source, inputs.blocked());
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

  private String protectedId(DataSource source, Claim claim, SourceProtection.IdLookup lookup)
      throws RequestNotSent, InterruptedException {
    return protection.protectedId(
        source.copySource(claim.key().namespace()).orElseThrow(), claim, lookup);
  }

  private void require(DriverIdentity identity, DriverCapability ability) throws RequestNotSent {
    if (!identity.can(ability)) {
      throw new RequestNotSent(State.FINISHED, "CSI driver " + driver + " lacks " + ability);
    }
  }

  private String snapshot(Claim claim, ObjectKey key) throws RequestNotSent, InterruptedException {
    RawObject snapshot =
        inputs
            .readWhole(claim, Kind.SNAPSHOT, key)
            .orElseThrow(() -> new RequestNotSent(State.UNCHANGED, "there is no snapshot " + key));
    RawObject meta = snapshot.at("metadata");
    RawObject status = snapshot.at("status");
    String contentName = status.text("boundVolumeSnapshotContentName");
    Optional<RawObject> content =
        contentName.isEmpty()
            ? Optional.empty()
            : inputs.readWhole(claim, Kind.SNAPSHOT_CONTENT, ObjectKey.cluster(contentName));
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
    Claim source = read(claim, Kind.CLAIM, key);
    if (source.volumeName().isEmpty()) {
      throw new RequestNotSent(
          State.UNCHANGED, "the source claim " + key + " is not bound: " + source.phase());
    }
    Volume volume = read(claim, Kind.VOLUME, ObjectKey.cluster(source.volumeName()));
    String handle =
        CreateRequests.valid(
            FillSourceRules.ofClaim(claim, source, volume, driver), State.UNCHANGED);
    protection.protect(source);
    return handle;
  }

  private <T extends Resource> T read(Claim claim, Kind<T> kind, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    return inputs
        .read(claim, kind, key)
        .orElseThrow(() -> new RequestNotSent(State.UNCHANGED, "there is no " + kind + " " + key));
  }
}
