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

/** Prepares CreateVolume requests (spec/csi-bridge.md 5.1). Thread-safe. */
public final class CreateRequests {
  record Request(
      CreateVolume call, Map<Purpose, Optional<SecretRef>> refs, Optional<Topology> topology) {
    Request ofAtLeast(long bytes) {
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
          refs,
          topology);
    }
  }

  private final DriverNodes nodes;
  private final DriverOptions options;
  private final InputReader inputs;
  private final DriverReporter reporter;
  private final ReportedClasses reported = new ReportedClasses();

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

  static <T> T valid(CheckResult<T> checked, State ifInvalid) throws RequestNotSent {
    return switch (checked) {
      case CheckResult.Valid<T>(T value) -> value;
      case CheckResult.Invalid<T>(String why) -> throw new RequestNotSent(ifInvalid, why);
      case CheckResult.Unknown<T>(String why) -> throw RequestNotSent.unknown(why);
    };
  }

  /**
   * Prepares the request.
   *
   * @param content the content source; null for none
   * @param before topology of an earlier call that may still be running; null if there is no such
   *     call
   */
  Request prepare(
      Order order,
      DriverIdentity identity,
      @Nullable ContentSource content,
      @Nullable Optional<Topology> before)
      throws RequestNotSent, InterruptedException {
    Claim claim = order.claim();
    StorageClass storageClass = order.storageClass();
    if (!identity.can(DriverCapability.CONTROLLER_SERVICE)
        || !identity.can(DriverCapability.CREATE_DELETE_VOLUME)) {
      throw new RequestNotSent(
          State.FINISHED, "CSI driver " + nodes.driver() + " cannot create volumes");
    }
    check(order);
    ClassParameters parameters = new ClassParameters(storageClass.parameters());
    warn(storageClass, parameters);
    String fsType = valid(parameters.fsType(options.defaultFsType()), State.FINISHED);
    AccessModeRules.VolumeUse use =
        new AccessModeRules.VolumeUse(
            claim.volumeMode(),
            fsType,
            storageClass.mountOptions(),
            identity.can(DriverCapability.SINGLE_NODE_MULTI_WRITER));
    List<VolumeAccess> accesses =
        valid(AccessModeRules.each(claim.accessModes(), use), State.FINISHED);
    Optional<Topology> topology = before == null ? topology(order, identity) : before;
    Map<Purpose, Optional<SecretRef>> refs = refs(parameters, order);
    DriverSecrets credentials =
        valid(
            new SecretReader(inputs.reader())
                .read(refs.getOrDefault(Purpose.PROVISION, Optional.empty())),
            State.UNCHANGED);
    return new Request(
        new CreateVolume(
            order.volumeName(),
            claim.request().toBytesCeiling(),
            accesses,
            forDriver(parameters, order),
            credentials,
            content,
            topology.orElse(null),
            order.isWanted() ? mutable(claim, identity) : Map.of()),
        refs,
        topology);
  }

  private static void check(Order order) throws RequestNotSent {
    if (order.claim().selector() != null) {
      throw new RequestNotSent(State.FINISHED, "claim Selector is not supported");
    }
    Optional<String> tooLarge = CsiSizeLimit.refusal(order.claim().request());
    if (order.isWanted() && tooLarge.isPresent()) { // an unwanted volume is only looked up
      throw new RequestNotSent(State.FINISHED, tooLarge.get());
    }
  }

  private Map<String, String> forDriver(ClassParameters parameters, Order order)
      throws RequestNotSent {
    Map<String, String> all = new HashMap<>(valid(parameters.forDriver(), State.FINISHED));
    if (options.extraMetadata()) {
      ObjectKey claim = order.claim().key();
      all.put(ClassParameters.RESERVED_PREFIX + "pvc/name", claim.name());
      all.put(ClassParameters.RESERVED_PREFIX + "pvc/namespace", claim.namespace());
      all.put(ClassParameters.RESERVED_PREFIX + "pv/name", order.volumeName());
    }
    return Map.copyOf(all);
  }

  // Once for each class, because only its administrator can change it.
  private void warn(StorageClass storageClass, ClassParameters parameters) {
    Map<String, String> deprecated = parameters.deprecated();
    if (!deprecated.isEmpty() && reported.isNew(storageClass)) {
      reporter.deprecated(storageClass, deprecated);
    }
  }

  private static Map<Purpose, Optional<SecretRef>> refs(ClassParameters parameters, Order order)
      throws RequestNotSent {
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

  private Map<String, String> mutable(Claim claim, DriverIdentity identity)
      throws RequestNotSent, InterruptedException {
    String name = claim.attributesClass();
    if (name.isEmpty()) {
      return Map.of();
    }
    if (!identity.can(DriverCapability.MODIFY_VOLUME)) {
      throw new RequestNotSent(
          State.FINISHED,
          "CSI driver " + nodes.driver() + " does not support VolumeAttributesClass");
    }
    ObjectKey key = ObjectKey.cluster(name);
    AttributesClass found =
        inputs
            .read(claim, Kind.ATTRIBUTES_CLASS, key)
            .orElseThrow(() ->
                new RequestNotSent(State.UNCHANGED, "there is no VolumeAttributesClass " + name));
    if (!found.driver().equals(nodes.driver())) {
      throw new RequestNotSent(
          State.UNCHANGED,
          "VolumeAttributesClass " + name + " belongs to driver " + found.driver());
    }
    return found.parameters();
  }

  private Optional<Topology> topology(Order order, DriverIdentity identity) throws RequestNotSent {
    if (!identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
      return Optional.empty();
    }
    String node = order.selectedNode();
    BlockedClaims.Input input =
        node == null ? BlockedClaims.Input.anyNode() : BlockedClaims.Input.node(node);
    inputs.blocked().dependsOn(order.claim(), input);
    if (!order.isWanted()) {
      // an earlier call may have created the volume: the name finds it even if the node is gone
      return requirement(order) instanceof CheckResult.Valid<Optional<Topology>>(var found)
          ? found
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
    Optional<Topology> found = valid(requirement(order), State.UNCHANGED);
    inputs.blocked().dropDependency(order.claim(), input);
    return found;
  }

  CheckResult<Optional<Topology>> requirement(Order order) {
    return TopologyRules.requirement(
        order.claim().key().name(),
        nodes.clusterNodes(),
        order.selectedNode(),
        order.storageClass().allowedTopologies(),
        options.topology());
  }
}
