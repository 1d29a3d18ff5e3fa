package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.ClassParameters.Purpose;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.execute.CreateRequests.Request;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.VolumeService;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Creates and deletes a driver's volumes (spec/csi-bridge.md 5 and 6). Thread-safe. */
public final class CsiVolumes implements VolumeService {
  public record ClusterAccess(
      LiveReader reader,
      ClusterWriter writer,
      Informer<StorageClass> classes,
      Informer<Attachment> attachments,
      DriverNodes driverNodes,
      SnapshotProtection snapshots,
      SourceGate gate,
      BlockedClaims waiting,
      boolean acrossNamespaces) {}

  private final DriverSession session;
  private final DriverOptions options;
  private final ClusterAccess cluster;
  private final DriverReporter reporter;
  private final SecretReader secrets;
  private final DriverClasses classes;
  private final FillSourceReader contents;
  private final CreateRequests requests;
  private final String identityTag;
  private final EarlierCalls earlier = new EarlierCalls();

  public CsiVolumes(
      DriverSession session,
      DriverOptions options,
      ClusterAccess cluster,
      DriverReporter reporter,
      String identityTag) {
    this.reporter = reporter;
    this.session = session;
    this.options = options;
    this.cluster = cluster;
    this.secrets = new SecretReader(cluster.reader());
    this.classes = new DriverClasses(session.driver());
    this.contents =
        new FillSourceReader(
            session.driver(),
            options.claims().keepMode(),
            cluster.reader(),
            new DriverFinalizers(cluster.writer()),
            new FillSourceReader.SourceProtection(
                cluster.snapshots(),
                cluster.gate(),
                cluster.waiting(),
                cluster.acrossNamespaces()));
    this.requests = new CreateRequests(session.driver(), options, cluster, reporter);
    this.identityTag = identityTag;
  }

  @Override
  public Set<String> names() {
    return Set.of(session.driver());
  }

  @Override
  public Set<String> inheritedNames() {
    String plugin = CsiMigration.inTreeOf(session.driver());
    return plugin.isEmpty() ? Set.of() : Set.of(plugin);
  }

  @Override
  public boolean isReady() {
    return session.identity().isPresent();
  }

  @Override
  public boolean makesBlockVolumes() {
    return true; // a driver that cannot create block volumes refuses the request
  }

  @Override
  public boolean readsWholeClaims(StorageClass storageClass) {
    return new ClassParameters(storageClass.parameters()).readsAnnotations();
  }

  @Override
  public Plan plan(Order order) throws InterruptedException {
    return cluster.waiting().planAndTrack(order, () -> planTranslated(order));
  }

  @Override
  public void forget(Uid claim) {
    cluster.waiting().remove(claim);
    earlier.forget(claim);
  }

