package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.DetachCheck;
import dev.mooring.attachdetach.decide.DetachCheck.DetachFacts;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.DetachCheck.Question;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.spi.NodeFencing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads live what a detach rests on; {@link DetachCheck} decides. Thread-safe; blocks.
 *
 * @param style whether to emit events about forced detaches
 */
public record NodeChecks(
    LiveReader reader, DeadNodeTracker deadNodes, EventSink events, AttachEventStyle style) {
  DetachVerdict mayDetach(PendingDetach detachment, @Nullable Node node)
      throws InterruptedException {
    DetachFacts facts = DetachFacts.NONE;
    if (node != null) {
      facts = facts.withNode(new Fact.Present<>(node));
    }
    while (true) {
      DetachVerdict verdict = DetachCheck.decide(detachment, facts);
      if (!(verdict instanceof DetachVerdict.NeedsLive(Question question))) {
        return verdict;
      }
      facts = ask(question, detachment, facts);
    }
  }

  private DetachFacts ask(Question question, PendingDetach detachment, DetachFacts facts)
      throws InterruptedException {
    return switch (question) {
      case NODE -> facts.withNode(node(detachment.node()));
      case PODS -> facts.withPods(pods(detachment.users()));
      case DRIVER ->
          facts.withAttachRequired(
              attachRequired(detachment.volume().csi().map(VolumeId.Csi::driver).orElse("")));
      case DEATH -> facts.withDeath(death(detachment));
      case ATTACHMENT -> facts.withAttachment(attachment(detachment));
    };
  }

  private Fact<Attachment> attachment(PendingDetach detachment) throws InterruptedException {
    Optional<VolumeId.Csi> csi = detachment.volume().csi();
    return csi.isEmpty()
        ? new Fact.Absent<>()
        : read(reader, Kind.ATTACHMENT, csi.get().attachment(detachment.node()));
  }

  Fact<Node> node(String name) throws InterruptedException {
    return read(reader, Kind.NODE, ObjectKey.cluster(name));
  }

  static <T extends Resource> Fact<T> read(LiveReader reader, Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return reader.read(kind, key).fact();
  }

  private Fact<List<Pod>> pods(List<PastUser> users) throws InterruptedException {
    List<Pod> there = new ArrayList<>(users.size());
    for (PastUser user : users) {
      switch (reader.read(Kind.POD, user.pod())) {
        case ReadResult.Found<Pod>(Pod pod) -> there.add(pod);
        case ReadResult.Absent<Pod> _ -> {}
        case ReadResult.Failed<Pod>(String why) -> {
          return new Fact.Unknown<>("pod " + user.pod() + " could not be looked up: " + why);
        }
      }
    }
    return new Fact.Present<>(List.copyOf(there));
  }

  public Fact<Boolean> attachRequired(String name) throws InterruptedException {
    return switch (read(reader, Kind.CSI_DRIVER, ObjectKey.cluster(name))) {
      case Fact.Present<CsiDriver>(CsiDriver it) -> new Fact.Present<>(it.attachRequired());
      case Fact.Absent<CsiDriver>() -> new Fact.Absent<>();
      case Fact.Unknown<CsiDriver>(String why) -> new Fact.Unknown<>(why);
      case Fact.NotAsked<CsiDriver>() -> new Fact.NotAsked<>();
    };
  }

  private Fact<String> death(PendingDetach detachment) {
    return switch (deadNodes.assess(detachment.volume(), detachment.node())) {
      case NodeFencing.Verdict.Dead(String evidence) -> new Fact.Present<>(evidence);
      case NodeFencing.Verdict.Unproven(String why) -> new Fact.Unknown<>(why);
    };
  }

  void record(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (!style.isExplaining()) {
      return;
    }
    events.emit(
        new ClusterEvent(
            Kind.NODE,
            node(node) instanceof Fact.Present<Node>(Node now) ? now.meta() : unread(node),
            ClusterEvent.Type.WARNING,
            "VolumeForceDetached",
            "DetachVolume",
            "Volume " + id + " was force-detached from the node (" + grounds + "): " + evidence,
            PodReporter.REPORTER));
  }

  // records the event also for a node that is deleted or cannot be read
  private static Meta unread(String node) {
    return Meta.named(ObjectKey.cluster(node), Uid.NONE);
  }
}
