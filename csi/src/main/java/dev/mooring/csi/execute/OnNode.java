package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.NodeReach;
import dev.mooring.csi.decide.Topologies;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.Room;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.VolumeService.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The storage of this instance's node, as its driver tells. Thread-safe.
 *
 * @param driverNodes of this node alone
 * @param volumes knows what the driver would be asked for
 */
public record OnNode(
    DriverSession session,
    String node,
    DriverNodes driverNodes,
    LiveReader reader,
    CsiVolumes volumes)
    implements NodeStorage {
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  @Override
  public NodeStorage.Fit fit(Order order) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    if (identity.isEmpty()) {
      return NodeStorage.Fit.NOT_NOW;
    }
    if (!isAllowed(order, identity.get())) {
      return NodeStorage.Fit.NOT_ALLOWED;
    }
    if (!identity.get().can(Ability.GET_CAPACITY)) {
      return NodeStorage.Fit.UNKNOWN;
    }
    return switch (volumes.wouldAsk(order, identity.get())) {
      case Checked.Valid<CreateVolume>(CreateVolume call) -> fit(call);
      case Checked.Invalid<CreateVolume> _ -> NodeStorage.Fit.UNKNOWN; // who makes it is told why
      case Checked.Unknown<CreateVolume> _ -> NodeStorage.Fit.UNANSWERED;
    };
  }

  private NodeStorage.Fit fit(CreateVolume call) {
    for (Map<String, String> segments : places(call.topology())) {
      Reply<Room> room = session.call("GetCapacity", c -> c.capacity(call.parameters(), segments));
      switch (room) {
        case Reply.Refused<Room>(StatusCode code, String _) -> {
          return Codes.isForNow(code) ? NodeStorage.Fit.NOT_NOW : NodeStorage.Fit.UNKNOWN;
        }
        case Reply.Ok<Room>(Room there) when call.requiredBytes() <= there.availableBytes() -> {
          return NodeStorage.Fit.ENOUGH;
        }
        case Reply.Ok<Room> _ -> {}
      }
    }
    return NodeStorage.Fit.NOT_ENOUGH;
  }

  private static List<Map<String, String>> places(@Nullable Topology topology) {
    return topology == null || topology.requisite().isEmpty()
        ? List.of(Map.of())
        : topology.requisite();
  }

  private boolean isAllowed(Order order, Identity identity) {
    return order.storageClass().allowedTopologies().isEmpty()
        || !identity.can(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS)
        || volumes.requirement(order) instanceof Checked.Valid<?>;
  }

  /** Where a claim's volume is: the claim says so, or else the volume does. */
  public Where where(Claim claim, Volume volume) throws InterruptedException {
    String selected = claim.meta().annotation(SELECTED_NODE);
    if (selected.isEmpty()) {
      return where(volume);
    }
    return selected.equals(node) ? Where.HERE : Where.ELSEWHERE;
  }

  @Override
  public Where where(Volume volume) throws InterruptedException {
    return switch (reader.readWhole(Kind.VOLUME, volume.key())) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> whole) -> where(whole);
      case ReadResult.Absent<Map<String, Object>> _ -> Where.UNKNOWN;
      case ReadResult.Failed<Map<String, Object>> _ -> Where.UNANSWERED;
    };
  }

  private Where where(Map<String, Object> whole) {
    NodeReach.Reach reach =
        NodeReach.of(
            terms(Whole.of(whole)),
            Optional.ofNullable(driverNodes.of(session.driver()).get(node))
                .flatMap(Topologies.Place::term));
    return switch (reach) {
      case YES -> Where.HERE;
      case NO -> Where.ELSEWHERE;
      case UNKNOWN -> Where.UNKNOWN;
    };
  }

  private static List<List<Requirement>> terms(Whole volume) {
    List<List<Requirement>> terms = new ArrayList<>();
    for (Whole term : volume.at("spec", "nodeAffinity", "required").parts("nodeSelectorTerms")) {
      List<Requirement> all = new ArrayList<>();
      for (Whole one : term.parts("matchExpressions")) {
        all.add(new Requirement(one.text("key"), one.text("operator"), one.list("values")));
      }
      terms.add(all);
    }
    return terms;
  }
}
