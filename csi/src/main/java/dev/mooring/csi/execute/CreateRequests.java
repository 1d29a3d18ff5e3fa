package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.Accesses;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.ClassParameters.Purpose;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.decide.Topologies;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.CsiConnection.Content;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.storage.decide.CsiSizeLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Prepares what a driver is asked to make (spec/csi-bridge.md 5.1). Thread-safe. */
final class CreateRequests {
  /**
   * What is asked, and what of it is needed afterwards.
   *
   * @param call the call
   * @param refs where the credentials are, by purpose
   * @param topology where the driver is told, empty if it is not
   */
  record Request(
      CreateVolume call, Map<Purpose, Optional<SecretRef>> refs, Optional<Topology> topology) {
    /** The same, for a volume that has at least so many bytes. */
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

  private final String driver;
  private final DriverOptions options;
  private final LiveReader reader;
  private final DriverNodes driverNodes;
  private final BlockedClaims waiting;
  private final SecretReader secrets;
  private final DriverReporter reporter;
  private final Set<Uid> warned = ConcurrentHashMap.newKeySet();

  CreateRequests(
      String driver, DriverOptions options, CsiVolumes.Cluster cluster, DriverReporter reporter) {
    this.reporter = reporter;
    this.driver = driver;
    this.options = options;
    this.reader = cluster.reader();
    this.driverNodes = cluster.driverNodes();
    this.waiting = cluster.waiting();
    this.secrets = new SecretReader(reader);
  }

  static <T> T valid(Checked<T> checked, State otherwise) throws NotAsked {
    return switch (checked) {
      case Checked.Valid<T>(T value) -> value;
      case Checked.Invalid<T>(String why) -> throw new NotAsked(otherwise, why);
      case Checked.Unknown<T>(String why) -> throw NotAsked.unknown(why);
    };
  }

  /**
   * Prepares the request.
   *
   * @param content what the volume is to hold, null for nothing
   * @param before where the driver was told before, if it may still be at it; null if it was not
   *     asked
   */
  Request prepare(
      Order order,
      Identity identity,
      @Nullable Content content,
      @Nullable Optional<Topology> before)
      throws NotAsked, InterruptedException {
    Claim claim = order.claim();
    StorageClass storageClass = order.storageClass();
    if (!identity.can(Ability.CONTROLLER_SERVICE) || !identity.can(Ability.CREATE_DELETE_VOLUME)) {
      throw new NotAsked(State.FINISHED, "CSI driver " + driver + " makes no volumes");
    }
    check(order);
    ClassParameters parameters = new ClassParameters(storageClass.parameters());
    warn(storageClass, parameters);
    String fsType = valid(parameters.fsType(options.defaultFsType()), State.FINISHED);
    Accesses.Use use =
        new Accesses.Use(
            claim.volumeMode(),
            fsType,
            storageClass.mountOptions(),
            identity.can(Ability.SINGLE_NODE_MULTI_WRITER));
    List<Access> accesses = valid(Accesses.each(claim.accessModes(), use), State.FINISHED);
    Optional<Topology> topology = before == null ? topology(order, identity) : before;
    Map<Purpose, Optional<SecretRef>> refs = refs(parameters, order);
    Secrets credentials =
        valid(
            secrets.read(refs.getOrDefault(Purpose.PROVISION, Optional.empty())), State.UNCHANGED);
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

  private static void check(Order order) throws NotAsked {
    if (order.claim().selector() != null) {
      throw new NotAsked(State.FINISHED, "claim Selector is not supported");
    }
    Optional<String> tooLarge = CsiSizeLimit.refusal(order.claim().request());
    if (order.isWanted() && tooLarge.isPresent()) { // else the volume is only looked for
      throw new NotAsked(State.FINISHED, tooLarge.get());
    }
  }

  /** The class's parameters, and whose volume it is where the driver is to know. */
  private Map<String, String> forDriver(ClassParameters parameters, Order order) throws NotAsked {
    Map<String, String> all = new HashMap<>(valid(parameters.forDriver(), State.FINISHED));
    if (options.extraMetadata()) {
      ObjectKey claim = order.claim().key();
      all.put(ClassParameters.OURS + "pvc/name", claim.name());
      all.put(ClassParameters.OURS + "pvc/namespace", claim.namespace());
      all.put(ClassParameters.OURS + "pv/name", order.volumeName());
    }
    return Map.copyOf(all);
  }

  /** Once for a class: it is its administrator who has to change something. */
  private void warn(StorageClass storageClass, ClassParameters parameters) {
    Map<String, String> deprecated = parameters.deprecated();
    if (!deprecated.isEmpty() && warned.add(storageClass.meta().uid())) {
      reporter.deprecated(storageClass, deprecated);
    }
  }

  private static Map<Purpose, Optional<SecretRef>> refs(ClassParameters parameters, Order order)
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
          State.FINISHED, "CSI driver " + driver + " knows no VolumeAttributesClass");
    }
    ObjectKey key = ObjectKey.cluster(name);
    waiting.restsOn(claim, new BlockedClaims.Input(Kind.ATTRIBUTES_CLASS, key));
    AttributesClass found =
        NotAsked.unlessUnknown(reader.read(Kind.ATTRIBUTES_CLASS, key))
            .orElseThrow(
                () -> new NotAsked(State.UNCHANGED, "there is no VolumeAttributesClass " + name));
    if (!found.driver().equals(driver)) {
      throw new NotAsked(
          State.UNCHANGED, "VolumeAttributesClass " + name + " is for driver " + found.driver());
    }
    return found.parameters();
  }

  private Optional<Topology> topology(Order order, Identity identity) throws NotAsked {
    if (!identity.can(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
      return Optional.empty();
    }
    String node = order.selectedNode();
    BlockedClaims.Input where =
        node == null ? BlockedClaims.Input.anyNode() : BlockedClaims.Input.node(node);
    waiting.restsOn(order.claim(), where);
    if (!order.isWanted()) {
      // an earlier call may have made the volume: the node may be gone, and the name finds it
      return requirement(order) instanceof Checked.Valid<Optional<Topology>>(var found)
          ? found
          : Optional.empty();
    }
    if (node != null && !driverNodes.knows(node)) {
      throw new NotAsked(
          driverNodes.isOfOne()
              ? State.UNCHANGED
              : State.RESCHEDULE, // no other instance knows better
          "failed to get selected CSINode "
              + node
              + ": csinode.storage.k8s.io \""
              + node
              + "\" not found");
    }
    Optional<Topology> found = valid(requirement(order), State.UNCHANGED);
    waiting.restsNoMoreOn(order.claim(), where);
    return found;
  }

  /** Where the driver would be told that the volume may be. */
  Checked<Optional<Topology>> requirement(Order order) {
    return Topologies.requirement(
        order.claim().key().name(),
        driverNodes.nodes(driver),
        order.selectedNode(),
        order.storageClass().allowedTopologies(),
        options.topology());
  }
}
