package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.DetachCheck;
import dev.mooring.attachdetach.decide.DetachCheck.DetachFinding;
import dev.mooring.attachdetach.decide.DetachCheck.DetachIfDead;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.spi.NodeFencing;
import org.jspecify.annotations.Nullable;

/**
 * Reads the facts for a detach from the API server; {@link DetachCheck} decides. Thread-safe;
 * blocks.
 *
 * @param eventStyle whether to emit events about forced detaches
 */
public record NodeChecks(
    LiveReader reader, DeadNodeTracker deadNodes, EventSink events, AttachEventStyle eventStyle) {
  DetachVerdict decideDetach(PendingDetach detachment, @Nullable Node node)
      throws InterruptedException {
    Question<Node> question =
        new Question.ObjectRead<>(Kind.NODE, ObjectKey.cluster(detachment.node()));
    LiveFacts knownFacts =
        node == null ? LiveFacts.NONE : LiveFacts.NONE.with(question, new Fact.Present<>(node));
    DetachFinding finding =
        LiveDecisions.decide(reader, knownFacts, live -> DetachCheck.decide(detachment, live));
    return switch (finding) {
      case DetachVerdict verdict -> verdict;
      case DetachIfDead _ -> DetachCheck.decideByDeath(findDeath(detachment));
    };
  }

  private Fact<String> findDeath(PendingDetach detachment) {
    return switch (deadNodes.assess(detachment.volume(), detachment.node())) {
      case NodeFencing.Verdict.Dead(String evidence) -> new Fact.Present<>(evidence);
      case NodeFencing.Verdict.Unproven(String reason) -> new Fact.Unknown<>(reason);
    };
  }

  void emitForcedDetach(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (!eventStyle.isExplaining()) {
      return;
    }
    events.emit(
        new ClusterEvent(
            Kind.NODE,
            readNode(node).toOptional().map(Node::meta).orElseGet(() -> createMeta(node)),
            ClusterEvent.Type.WARNING,
            "VolumeForceDetached",
            "DetachVolume",
            "Volume " + id + " was force-detached from the node (" + grounds + "): " + evidence,
            PodReporter.REPORTER));
  }

  private ReadResult<Node> readNode(String name) throws InterruptedException {
    return reader.read(Kind.NODE, ObjectKey.cluster(name));
  }

  // records the event also for a node that is deleted or cannot be read
  private static Meta createMeta(String node) {
    return Meta.of(ObjectKey.cluster(node), Uid.NONE);
  }
}
