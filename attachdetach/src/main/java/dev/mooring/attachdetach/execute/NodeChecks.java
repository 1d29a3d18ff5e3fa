package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.Step.Grounds;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.NodeFencing;

/**
 * Asks about a node, past every cache, before a volume is taken from it. A question that gets no
 * answer is not a yes. Thread-safe; blocks.
 */
public final class NodeChecks {
  /** Whether a volume may be taken. */
  public sealed interface Verdict {
    /**
     * It may.
     *
     * @param evidence what was found
     */
    record Yes(String evidence) implements Verdict {}

    /** It may not. */
    record No(String why) implements Verdict {}

    /** Nobody could say. */
    record Unknown(String why) implements Verdict {}
  }

  private final LiveReader reader;
  private final Fencing fencing;
  private final EventSink events;
  private final boolean likeKubernetes;

  /**
   * Asks there.
   *
   * @param likeKubernetes whether nodes are told nothing about what was taken from them
   */
  public NodeChecks(LiveReader reader, Fencing fencing, EventSink events, boolean likeKubernetes) {
    this.reader = reader;
    this.fencing = fencing;
    this.events = events;
    this.likeKubernetes = likeKubernetes;
  }

  Verdict mayDetach(VolumeId id, String name, Grounds grounds) throws InterruptedException {
    return switch (reader.read(Kind.NODE, ObjectKey.cluster(name))) {
      case ReadResult.Failed<Node>(String message) ->
          new Verdict.Unknown("node " + name + " could not be looked up: " + message);
      case ReadResult.Absent<Node> _ ->
          grounds == Grounds.EVIDENCE
              ? proven(id, name)
              : new Verdict.Yes("there is no node " + name);
      case ReadResult.Found<Node>(Node node) -> judge(id, node, grounds);
    };
  }

  Verdict judge(VolumeId id, Node node, Grounds grounds) {
    boolean inUse = node.volumesInUse().contains(id.text());
    if (!inUse) {
      return new Verdict.Yes("the node does not list it in use");
    }
    return switch (grounds) {
      case UNUSED -> new Verdict.No("volume is still in use by node, according to Node status");
      case OUT_OF_SERVICE ->
          node.isOutOfService()
              ? new Verdict.Yes("the node has the taint node.kubernetes.io/out-of-service")
              : new Verdict.No("the node has lost the taint node.kubernetes.io/out-of-service");
      case TIMEOUT ->
          node.isReady()
              ? new Verdict.No("the node is ready again")
              : new Verdict.Yes(
                  "the node was not ready and did not let go for the whole waiting time");
      case EVIDENCE -> proven(id, node.meta().name());
    };
  }

  private Verdict proven(VolumeId id, String node) {
    return switch (fencing.assess(id, node)) {
      case NodeFencing.Verdict.Dead(String evidence) -> new Verdict.Yes(evidence);
      case NodeFencing.Verdict.Unproven(String why) -> new Verdict.No(why);
    };
  }

  /** The audit record of something taken by force. */
  void record(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (likeKubernetes) {
      return;
    }
    if (reader.read(Kind.NODE, ObjectKey.cluster(node))
        instanceof ReadResult.Found<Node>(Node now)) {
      events.tell(
          new ClusterEvent(
              Kind.NODE,
              now.meta(),
              ClusterEvent.Type.WARNING,
              "VolumeForceDetached",
              "DetachVolume",
              "Volume " + id + " was taken from the node by force (" + grounds + "): " + evidence,
              PodNarrator.REPORTER));
    }
  }
}
