package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.NodeReach;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.decide.TopologyRules;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.live.RawObject;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.AvailableCapacity;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.NodeStorage.Location;
import dev.mooring.storage.VolumeService.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Storage of this instance's node, as reported by its driver. Thread-safe.
 *
 * @param nodes restricted to this node
 * @param volumes computes the driver's requests
 */
public record LocalNodeStorage(
    DriverSession session, String node, DriverNodes nodes, LiveReader reader, CsiVolumes volumes)
    implements NodeStorage {
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  @Override
  public NodeStorage.Fit checkFit(Order order) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return NodeStorage.Fit.NOT_NOW;
    }
    if (!isAllowed(order, identity.get())) {
      return NodeStorage.Fit.NOT_ALLOWED;
    }
    if (!identity.get().can(DriverCapability.GET_CAPACITY)) {
      return NodeStorage.Fit.UNKNOWN;
    }
    return switch (volumes.buildCapacityRequest(order, identity.get())) {
      case CheckResult.Valid<CreateVolume>(CreateVolume call) -> checkFit(call);
      case CheckResult.Invalid<CreateVolume> _ ->
          NodeStorage.Fit.UNKNOWN; // provisioning reports the reason
      case CheckResult.Unknown<CreateVolume> _ -> NodeStorage.Fit.UNANSWERED;
    };
  }

  private NodeStorage.Fit checkFit(CreateVolume call) {
    for (Map<String, String> segment : segmentsOf(call.topology())) {
      DriverReply<AvailableCapacity> reply =
          session.call("GetCapacity", c -> c.getCapacity(call.parameters(), segment));
      switch (reply) {
        case DriverReply.Refused<AvailableCapacity>(StatusCode code, String _) -> {
          return StatusCodeMeanings.isTemporary(code)
              ? NodeStorage.Fit.NOT_NOW
              : NodeStorage.Fit.UNKNOWN;
        }
        case DriverReply.Ok<AvailableCapacity>(AvailableCapacity capacity)
            when call.requiredBytes() <= capacity.availableBytes() -> {
          return NodeStorage.Fit.ENOUGH;
        }
        case DriverReply.Ok<AvailableCapacity> _ -> {}
      }
    }
    return NodeStorage.Fit.NOT_ENOUGH;
  }

  private static List<Map<String, String>> segmentsOf(@Nullable Topology topology) {
    return topology == null || topology.requisite().isEmpty()
        ? List.of(Map.of())
        : topology.requisite();
  }

  private boolean isAllowed(Order order, DriverIdentity identity) {
    return order.storageClass().allowedTopologies().isEmpty()
        || !identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS)
        || volumes.computeRequirement(order) instanceof CheckResult.Valid<?>;
  }

  public Location locate(Claim claim, Volume volume) throws InterruptedException {
    String selectedNode = claim.meta().annotation(SELECTED_NODE);
    if (selectedNode.isEmpty()) {
      return locate(volume);
    }
    return selectedNode.equals(node) ? Location.HERE : Location.ELSEWHERE;
  }

  @Override
  public Location locate(Volume volume) throws InterruptedException {
    return switch (reader.readWhole(Kind.VOLUME, volume.key())) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> object) -> locate(object);
      case ReadResult.Absent<Map<String, Object>> _ -> Location.UNKNOWN;
      case ReadResult.Failed<Map<String, Object>> _ -> Location.UNANSWERED;
    };
  }

  private Location locate(Map<String, Object> object) {
    NodeReach.Reachability reachability =
        NodeReach.decide(
            readTerms(new RawObject(object)),
            Optional.ofNullable(nodes.byName().get(node)).flatMap(TopologyRules.DriverNode::term));
    return switch (reachability) {
      case YES -> Location.HERE;
      case NO -> Location.ELSEWHERE;
      case UNKNOWN -> Location.UNKNOWN;
    };
  }

  private static List<List<Requirement>> readTerms(RawObject volume) {
    List<List<Requirement>> terms = new ArrayList<>();
    for (RawObject term :
        volume.at("spec", "nodeAffinity", "required").objects("nodeSelectorTerms")) {
      List<Requirement> requirements = new ArrayList<>();
      for (RawObject expression : term.objects("matchExpressions")) {
        requirements.add(
            new Requirement(
                expression.text("key"), expression.text("operator"), expression.list("values")));
      }
      terms.add(requirements);
    }
    return terms;
  }
}
