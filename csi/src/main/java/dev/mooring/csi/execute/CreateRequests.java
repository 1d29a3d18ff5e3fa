package dev.mooring.csi.execute;

import dev.mooring.csi.decide.AccessModeRules;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.ClassParameters.Purpose;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.decide.TopologyRules;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.csi.state.ReportedClasses;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.spi.csi.CsiConnection.ContentSource;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.VolumeAccess;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.storage.decide.CsiSizeLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prepares CreateVolume requests. Thread-safe. */
public final class CreateRequests {
  record Request(
      CreateVolume call,
      Map<Purpose, Optional<SecretRef>> secretRefs,
      Optional<Topology> topology) {
    Request withBytes(long bytes) {
      return new Request(
          new CreateVolume(
              call.name(),
              bytes,
              call.accesses(),
              call.parameters(),
              call.secrets(),
              call.source(),
              call.topology(),
              call.mutableParameters()),
          secretRefs,
          topology);
    }
  }

  private final DriverNodes nodes;
  private final DriverOptions options;
  private final InputReader inputs;
  private final DriverReporter reporter;
  private final ReportedClasses reportedClasses = new ReportedClasses();

  public CreateRequests(
      DriverNodes nodes, DriverOptions options, InputReader inputs, DriverReporter reporter) {
    this.nodes = nodes;
    this.options = options;
    this.inputs = inputs;
    this.reporter = reporter;
  }

  DriverNodes nodes() {
    return nodes;
  }

  DriverOptions options() {
    return options;
  }

  DriverReporter reporter() {
    return reporter;
  }

  static <T> T requireValid(CheckResult<T> result, State invalidState) throws RequestNotSent {
    return switch (result) {
      case CheckResult.Valid<T>(T value) -> value;
      case CheckResult.Invalid<T>(String reason) -> throw new RequestNotSent(invalidState, reason);
      case CheckResult.Unknown<T>(String reason) -> throw RequestNotSent.unanswered(reason);
    };
  }

  /**
   * Prepares the request.
   *
   * @param contentSource the content source; null for none
   * @param runningTopology topology of an earlier call that may still be running; null if there is
   *     no such call
   */
  Request prepare(
      Order order,
      DriverIdentity identity,
      @Nullable ContentSource contentSource,
      @Nullable Optional<Topology> runningTopology)
      throws RequestNotSent, InterruptedException {
    Claim claim = order.claim();
    StorageClass storageClass = order.storageClass();
    if (!identity.can(DriverCapability.CONTROLLER_SERVICE)
        || !identity.can(DriverCapability.CREATE_DELETE_VOLUME)) {
      throw new RequestNotSent(
          State.FINISHED, "CSI driver " + nodes.driver() + " cannot create volumes");
    }
    checkOrder(order);
    ClassParameters parameters = new ClassParameters(storageClass.parameters());
    warnOfDeprecated(storageClass, parameters);
    String fsType = requireValid(parameters.resolveFsType(options.defaultFsType()), State.FINISHED);
    AccessModeRules.VolumeUse use =
        new AccessModeRules.VolumeUse(
            claim.volumeMode(),
            fsType,
            storageClass.mountOptions(),
            identity.can(DriverCapability.SINGLE_NODE_MULTI_WRITER));
    List<VolumeAccess> accesses =
        requireValid(AccessModeRules.mapEach(claim.accessModes(), use), State.FINISHED);
    Optional<Topology> topology =
        runningTopology == null ? chooseTopology(order, identity) : runningTopology;
    Map<Purpose, Optional<SecretRef>> secretRefs = resolveSecrets(parameters, order);
    DriverSecrets credentials = readProvisionSecret(secretRefs);
    return new Request(
        new CreateVolume(
            order.volumeName(),
            claim.request().toBytesCeiling(),
            accesses,
            buildDriverParameters(parameters, order),
            credentials,
            contentSource,
            topology.orElse(null),
            order.isWanted() ? readMutableParameters(order, identity) : Map.of()),
        secretRefs,
        topology);
  }

  private DriverSecrets readProvisionSecret(Map<Purpose, Optional<SecretRef>> secretRefs)
      throws RequestNotSent, InterruptedException {
    Optional<SecretRef> ref = secretRefs.getOrDefault(Purpose.PROVISION, Optional.empty());
    return requireValid(new SecretReader(inputs.reader()).read(ref), State.UNCHANGED);
  }

  private static void checkOrder(Order order) throws RequestNotSent {
    if (order.claim().selector() != null) {
      throw new RequestNotSent(State.FINISHED, "claim Selector is not supported");
    }
    Optional<String> sizeProblem = CsiSizeLimit.refusal(order.claim().request());
    if (order.isWanted() && sizeProblem.isPresent()) { // an unwanted volume is only looked up
      throw new RequestNotSent(State.FINISHED, sizeProblem.get());
    }
  }

