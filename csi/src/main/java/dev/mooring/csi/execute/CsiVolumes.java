package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.decide.TopologyRules;
import dev.mooring.csi.execute.CreateRequests.Request;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.DriverPace.Lane;
import dev.mooring.csi.state.EarlierCalls;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.DestroyPlan;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.workqueue.LaneGate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Creates and deletes a driver's volumes. Thread-safe. */
public final class CsiVolumes implements VolumeService {
  private final DriverSession session;
  private final CreateRequests requests;
  private final FillSourceReader sourceReader;
  private final VolumeDeleter deleter;
  private final String identityTag;
  private final EarlierCalls earlierCalls = new EarlierCalls();

  /**
   * @param identityTag identity of the provisioner in the attributes of volumes
   */
  public CsiVolumes(
      DriverSession session,
      CreateRequests requests,
      FillSourceReader sourceReader,
      VolumeDeleter deleter,
      String identityTag) {
    this.session = session;
    this.requests = requests;
    this.sourceReader = sourceReader;
    this.deleter = deleter;
    this.identityTag = identityTag;
  }

  @Override
  public Set<String> provisionerNames() {
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
  public <K> Optional<LaneGate<K>> provisionGate() {
    return Optional.of(session.pace().gate(List.of(Lane.PROVISION), key -> Lane.PROVISION));
  }

  @Override
  public <K> Optional<LaneGate<K>> destroyGate() {
    return Optional.of(session.pace().gate(List.of(Lane.DELETE), key -> Lane.DELETE));
  }

  @Override
  public boolean supportsBlockVolumes() {
    return true; // a driver that cannot create block volumes refuses the request
  }

  @Override
  public boolean needsFullClaims(StorageClass storageClass) {
    return new ClassParameters(storageClass.parameters()).readsAnnotations();
  }

  @Override
  public Plan plan(Order order) throws InterruptedException {
    return blockedClaims().planAndTrack(order, () -> planTranslated(order));
  }

  @Override
  public void forget(Uid claim) {
    blockedClaims().forget(claim);
    earlierCalls.forget(claim);
  }

  @Override
  public String sourceKind(Uid claim) {
    return earlierCalls.sourceKind(claim);
  }

  private BlockedClaims blockedClaims() {
    return sourceReader.inputs().blockedClaims();
  }

  private Plan planTranslated(Order order) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return new Plan.Blocked(
          new ProvisionResult.Failed(
              State.UNCHANGED,
              false,
              "CSI driver " + session.driver() + " is not ready: " + session.problem()));
    }
    return switch (DriverClasses.translate(order.storageClass(), session.driver())) {
      case CheckResult.Invalid<StorageClass>(String reason) ->
          new Plan.Impossible(
              describeFailure(order, "failed to translate storage class: " + reason));
      case CheckResult.Unknown<StorageClass>(String reason) ->
          new Plan.Unknown(describeFailure(order, reason));
      case CheckResult.Valid<StorageClass>(StorageClass storageClass) ->
          plan(withClass(order, storageClass), identity.get());
    };
  }

  private Plan plan(Order order, DriverIdentity identity) throws InterruptedException {
    try {
      FillSourceReader.DataRequest dataRequest = readDataRequest(order, identity);
      if (dataRequest instanceof FillSourceReader.DataRequest.ByPopulator(String reason)) {
        requests.reporter().reportPopulator(order.claim(), reason);
        return new Plan.NotResponsible(reason);
      }
      Uid claim = order.claim().meta().uid();
      Request request =
          requests.prepare(
              restrictTopologies(order, dataRequest.topologies()),
              identity,
              dataRequest.content(),
              earlierCalls.topology(claim));
      return new Plan.Ready(() -> notifyAfter(order, callDriver(order, identity, request)));
    } catch (RequestNotSent e) {
      return e.toPlan(describeFailure(order, e.reason()));
    }
  }

  /** The scheduler has chosen the topology of a claim with a selected node. */
  private static Order restrictTopologies(
      Order order, List<Map<String, List<String>>> snapshotTopologies) throws RequestNotSent {
    if (snapshotTopologies.isEmpty() || order.selectedNode() != null) {
      return order;
    }
    StorageClass storageClass = order.storageClass();
    return withClass(
        order,
        storageClass.withAllowedTopologies(
            CreateRequests.requireValid(
                TopologyRules.restrictToSnapshot(
                    storageClass.allowedTopologies(), snapshotTopologies),
                State.UNCHANGED)));
  }

  private ProvisionResult notifyAfter(Order order, ProvisionResult result) {
    return deleter.capacity().map(c -> c.notifyAfter(order, result)).orElse(result);
  }

  // An unwanted volume is looked up by its name, whatever its source.
  private FillSourceReader.DataRequest readDataRequest(Order order, DriverIdentity identity)
      throws RequestNotSent, InterruptedException {
    try {
      Optional<DataSource> source = sourceReader.readDataSource(order.claim());
      if (source.isEmpty()) {
        return new FillSourceReader.DataRequest.Empty();
      }
      if (source.get().isSnapshot() || source.get().isClaim()) { // populators choose other kinds
        earlierCalls.recordSource(order.claim().meta().uid(), source.get().kind());
      }
      return sourceReader.resolve(order, source.get(), identity);
    } catch (RequestNotSent e) {
      if (!e.isRefusal() || order.isWanted()) {
        throw e;
      }
      return new FillSourceReader.DataRequest.Empty();
    }
  }

  private ProvisionResult callDriver(Order order, DriverIdentity identity, Request request)
      throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    if (order.isWanted()) {
      earlierCalls.recordSize(claim, request.call().requiredBytes());
    }
    // an unwanted claim may have grown since then, after it got another volume
    Request initial = earlierCalls.requestedBytes(claim).map(request::withBytes).orElse(request);
    DriverReply<CsiVolume> reply = callCreateVolume(initial);
    if (!order.isWanted()
        && reply instanceof DriverReply.Refused<CsiVolume> refusal
        && refusal.code() == StatusCode.ALREADY_EXISTS) {
      Request smallest = request.withBytes(1); // the specification forbids a range of 0
      return handleReply(order, identity, smallest, callCreateVolume(smallest));
    }
    return handleReply(order, identity, initial, reply);
  }

  private DriverReply<CsiVolume> callCreateVolume(Request request) {
    return session.call("CreateVolume", c -> c.createVolume(request.call()));
  }

  // The request for GetCapacity, without the content source.
  CheckResult<CreateVolume> buildCapacityRequest(Order order, DriverIdentity identity)
      throws InterruptedException {
    return DriverClasses.translate(order.storageClass(), session.driver())
        .then(translated -> {
          try {
            return new CheckResult.Valid<>(
                requests.prepare(withClass(order, translated), identity, null, null).call());
          } catch (RequestNotSent e) {
            return e.toCheckResult();
          }
        });
  }

  CheckResult<Optional<Topology>> computeRequirement(Order order) {
    return DriverClasses.translate(order.storageClass(), session.driver())
        .then(translated -> requests.computeRequirement(withClass(order, translated)));
  }

  private static Order withClass(Order order, StorageClass storageClass) {
    return new Order(order.volumeName(), order.claim(), storageClass, order.selectedNode());
  }

  private static String describeFailure(Order order, String reason) {
    String name = order.storageClass().meta().name();
    return "failed to provision volume with StorageClass \"" + name + "\": " + reason;
  }

  private ProvisionResult handleReply(
      Order order, DriverIdentity identity, Request request, DriverReply<CsiVolume> reply)
      throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    return switch (reply) {
      case DriverReply.Ok<CsiVolume>(CsiVolume volume) -> {
        deleter.orphans().forget(volume.id());
        if (volume.capacityBytes() > 0 && volume.capacityBytes() < request.call().requiredBytes()) {
          yield rejectVolume(
              order,
              request,
              volume,
              "created %s bytes, but %s were requested"
                  .formatted(volume.capacityBytes(), request.call().requiredBytes()));
        }
        if (request.call().source() != null && !volume.hasContent()) {
          yield rejectVolume(
              order, request, volume, "created a volume without the requested content");
        }
        yield finishCreation(order, identity, request, volume);
      }
      case DriverReply.Refused<CsiVolume> refusal -> {
        StatusCodeMeanings.Meaning meaning =
            StatusCodeMeanings.of(StatusCodeMeanings.Call.CREATE_VOLUME, refusal.code());
        State state = chooseState(order, identity, meaning);
        if (state == State.BACKGROUND) {
          earlierCalls.recordRunning(claim, request.topology());
        } else if (order.isWanted()) {
          earlierCalls.recordEnd(
              claim); // the answer is final: the next call uses the nodes' current labels
        }
        yield new ProvisionResult.Failed(
            state,
            meaning.retry() == StatusCodeMeanings.Retry.SLOWLY,
            describeFailure(order, refusal.text()));
      }
    };
  }

  private State chooseState(
      Order order, DriverIdentity identity, StatusCodeMeanings.Meaning meaning) {
    boolean canUseOtherNode =
        meaning.retry() == StatusCodeMeanings.Retry.ELSEWHERE
            && identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS)
            && order.selectedNode() != null;
    if (canUseOtherNode) {
      return requests.nodes().isSingleNode() ? State.NODE_FULL : State.NOT_HERE;
    }
    return switch (meaning.effect()) {
      case MAYBE -> State.BACKGROUND;
      case NOT_BY_THIS_CALL -> State.ENDED;
      case NEVER -> State.FINISHED;
    };
  }

  private ProvisionResult finishCreation(
      Order order, DriverIdentity identity, Request request, CsiVolume volume)
      throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    DriverSecrets credentials = request.call().secrets();
    return switch (VolumeObjects.build(order, volume, request, identity, provisionerOf(order))) {
      case CheckResult.Invalid<Document>(String reason) ->
          rejectVolume(order, request, volume, reason);
      case CheckResult.Unknown<Document>(String reason) -> {
        earlierCalls.recordRunning(claim, request.topology());
        yield new ProvisionResult.Failed(State.BACKGROUND, false, describeFailure(order, reason));
      }
      case CheckResult.Valid<Document>(Document object) -> {
        earlierCalls.recordEnd(claim);
        yield new ProvisionResult.Created(
            object, () -> deleter.delete(abandon(order, volume), credentials));
      }
    };
  }

  private VolumeObjects.Provisioner provisionerOf(Order order) {
    String provisioner = order.storageClass().provisioner();
    return new VolumeObjects.Provisioner(
        session.driver(),
        identityTag,
        requests.options().publishReadOnly(),
        inheritedNames().contains(provisioner) ? provisioner : "");
  }

  private static AbandonedVolume abandon(Order order, CsiVolume volume) {
    return AbandonedVolume.ofUnsaved(
        volume.id(),
        order.volumeName(),
        order.claim().meta().uid(),
        order.storageClass().meta().name(),
        volume.capacityBytes());
  }

  private ProvisionResult rejectVolume(
      Order order, Request request, CsiVolume volume, String problem) {
    String message = "CSI driver " + session.driver() + " " + problem;
    earlierCalls.recordRunning(order.claim().meta().uid(), request.topology());
    return new ProvisionResult.Unusable(
        message, () -> rollBack(abandon(order, volume), request.call().secrets()));
  }

  private DestroyResult rollBack(AbandonedVolume volume, DriverSecrets credentials) {
    DestroyResult result = deleter.delete(volume, credentials);
    if (result instanceof DestroyResult.Destroyed) {
      earlierCalls.recordEnd(volume.claim());
    }
    return result;
  }

  @Override
  public DestroyPlan planDestruction(Volume volume) throws InterruptedException {
    return deleter.prepare(volume);
  }
}
