package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.Grants;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.CsiConnection.Content;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.State;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a claim's volume is to be filled with (spec/csi-bridge.md 5.3). Thread-safe.
 *
 * @param keepMode whether a snapshot's mode is kept
 */
record ContentReader(
    String driver,
    boolean keepMode,
    LiveReader reader,
    DriverFinalizers finalizers,
    Holding holding) {
  private static final Kind<Resource> CONTENT =
      new Kind<>(
          DataSource.SNAPSHOTS,
          "v1",
          "volumesnapshotcontents",
          "VolumeSnapshotContent",
          false,
          Resource.class);

  /** What the claim wishes for. */
  sealed interface Wish {
    /** An empty volume. */
    record Empty() implements Wish {}

    /** One that is filled by the driver. */
    record Filled(Content with) implements Wish {}

    /** One that somebody else makes and fills. */
    record OfAnother(String why) implements Wish {}

    /** What the driver is told, null for nothing. */
    default @Nullable Content content() {
      return this instanceof Filled(Content with) ? with : null;
    }
  }

  private static final Wish ANOTHERS =
      new Wish.OfAnother("Assuming an external populator will provision the volume");

  /**
   * How sources are held.
   *
   * @param snapshots holds snapshots
   * @param gate passed before anything is held
   * @param waiting told what claims rest on
   * @param acrossNamespaces whether sources may be in other namespaces than the claim
   */
  record Holding(
      SnapshotHolds snapshots, SourceGate gate, BlockedClaims waiting, boolean acrossNamespaces) {}

  private void restsOn(Claim claim, Kind<?> kind, ObjectKey key) {
    holding.waiting().restsOn(claim, new BlockedClaims.Input(kind, key));
  }

  /** Whether a claim has a source never changes, so only one that has is read. */
  private Optional<DataSource> wished(Claim claim) throws NotAsked, InterruptedException {
    return claim.hasDataSource()
        ? whole(Kind.CLAIM, claim.key()).flatMap(DataSources::of)
        : Optional.empty();
  }

  Wish read(Order order, Identity identity) throws NotAsked, InterruptedException {
    Claim claim = order.claim();
    Optional<DataSource> wished = wished(claim);
    if (wished.isEmpty()) {
      return new Wish.Empty();
    }
    DataSource source = wished.get();
    if (source.name().isEmpty()) {
      throw new NotAsked(State.FINISHED, "the data source has no name");
    }
    ObjectKey key = source.key(claim.key().namespace());
    if (!key.flaw().isEmpty()) {
      throw new NotAsked(State.FINISHED, "there can be no such data source: " + key.flaw());
    }
    if (Grants.isNeeded(source, claim.key().namespace())) {
      granted(claim, source, key);
    }
    return switch (source.kind()) {
      case "VolumeSnapshot" -> {
        if (!source.isSnapshot()) {
          throw new NotAsked(
              State.FINISHED, "the VolumeSnapshot of API group \"" + source.group() + "\" is none");
        }
        need(identity, Ability.CREATE_DELETE_SNAPSHOT);
        yield new Wish.Filled(
            new Content(Content.Kind.SNAPSHOT, held(source, claim, () -> snapshot(claim, key))));
      }
      case "PersistentVolumeClaim" -> {
        if (!source.isClaim()) {
          yield ANOTHERS;
        }
        need(identity, Ability.CLONE_VOLUME);
        yield new Wish.Filled(
            new Content(Content.Kind.VOLUME, held(source, claim, () -> clone(claim, key))));
      }
      default -> ANOTHERS;
    };
  }

  /** Asked every time: what is granted may be taken back. */
  private void granted(Claim claim, DataSource source, ObjectKey key)
      throws NotAsked, InterruptedException {
    if (!holding.acrossNamespaces()) {
      throw new NotAsked(
          State.FINISHED,
          "data sources of other namespaces are off: "
              + key.namespace()
              + " (--feature-gates=CrossNamespaceVolumeDataSource=true)");
    }
    BlockedClaims.Input all = BlockedClaims.Input.in(ReferenceGrant.KIND, key.namespace());
    holding.waiting().restsOn(claim, all);
    switch (reader.list(ReferenceGrant.KIND, key.namespace())) {
      case ReadResult.Found<List<ReferenceGrant>>(List<ReferenceGrant> grants) -> {
        if (!Grants.allow(source, claim.key().namespace(), grants)) {
          throw new NotAsked(
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
        holding.waiting().restsNoMoreOn(claim, all);
      }
      case ReadResult.Absent<List<ReferenceGrant>> _ ->
          throw new NotAsked(State.UNCHANGED, "there are no ReferenceGrants");
      case ReadResult.Failed<List<ReferenceGrant>>(String message) ->
          throw NotAsked.unknown("ReferenceGrants: " + message);
    }
  }

  /** Finds the driver's id of a source, and holds the source. */
  @FunctionalInterface
  private interface Finding {
    String id() throws NotAsked, InterruptedException;
  }

  private String held(DataSource wished, Claim claim, Finding finding)
      throws NotAsked, InterruptedException {
    CloneSource source = wished.copySource(claim.key().namespace()).orElseThrow();
    holding.waiting().restsOn(claim, BlockedClaims.Input.of(source));
    if (!holding.gate().holds(source)) {
      throw new NotAsked(State.UNCHANGED, source + " is just being let go");
    }
    try {
      return finding.id();
    } finally {
      holding.gate().held(source);
    }
  }

  private void need(Identity identity, Ability ability) throws NotAsked {
    if (!identity.can(ability)) {
      throw new NotAsked(State.FINISHED, "CSI driver " + driver + " lacks " + ability);
    }
  }

  private Optional<Whole> whole(Kind<?> kind, ObjectKey key) throws NotAsked, InterruptedException {
    return NotAsked.unlessUnknown(reader.readWhole(kind, key)).map(Whole::of);
  }

  private String snapshot(Claim claim, ObjectKey key) throws NotAsked, InterruptedException {
    Whole snapshot =
        whole(DataSource.SNAPSHOT, key)
            .orElseThrow(() -> new NotAsked(State.UNCHANGED, "there is no snapshot " + key));
    Whole meta = snapshot.at("metadata");
    Whole status = snapshot.at("status");
    String contentName = status.text("boundVolumeSnapshotContentName");
    Optional<Whole> content =
        contentName.isEmpty() ? Optional.empty() : content(claim, ObjectKey.cluster(contentName));
    boolean held = meta.list("finalizers").contains(ContentRules.SNAPSHOT_IN_USE);
    String id =
        CreateRequests.valid(
            ContentRules.ofSnapshot(
                claim,
                new ContentRules.Snapshot(
                    key,
                    Uid.of(meta.text("uid")),
                    !meta.text("deletionTimestamp").isEmpty() && !held,
                    status.flag("readyToUse"),
                    Quantity.parse(status.text("restoreSize")),
                    content.map(ContentReader::content)),
                driver,
                keepMode),
            State.UNCHANGED);
    if (!held) {
      holding.snapshots().hold(key);
    }
    return id;
  }

  private Optional<Whole> content(Claim claim, ObjectKey key)
      throws NotAsked, InterruptedException {
    restsOn(claim, Kind.SNAPSHOT_CONTENT, key);
    return whole(CONTENT, key);
  }

  private static ContentRules.Content content(Whole content) {
    Whole spec = content.at("spec");
    Whole ref = spec.at("volumeSnapshotRef");
    String mode = spec.text("sourceVolumeMode");
    return new ContentRules.Content(
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

  private String clone(Claim claim, ObjectKey key) throws NotAsked, InterruptedException {
    Claim source = read(Kind.CLAIM, key);
    if (source.volumeName().isEmpty()) {
      throw new NotAsked(
          State.UNCHANGED, "the source claim " + key + " is not bound: " + source.phase());
    }
    ObjectKey its = ObjectKey.cluster(source.volumeName());
    restsOn(claim, Kind.VOLUME, its);
    Volume volume = read(Kind.VOLUME, its);
    String handle =
        CreateRequests.valid(ContentRules.ofClaim(claim, source, volume, driver), State.UNCHANGED);
    hold(source);
    return handle;
  }

  private <T extends Resource> T read(Kind<T> kind, ObjectKey key)
      throws NotAsked, InterruptedException {
    return NotAsked.unlessUnknown(reader.read(kind, key))
        .orElseThrow(() -> new NotAsked(State.UNCHANGED, "there is no " + kind + " " + key));
  }

  /** The source may not go while it is being copied. */
  private void hold(Claim source) throws NotAsked, InterruptedException {
    if (source.meta().finalizers().contains(ContentRules.CLAIM_IN_USE)) {
      return;
    }
    WriteResult<Claim> held = finalizers.add(Kind.CLAIM, source, ContentRules.CLAIM_IN_USE);
    NotAsked.unlessWritten("the source claim " + source.key() + " could not be held", held);
  }
}
