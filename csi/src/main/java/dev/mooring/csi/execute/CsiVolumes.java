package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.execute.CreateRequests.Request;
import dev.mooring.csi.state.BlockedClaims;
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
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Destruction;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import java.util.Optional;
import java.util.Set;

/** Creates and deletes a driver's volumes (spec/csi-bridge.md 5 and 6). Thread-safe. */
public final class CsiVolumes implements VolumeService {
  private final DriverSession session;
  private final CreateRequests requests;
  private final FillSourceReader contents;
  private final VolumeDeleter deleter;
  private final String identityTag;
  private final EarlierCalls earlier = new EarlierCalls();

  /**
   * @param identityTag identity of the provisioner in the attributes of volumes
   */
  public CsiVolumes(
      DriverSession session,
      CreateRequests requests,
      FillSourceReader contents,
      VolumeDeleter deleter,
      String identityTag) {
    this.session = session;
    this.requests = requests;
    this.contents = contents;
    this.deleter = deleter;
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
    return blocked().planAndTrack(order, () -> planTranslated(order));
  }

  @Override
  public void forget(Uid claim) {
    blocked().forget(claim);
    earlier.forget(claim);
  }

  private BlockedClaims blocked() {
    return contents.inputs().blocked();
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
    return switch (DriverClasses.translate(order.storageClass(), session.driver())) {
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
        requests.reporter().leftToPopulator(order.claim(), why);
        return new Plan.Left(why);
      }
      Uid claim = order.claim().meta().uid();
      Request request =
          requests.prepare(order, identity, dataRequest.content(), earlier.topology(claim));
      return new Plan.Ask(() -> notifyAfter(order, ask(order, identity, request)));
    } catch (RequestNotSent e) {
      return e.plan(failed(order, e.why()));
    }
  }

  private ProvisionResult notifyAfter(Order order, ProvisionResult result) {
    return deleter.capacity().map(c -> c.notifyAfter(order, result)).orElse(result);
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
    return DriverClasses.translate(order.storageClass(), session.driver())
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
    return DriverClasses.translate(order.storageClass(), session.driver())
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
              "created %s bytes, but %s were requested"
                  .formatted(volume.capacityBytes(), request.call().requiredBytes()));
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
      return requests.nodes().isSingleNode() ? State.NODE_FULL : State.NOT_HERE;
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
        yield new ProvisionResult.Made(object, () -> deleter.delete(volume.id(), credentials));
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

  private ProvisionResult unusable(Uid claim, Request request, CsiVolume volume, String what) {
    String why = "CSI driver " + session.driver() + " " + what;
    earlier.mayRun(claim, request.topology());
    return new ProvisionResult.Unusable(
        why, () -> rolledBack(claim, volume, request.call().secrets()));
  }

  private Destroying rolledBack(Uid claim, CsiVolume volume, DriverSecrets credentials) {
    Destroying result = deleter.delete(volume.id(), credentials);
    if (result instanceof Destroying.Destroyed) {
      earlier.ended(claim);
    }
    return result;
  }

  @Override
  public Destruction prepare(Volume volume) throws InterruptedException {
    return deleter.prepare(volume);
  }
}
