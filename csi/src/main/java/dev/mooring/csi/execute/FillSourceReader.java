package dev.mooring.csi.execute;

import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.decide.ReferenceGrantRules;
import dev.mooring.live.RawObject;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the data source of a claim for CreateVolume. Thread-safe.
 *
 * @param keepMode whether a snapshot's volume mode must be kept
 * @param hasTopology whether the nodeAffinity of a snapshot content restricts the new volume
 */
public record FillSourceReader(
    String driver,
    boolean keepMode,
    InputReader inputs,
    DataSourceReader sources,
    SourceProtection protection,
    boolean hasTopology) {
  // Resolved data source.
  sealed interface DataRequest {
    record Empty() implements DataRequest {}

    // the volume must be in one of the topologies; empty for no restriction
    record Filled(ContentSource source, List<Map<String, List<String>>> topologies)
        implements DataRequest {}

    // An external populator provisions the volume.
    record ByPopulator(String reason) implements DataRequest {}

    // Returns the content source of the request; null for none.
    default @Nullable ContentSource content() {
      return this instanceof Filled filled ? filled.source() : null;
    }

    default List<Map<String, List<String>>> topologies() {
      return this instanceof Filled filled ? filled.topologies() : List.of();
    }
  }

  private static final DataRequest BY_POPULATOR =
      new DataRequest.ByPopulator("Assuming an external populator will provision the volume");

  // those of Go's strconv.ParseBool, as in external-provisioner
  private static final Set<String> TRUE_VALUES = Set.of("1", "t", "T", "true", "TRUE", "True");

  // Caches keep only whether a claim has a source; the flag never changes.
  Optional<DataSource> readDataSource(Claim claim) throws RequestNotSent, InterruptedException {
    return claim.hasDataSource()
        ? RequestNotSent.requireAnswer(sources.read(claim.key()))
        : Optional.empty();
  }

  DataRequest resolve(Order order, DataSource source, DriverIdentity identity)
      throws RequestNotSent, InterruptedException {
    Claim claim = order.claim();
    if (source.name().isEmpty()) {
      throw new RequestNotSent(State.FINISHED, "the data source has no name");
    }
    ObjectKey key = source.key(claim.key().namespace());
    if (!key.flaw().isEmpty()) {
      throw new RequestNotSent(
          State.FINISHED, "the name of the data source is invalid: " + key.flaw());
    }
    if (ReferenceGrantRules.isNeeded(source, claim.key().namespace())) {
      sources.requireGrant(claim, source, inputs.blockedClaims());
    }
    return switch (source.kind()) {
      case "VolumeSnapshot" -> {
        requireSnapshotGroup(source);
        requireCapability(identity, DriverCapability.CREATE_DELETE_SNAPSHOT);
        yield lookUpProtected(source, claim, () -> resolveSnapshot(claim, key));
      }
      case "PersistentVolumeClaim" -> {
        if (!source.isClaim()) {
          yield BY_POPULATOR;
        }
        requireCapability(identity, DriverCapability.CLONE_VOLUME);
        String handle = lookUpProtected(source, claim, () -> resolveClaim(claim, key));
        yield new DataRequest.Filled(
            new ContentSource(ContentSource.Kind.VOLUME, handle), List.of());
      }
      default -> BY_POPULATOR;
    };
  }

  private static void requireSnapshotGroup(DataSource source) throws RequestNotSent {
    if (!source.isSnapshot()) {
      throw new RequestNotSent(
          State.FINISHED, "there is no VolumeSnapshot in API group \"" + source.group() + "\"");
    }
  }

  private <T> T lookUpProtected(
      DataSource source, Claim claim, SourceProtection.SourceLookup<T> lookup)
      throws RequestNotSent, InterruptedException {
    return protection.lookUpProtected(
        source.toCloneSource(claim.key().namespace()).orElseThrow(), claim, lookup);
  }

  private void requireCapability(DriverIdentity identity, DriverCapability capability)
      throws RequestNotSent {
    if (!identity.can(capability)) {
      throw new RequestNotSent(State.FINISHED, "CSI driver " + driver + " lacks " + capability);
    }
  }

  private DataRequest resolveSnapshot(Claim claim, ObjectKey key)
      throws RequestNotSent, InterruptedException {
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
        CreateRequests.requireValid(
            FillSourceRules.checkSnapshot(
                claim,
                new FillSourceRules.Snapshot(
                    key,
                    Uid.of(meta.text("uid")),
                    !meta.text("deletionTimestamp").isEmpty() && !isProtected,
                    status.flag("readyToUse"),
                    Quantity.parse(status.text("restoreSize")),
                    content.map(FillSourceReader::parseContent)),
                driver,
                keepMode),
            State.UNCHANGED);
    if (!isProtected) {
      protection.snapshots().protect(key);
    }
    return new DataRequest.Filled(
        new ContentSource(ContentSource.Kind.SNAPSHOT, id),
        hasTopology ? content.map(FillSourceReader::parseTopologies).orElse(List.of()) : List.of());
  }

  private static List<Map<String, List<String>>> parseTopologies(RawObject content) {
    List<Map<String, List<String>>> terms = new ArrayList<>();
    for (RawObject term : content.at("spec").objects("nodeAffinity")) {
      Map<String, List<String>> expressions = new HashMap<>();
      term.objects("matchLabelExpressions")
          .forEach(e -> expressions.put(e.text("key"), e.list("values")));
      terms.add(Map.copyOf(expressions));
    }
    return List.copyOf(terms);
  }

  private static FillSourceRules.Content parseContent(RawObject content) {
    RawObject spec = content.at("spec");
    RawObject ref = spec.at("volumeSnapshotRef");
    String mode = spec.text("sourceVolumeMode");
    return new FillSourceRules.Content(
        spec.text("driver"),
        content.at("status").text("snapshotHandle"),
        new ObjectKey(ref.text("namespace"), ref.text("name")),
        Uid.of(ref.text("uid")),
        mode.isEmpty() ? Optional.empty() : Optional.of(VolumeMode.of(mode)),
        TRUE_VALUES.contains(
            content
                .at("metadata", "annotations")
                .text("snapshot.storage.kubernetes.io/allow-volume-mode-change")));
  }

  private String resolveClaim(Claim claim, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    Claim source = requireObject(claim, Kind.CLAIM, key);
    if (source.volumeName().isEmpty()) {
      throw new RequestNotSent(
          State.UNCHANGED, "the source claim " + key + " is not bound: " + source.phase());
    }
    Volume volume = requireObject(claim, Kind.VOLUME, ObjectKey.cluster(source.volumeName()));
    String handle =
        CreateRequests.requireValid(
            FillSourceRules.checkClaim(claim, source, volume, driver), State.UNCHANGED);
    protection.protect(source);
    return handle;
  }

  private <T extends Resource> T requireObject(Claim claim, Kind<T> kind, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    return inputs
        .read(claim, kind, key)
        .orElseThrow(() -> new RequestNotSent(State.UNCHANGED, "there is no " + kind + " " + key));
  }
}