  private Map<String, String> buildDriverParameters(ClassParameters parameters, Order order)
      throws RequestNotSent {
    Map<String, String> driverParameters =
        new HashMap<>(requireValid(parameters.selectForDriver(), State.FINISHED));
    if (options.extraMetadata()) {
      ObjectKey claim = order.claim().key();
      driverParameters.put(ClassParameters.RESERVED_PREFIX + "pvc/name", claim.name());
      driverParameters.put(ClassParameters.RESERVED_PREFIX + "pvc/namespace", claim.namespace());
      driverParameters.put(ClassParameters.RESERVED_PREFIX + "pv/name", order.volumeName());
    }
    return Map.copyOf(driverParameters);
  }

  // Once for each class, because only its administrator can change it.
  private void warnOfDeprecated(StorageClass storageClass, ClassParameters parameters) {
    Map<String, String> deprecated = parameters.findDeprecated();
    if (!deprecated.isEmpty() && reportedClasses.recordIfNew(storageClass)) {
      reporter.warnOfDeprecated(storageClass, deprecated);
    }
  }

  private static Map<Purpose, Optional<SecretRef>> resolveSecrets(
      ClassParameters parameters, Order order) throws RequestNotSent {
    Map<Purpose, Optional<SecretRef>> secretRefs = new HashMap<>();
    for (Purpose purpose : Purpose.values()) {
      if (purpose != Purpose.DEFAULT) {
        secretRefs.put(
            purpose,
            requireValid(
                parameters.resolveSecret(purpose, order.volumeName(), order.claim()),
                State.UNCHANGED));
      }
    }
    return secretRefs;
  }

  private Map<String, String> readMutableParameters(Order order, DriverIdentity identity)
      throws RequestNotSent, InterruptedException {
    Claim claim = order.claim();
    String name = claim.attributesClass();
    if (name.isEmpty()) {
      return Map.of();
    }
    String provisioner = order.storageClass().provisioner();
    if (provisioner.equals(CsiMigration.inTreeOf(nodes.driver()))) {
      // the API server would refuse the PersistentVolume
      throw new RequestNotSent(
          State.FINISHED,
          "volumes of %s cannot have a VolumeAttributesClass: use a StorageClass of %s"
              .formatted(provisioner, nodes.driver()));
    }
    if (!identity.can(DriverCapability.MODIFY_VOLUME)) {
      throw new RequestNotSent(
          State.FINISHED,
          "CSI driver " + nodes.driver() + " does not support VolumeAttributesClass");
    }
    ObjectKey key = ObjectKey.cluster(name);
    AttributesClass attributesClass =
        inputs
            .read(claim, Kind.ATTRIBUTES_CLASS, key)
            .orElseThrow(() ->
                new RequestNotSent(State.UNCHANGED, "there is no VolumeAttributesClass " + name));
    if (!attributesClass.driver().equals(nodes.driver())) {
      throw new RequestNotSent(
          State.UNCHANGED,
          "VolumeAttributesClass " + name + " belongs to driver " + attributesClass.driver());
    }
    return attributesClass.parameters();
  }

  private Optional<Topology> chooseTopology(Order order, DriverIdentity identity)
      throws RequestNotSent {
    if (!identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
      return Optional.empty();
    }
    String node = order.selectedNode();
    BlockedClaims.Input input =
        node == null ? BlockedClaims.Input.anyNode() : BlockedClaims.Input.node(node);
    inputs.blockedClaims().addDependency(order.claim(), input);
    if (!order.isWanted()) {
      // an earlier call may have created the volume: the name finds it even if the node is gone
      return computeRequirement(order)
              instanceof CheckResult.Valid<Optional<Topology>>(var topology)
          ? topology
          : Optional.empty();
    }
    if (node != null && !nodes.hasCsiNode(node)) {
      throw new RequestNotSent(
          nodes.isSingleNode()
              ? State.UNCHANGED
              : State.RESCHEDULE, // no other instance has other knowledge
          "failed to get selected CSINode %s: csinode.storage.k8s.io \"%s\" not found"
              .formatted(node, node));
    }
    Optional<Topology> topology = requireValid(computeRequirement(order), State.UNCHANGED);
    inputs.blockedClaims().dropDependency(order.claim(), input);
    return topology;
  }

  CheckResult<Optional<Topology>> computeRequirement(Order order) {
    return TopologyRules.computeRequirement(
        order.claim().key().name(),
        nodes.clusterNodes(),
        order.selectedNode(),
        order.storageClass().allowedTopologies(),
        options.topology());
  }
}