  private Plan planTranslated(Order order) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return new Plan.Not(
          new ProvisionResult.Failed(
              State.UNCHANGED,
              false,
              "CSI driver " + session.driver() + " is not ready: " + session.problem()));
    }
    return switch (classes.translate(order.storageClass())) {
      case CheckResult.Invalid<StorageClass>(String why) ->
          new Plan.Never(failed(order, "failed to translate storage class: " + why));
      case CheckResult.Unknown<StorageClass>(String why) -> new Plan.Unknown(failed(order, why));
      case CheckResult.Valid<StorageClass>(StorageClass storageClass) ->
          plan(of(order, storageClass), identity.get());
    };
  }

  private Plan plan(Order order, DriverIdentity identity) throws InterruptedException {
    try {
      FillSourceReader.DataRequest dataRequest = dataRequest(order, identity);
      if (dataRequest instanceof FillSourceReader.DataRequest.ByPopulator(String why)) {
        reporter.leftToPopulator(order.claim(), why);
        return new Plan.Left(why);
      }
      Uid claim = order.claim().meta().uid();
      Request request =
          requests.prepare(order, identity, dataRequest.content(), earlier.topology(claim));
      return new Plan.Ask(() -> ask(order, identity, request));
    } catch (RequestNotSent e) {
      return e.plan(failed(order, e.why()));
    }
  }

  // An unwanted volume is looked up by its name, whatever its source.
  private FillSourceReader.DataRequest dataRequest(Order order, DriverIdentity identity)
      throws RequestNotSent, InterruptedException {
    try {
      return contents.read(order, identity);
    } catch (RequestNotSent e) {
      if (e.isUnknown() || order.isWanted()) {
        throw e;
      }
      return new FillSourceReader.DataRequest.Empty();
    }
  }

  private ProvisionResult ask(Order order, DriverIdentity identity, Request request)
      throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    if (order.isWanted()) {
      earlier.recordSize(claim, request.call().requiredBytes());
    }
    // an unwanted claim may have grown since then, after it got another volume
    Request initial = earlier.bytes(claim).map(request::ofAtLeast).orElse(request);
    DriverReply<CsiVolume> reply = create(initial);
    if (!order.isWanted()
        && reply instanceof DriverReply.Refused<CsiVolume> refused
        && refused.code() == StatusCode.ALREADY_EXISTS) {
      Request smallest = request.ofAtLeast(1); // the specification forbids a range of 0
      return answered(order, identity, smallest, create(smallest));
    }
    return answered(order, identity, initial, reply);
  }

  private DriverReply<CsiVolume> create(Request request) {
    return session.call("CreateVolume", c -> c.createVolume(request.call()));
  }

  // The request for GetCapacity, without the content source.
  CheckResult<CreateVolume> capacityRequest(Order order, DriverIdentity identity)
      throws InterruptedException {
    return classes
        .translate(order.storageClass())
        .then(translated -> {
          try {
            return new CheckResult.Valid<>(
                requests.prepare(of(order, translated), identity, null, null).call());
          } catch (RequestNotSent e) {
            return e.checked();
          }
        });
  }

  CheckResult<Optional<Topology>> requirement(Order order) {
    return classes
        .translate(order.storageClass())
        .then(translated -> requests.requirement(of(order, translated)));
  }

  private static Order of(Order order, StorageClass storageClass) {
    return new Order(order.volumeName(), order.claim(), storageClass, order.selectedNode());
  }

  private static String failed(Order order, String why) {
    String name = order.storageClass().meta().name();
    return "failed to provision volume with StorageClass \"" + name + "\": " + why;
  }

  private ProvisionResult answered(
      Order order, DriverIdentity identity, Request request, DriverReply<CsiVolume> reply)
      throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    return switch (reply) {
      case DriverReply.Ok<CsiVolume>(CsiVolume volume) -> {
        if (volume.capacityBytes() > 0 && volume.capacityBytes() < request.call().requiredBytes()) {
          yield unusable(
              claim,
              request,
              volume,
              "created "
                  + volume.capacityBytes()
                  + " bytes, but "
                  + request.call().requiredBytes()
                  + " were requested");
        }
        if (request.call().source() != null && !volume.hasContent()) {
          yield unusable(claim, request, volume, "created a volume without the requested content");
        }
        yield saved(order, identity, request, volume);
      }
      case DriverReply.Refused<CsiVolume> refused -> {
        StatusCodeMeanings.Meaning meaning =
            StatusCodeMeanings.of(StatusCodeMeanings.Call.CREATE_VOLUME, refused.code());
        State state = state(order, identity, meaning);
        if (state == State.BACKGROUND) {
          earlier.mayRun(claim, request.topology());
        } else if (order.isWanted()) {
          earlier.ended(claim); // the answer is final: the next call uses the nodes' current labels
        }
        yield new ProvisionResult.Failed(
            state, meaning.next() == StatusCodeMeanings.Next.SLOWLY, failed(order, refused.text()));
      }
    };
  }

  private State state(Order order, DriverIdentity identity, StatusCodeMeanings.Meaning meaning) {
    boolean elsewhere =
        meaning.next() == StatusCodeMeanings.Next.ELSEWHERE
            && identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS)
            && order.selectedNode() != null;
    if (elsewhere) {
      return cluster.driverNodes().isSingleNode() ? State.NODE_FULL : State.NOT_HERE;
    }
    return switch (meaning.begun()) {
      case MAYBE -> State.BACKGROUND;
      case NOT_BY_THIS_CALL -> State.ENDED;
      case NEVER -> State.FINISHED;
    };
  }

  private ProvisionResult saved(
      Order order, DriverIdentity identity, Request request, CsiVolume volume)
      throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    DriverSecrets credentials = request.call().secrets();
    return switch (VolumeObjects.of(order, volume, request, identity, provisionerOf(order))) {
      case CheckResult.Invalid<Document>(String why) -> unusable(claim, request, volume, why);
      case CheckResult.Unknown<Document>(String why) -> {
        earlier.mayRun(claim, request.topology());
        yield new ProvisionResult.Failed(State.BACKGROUND, false, failed(order, why));
      }
      case CheckResult.Valid<Document>(Document object) -> {
        earlier.ended(claim);
        yield new ProvisionResult.Made(object, () -> delete(volume.id(), credentials));
      }
    };
  }

  private VolumeObjects.Provisioner provisionerOf(Order order) {
    String provisioner = order.storageClass().provisioner();
    return new VolumeObjects.Provisioner(
        session.driver(),
        identityTag,
        options.publishReadOnly(),
        inheritedNames().contains(provisioner) ? provisioner : "");
  }

  private ProvisionResult unusable(Uid claim, Request request, CsiVolume volume, String what) {
    String why = "CSI driver " + session.driver() + " " + what;
    earlier.mayRun(claim, request.topology());
    return new ProvisionResult.Unusable(
        why, () -> rolledBack(claim, volume, request.call().secrets()));
  }

  private Destroying rolledBack(Uid claim, CsiVolume volume, DriverSecrets credentials) {
    Destroying result = delete(volume.id(), credentials);
    if (result instanceof Destroying.Destroyed) {
      earlier.ended(claim);
    }
    return result;
  }

  @Override
  public Destruction prepare(Volume volume) throws InterruptedException {
    Optional<String> handle = DriverVolumes.handle(volume, session.driver());
    if (handle.isEmpty()) {
      return new Destruction.Not(
          new Destroying.Left("the volume does not belong to CSI driver " + session.driver()));
    }
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return new Destruction.Not(
          new Destroying.Failed(
              "CSI driver " + session.driver() + " is not ready: " + session.problem()));
    }
    if (identity.get().can(DriverCapability.PUBLISH_UNPUBLISH_VOLUME)) {
      Optional<Attachment> attachment =
          AttachmentIndex.any(cluster.attachments(), volume.meta().name());
      if (attachment.isPresent()) {
        return new Destruction.Not(
            new Destroying.Failed(
                "persistentvolume "
                    + volume.meta().name()
                    + " is still attached to node "
                    + attachment.get().nodeName()));
      }
    }
    try {
      DriverSecrets credentials = credentialsToDelete(volume);
      return new Destruction.Ready(() -> delete(handle.get(), credentials));
    } catch (RequestNotSent e) {
      return new Destruction.Not(new Destroying.Unknown(e.why()));
    }
  }

  private Destroying delete(String handle, DriverSecrets credentials) {
    return switch (session.call("DeleteVolume", c -> c.deleteVolume(handle, credentials))) {
      case DriverReply.Ok<Done> _ -> new Destroying.Destroyed();
      case DriverReply.Refused<Done> refused -> new Destroying.Failed(refused.text());
    };
  }

  // Without the Secret a driver may still be able to delete the volume.
  private DriverSecrets credentialsToDelete(Volume volume)
      throws RequestNotSent, InterruptedException {
    Map<String, String> annotations = volume.meta().annotations();
    if (VolumeObjects.namesDeletionSecret(annotations)) {
      return lenient(VolumeObjects.deletionSecret(annotations));
    }
    Optional<StorageClass> storageClass =
        cluster.classes().get(ObjectKey.cluster(volume.storageClass()));
    if (storageClass.isEmpty() || volume.claimRef() == null) {
      return DriverSecrets.NONE;
    }
    Claim claim = VolumeObjects.claimOf(volume);
    return classes
                .translate(storageClass.get())
                .then(translated ->
                    new ClassParameters(translated.parameters())
                        .secret(Purpose.PROVISION, volume.meta().name(), claim))
            instanceof CheckResult.Valid<Optional<SecretRef>>(Optional<SecretRef> ref)
        ? lenient(ref)
        : DriverSecrets.NONE;
  }

  private DriverSecrets lenient(Optional<SecretRef> ref)
      throws RequestNotSent, InterruptedException {
    return switch (secrets.read(ref)) {
      case CheckResult.Valid<DriverSecrets>(DriverSecrets found) -> found;
      case CheckResult.Invalid<DriverSecrets> _ -> DriverSecrets.NONE;
      case CheckResult.Unknown<DriverSecrets>(String why) -> throw RequestNotSent.unknown(why);
    };
  }
}
