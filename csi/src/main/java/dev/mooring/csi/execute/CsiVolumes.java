package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.Accesses;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.Parameters;
import dev.mooring.csi.decide.Parameters.Purpose;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.decide.Topologies;
import dev.mooring.csi.driver.DriverSession;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.operation.VolumeService;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.spi.csi.StatusCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes and destroys a driver's volumes (spec/csi-bridge.md 5 and 6). Thread-safe. */
public final class CsiVolumes implements VolumeService {
  private static final int CLEAN_UPS = 5;

  /**
   * What it knows the cluster by.
   *
   * @param reader live reads
   * @param classes every StorageClass
   * @param attachments every VolumeAttachment
   * @param places where drivers run
   */
  public record Cluster(
      LiveReader reader,
      Informer<StorageClass> classes,
      Informer<Attachment> attachments,
      Places places) {}

  /** A request that was refused before the driver was asked. */
  private static final class NotAsked extends Exception {
    private static final long serialVersionUID = 1L;
    private final State state;

    NotAsked(State state, String why) {
      super(why, null, false, false);
      this.state = state;
    }
  }

  private final DriverSession session;
  private final DriverOptions options;
  private final Cluster cluster;
  private final Narrator narrator;
  private final SecretReader secrets;
  private final String identityTag;
  // while a request may be running it is repeated as it was, whatever became of the nodes
  private final Map<Uid, Optional<Topology>> told = new ConcurrentHashMap<>();

  /**
   * Makes nothing yet.
   *
   * @param identityTag what volumes say made them
   */
  public CsiVolumes(
      DriverSession session,
      DriverOptions options,
      Cluster cluster,
      Narrator narrator,
      String identityTag) {
    this.narrator = narrator;
    this.session = session;
    this.options = options;
    this.cluster = cluster;
    this.secrets = new SecretReader(cluster.reader());
    this.identityTag = identityTag;
  }

  @Override
  public Set<String> names() {
    return Set.of(session.driver());
  }

  @Override
  public boolean isReady() {
    return session.identity().isPresent();
  }

  @Override
  public boolean makesBlockVolumes() {
    return true; // the driver itself says no where it does not
  }

  @Override
  public Making make(Order order) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    if (identity.isEmpty()) {
      return new Making.Failed(
          State.UNCHANGED,
          false,
          "CSI driver " + session.driver() + " is not ready: " + session.problem());
    }
    try {
      Optional<String> elsewhere = leftToOthers(order.claim());
      if (elsewhere.isPresent()) {
        return new Making.Left(elsewhere.get());
      }
      Request request = request(order, identity.get());
      return answered(
          order,
          identity.get(),
          request,
          session.call("CreateVolume", c -> c.createVolume(request.call())));
    } catch (NotAsked e) {
      return new Making.Failed(e.state, false, String.valueOf(e.getMessage()));
    }
  }

  /** What is asked, and what of it the volume has to remember. */
  private record Request(CreateVolume call, Map<Purpose, Optional<SecretRef>> refs) {}

  private static <T> T valid(Checked<T> checked, State otherwise) throws NotAsked {
    return switch (checked) {
      case Checked.Valid<T>(T value) -> value;
      case Checked.Invalid<T>(String why) -> throw new NotAsked(otherwise, why);
    };
  }

  private Optional<String> leftToOthers(Claim claim) throws NotAsked, InterruptedException {
    Whole spec =
        switch (cluster.reader().readWhole(Kind.CLAIM, claim.key())) {
          case ReadResult.Found<Map<String, Object>>(Map<String, Object> whole) ->
              Whole.of(whole).at("spec");
          case ReadResult.Absent<Map<String, Object>> _ -> Whole.of(Map.of());
          case ReadResult.Failed<Map<String, Object>>(String message) ->
              throw new NotAsked(State.UNCHANGED, message);
        };
    Whole source =
        spec.at("dataSource").isEmpty() ? spec.at("dataSourceRef") : spec.at("dataSource");
    if (source.isEmpty()) {
      return Optional.empty();
    }
    String kind = source.text("kind");
    if (kind.equals("VolumeSnapshot") || kind.equals("PersistentVolumeClaim")) {
      throw new NotAsked(
          State.FINISHED, "volumes filled from a " + kind + " are not made by Mooring yet");
    }
    String why = "Assuming an external populator will provision the volume";
    narrator.leftToPopulator(claim, why);
    return Optional.of(why);
  }

  private Request request(Order order, Identity identity) throws NotAsked, InterruptedException {
    Claim claim = order.claim();
    StorageClass storageClass = order.storageClass();
    if (!identity.can(Ability.CONTROLLER_SERVICE) || !identity.can(Ability.CREATE_DELETE_VOLUME)) {
      throw new NotAsked(State.FINISHED, "CSI driver " + session.driver() + " makes no volumes");
    }
    if (claim.selector() != null) {
      throw new NotAsked(State.FINISHED, "claim Selector is not supported");
    }
    Parameters parameters = new Parameters(storageClass.parameters());
    String fsType = valid(parameters.fsType(options.defaultFsType()), State.FINISHED);
    List<Access> accesses =
        valid(
            Accesses.each(
                claim.accessModes(),
                new Accesses.Use(
                    claim.volumeMode(),
                    fsType,
                    storageClass.mountOptions(),
                    identity.can(Ability.SINGLE_NODE_MULTI_WRITER))),
            State.FINISHED);
    Optional<Topology> topology = topology(order, identity);
    Map<Purpose, Optional<SecretRef>> refs = refs(parameters, order);
    Secrets credentials =
        valid(
            secrets.read(refs.getOrDefault(Purpose.PROVISION, Optional.empty())), State.UNCHANGED);
    Map<String, String> toldParameters =
        new HashMap<>(valid(parameters.forDriver(), State.FINISHED));
    if (options.extraMetadata()) {
      toldParameters.put(Parameters.OURS + "pvc/name", claim.key().name());
      toldParameters.put(Parameters.OURS + "pvc/namespace", claim.key().namespace());
      toldParameters.put(Parameters.OURS + "pv/name", order.volumeName());
    }
    return new Request(
        new CreateVolume(
            order.volumeName(),
            claim.request().toBytesCeiling(),
            accesses,
            Map.copyOf(toldParameters),
            credentials,
            null,
            topology.orElse(null),
            mutable(claim, identity)),
        refs);
  }

  private static Map<Purpose, Optional<SecretRef>> refs(Parameters parameters, Order order)
      throws NotAsked {
    Map<Purpose, Optional<SecretRef>> refs = new HashMap<>();
    for (Purpose purpose : Purpose.values()) {
      if (purpose != Purpose.DEFAULT) {
        refs.put(
            purpose,
            valid(parameters.secret(purpose, order.volumeName(), order.claim()), State.UNCHANGED));
      }
    }
    return refs;
  }

  private Map<String, String> mutable(Claim claim, Identity identity)
      throws NotAsked, InterruptedException {
    String name = claim.attributesClass();
    if (name.isEmpty()) {
      return Map.of();
    }
    if (!identity.can(Ability.MODIFY_VOLUME)) {
      throw new NotAsked(
          State.FINISHED, "CSI driver " + session.driver() + " knows no VolumeAttributesClass");
    }
    return switch (cluster.reader().read(Kind.ATTRIBUTES_CLASS, ObjectKey.cluster(name))) {
      case ReadResult.Found<AttributesClass>(AttributesClass found) -> {
        if (!found.driver().equals(session.driver())) {
          throw new NotAsked(
              State.FINISHED, "VolumeAttributesClass " + name + " is for driver " + found.driver());
        }
        yield found.parameters();
      }
      case ReadResult.Absent<AttributesClass> _ ->
          throw new NotAsked(State.UNCHANGED, "there is no VolumeAttributesClass " + name);
      case ReadResult.Failed<AttributesClass>(String message) ->
          throw new NotAsked(State.UNCHANGED, message);
    };
  }

  private Optional<Topology> topology(Order order, Identity identity) throws NotAsked {
    if (!identity.can(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
      return Optional.empty();
    }
    Uid claim = order.claim().meta().uid();
    Optional<Topology> before = told.get(claim);
    if (before != null) {
      return before;
    }
    String node = order.selectedNode();
    if (node != null && !cluster.places().knows(node)) {
      throw new NotAsked(State.RESCHEDULE, "there is no CSINode " + node);
    }
    Optional<Topology> now =
        valid(
            Topologies.requirement(
                order.claim().key().name(),
                cluster.places().of(session.driver()),
                node,
                order.storageClass().allowedTopologies(),
                options.topology()),
            State.UNCHANGED);
    told.put(claim, now);
    return now;
  }

  private Making answered(Order order, Identity identity, Request request, Reply<CsiVolume> reply)
      throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    return switch (reply) {
      case Reply.Ok<CsiVolume>(CsiVolume volume) -> {
        if (volume.capacityBytes() > 0 && volume.capacityBytes() < request.call().requiredBytes()) {
          yield tooSmall(request, volume);
        }
        told.remove(claim);
        yield new Making.Made(
            VolumeObjects.of(order, volume, request.call(), request.refs(), identity, made()));
      }
      case Reply.Refused<CsiVolume> refused -> {
        boolean over = Codes.isFinalForCreate(refused.code());
        if (over) {
          told.remove(claim);
        }
        boolean elsewhere =
            refused.code() == StatusCode.RESOURCE_EXHAUSTED
                && identity.can(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS)
                && order.selectedNode() != null;
        yield new Making.Failed(
            elsewhere ? State.RESCHEDULE : over ? State.FINISHED : State.BACKGROUND,
            Codes.isInfeasibleToCreate(refused.code()),
            "failed to provision volume with StorageClass \""
                + order.storageClass().meta().name()
                + "\": "
                + refused.text());
      }
    };
  }

  private VolumeObjects.Maker made() {
    return new VolumeObjects.Maker(session.driver(), identityTag, options.publishReadOnly());
  }

  private Making tooSmall(Request request, CsiVolume volume) {
    String why =
        "CSI driver "
            + session.driver()
            + " made "
            + volume.capacityBytes()
            + " bytes where "
            + request.call().requiredBytes()
            + " were asked for";
    for (int i = 0; i < CLEAN_UPS; i++) {
      Reply<Done> deleted =
          session.call("DeleteVolume", c -> c.deleteVolume(volume.id(), request.call().secrets()));
      if (deleted instanceof Reply.Ok<?>) {
        break;
      }
    }
    return new Making.Failed(State.BACKGROUND, false, why);
  }

  @Override
  public Destroying destroy(Volume volume) throws InterruptedException {
    String handle = volume.source().attribute("volumeHandle");
    if (!volume.source().attribute("driver").equals(session.driver()) || handle.isEmpty()) {
      return new Destroying.Left("it is no volume of CSI driver " + session.driver());
    }
    Optional<Identity> identity = session.identity();
    if (identity.isEmpty()) {
      return new Destroying.Failed(
          "CSI driver " + session.driver() + " is not ready: " + session.problem());
    }
    if (identity.get().can(Ability.PUBLISH_UNPUBLISH_VOLUME)) {
      for (Attachment attachment : cluster.attachments().snapshot().all()) {
        if (attachment.volumeName().equals(volume.meta().name())) {
          return new Destroying.Failed(
              "persistentvolume "
                  + volume.meta().name()
                  + " is still attached to node "
                  + attachment.nodeName());
        }
      }
    }
    return delete(handle, credentialsToDelete(volume));
  }

  @Override
  public Destroying discard(Order order, Document made) throws InterruptedException {
    Whole object = Whole.of(made.members());
    return delete(
        object.at("spec", "csi").text("volumeHandle"),
        lenient(VolumeObjects.deletionSecret(object.at("metadata", "annotations").texts())));
  }

  private Destroying delete(String handle, Secrets credentials) {
    return switch (session.call("DeleteVolume", c -> c.deleteVolume(handle, credentials))) {
      case Reply.Ok<Done> _ -> new Destroying.Destroyed();
      case Reply.Refused<Done> refused -> new Destroying.Failed(refused.text());
    };
  }

  /** A volume can be destroyed without credentials that are gone, if the driver agrees. */
  private Secrets credentialsToDelete(Volume volume) throws InterruptedException {
    Map<String, String> annotations = volume.meta().annotations();
    if (VolumeObjects.saysDeletionSecret(annotations)) {
      return lenient(VolumeObjects.deletionSecret(annotations));
    }
    Optional<StorageClass> storageClass =
        cluster.classes().snapshot().get(ObjectKey.cluster(volume.storageClass()));
    if (storageClass.isEmpty() || volume.claimRef() == null) {
      return Secrets.NONE;
    }
    return new Parameters(storageClass.get().parameters())
                .secret(Purpose.PROVISION, volume.meta().name(), VolumeObjects.claimOf(volume))
            instanceof Checked.Valid<Optional<SecretRef>>(Optional<SecretRef> ref)
        ? lenient(ref)
        : Secrets.NONE;
  }

  private Secrets lenient(Optional<SecretRef> ref) throws InterruptedException {
    return secrets.read(ref) instanceof Checked.Valid<Secrets>(Secrets found)
        ? found
        : Secrets.NONE;
  }
}
