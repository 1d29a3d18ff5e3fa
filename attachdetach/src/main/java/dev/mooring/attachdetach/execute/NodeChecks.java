package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.DetachCheck;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.Detachment;
import dev.mooring.attachdetach.decide.DetachCheck.Facts;
import dev.mooring.attachdetach.decide.DetachCheck.Question;
import dev.mooring.attachdetach.decide.DetachCheck.User;
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
 * Asks what a detach rests on, past every cache, before a volume is taken from a node. What the
 * answers mean is {@link DetachCheck}'s. Thread-safe; blocks.
 *
 * @param style whether nodes are told what was taken from them by force
 */
public record NodeChecks(
    LiveReader reader, Fencing fencing, EventSink events, AttachEventStyle style) {
  /**
   * Whether it may be detached; never {@link DetachVerdict.NeedsLive}.
   *
   * @param node the node as a write's answer just told it; null if it has to be asked for
   */
  DetachVerdict mayDetach(Detachment detachment, @Nullable Node node) throws InterruptedException {
    Facts facts = Facts.NONE;
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

  private Facts ask(Question question, Detachment detachment, Facts facts)
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

  private Fact<Attachment> attachment(Detachment detachment) throws InterruptedException {
    Optional<VolumeId.Csi> csi = detachment.volume().csi();
    return csi.isEmpty()
        ? new Fact.Absent<>()
        : read(reader, Kind.ATTACHMENT, csi.get().attachment(detachment.node()));
  }

  /** The node as the server has it. */
  Fact<Node> node(String name) throws InterruptedException {
    return read(reader, Kind.NODE, ObjectKey.cluster(name));
  }

  /** An object as the server has it. */
  static <T extends Resource> Fact<T> read(LiveReader reader, Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return reader.read(kind, key).fact();
  }

  private Fact<List<Pod>> pods(List<User> users) throws InterruptedException {
    List<Pod> there = new ArrayList<>(users.size());
    for (User user : users) {
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

  /** What the server's CSIDriver of that name says. */
  public Fact<Boolean> attachRequired(String name) throws InterruptedException {
    return switch (read(reader, Kind.CSI_DRIVER, ObjectKey.cluster(name))) {
      case Fact.Present<CsiDriver>(CsiDriver it) -> new Fact.Present<>(it.attachRequired());
      case Fact.Absent<CsiDriver>() -> new Fact.Absent<>();
      case Fact.Unknown<CsiDriver>(String why) -> new Fact.Unknown<>(why);
      case Fact.NotAsked<CsiDriver>() -> new Fact.NotAsked<>();
    };
  }

  private Fact<String> death(Detachment detachment) {
    return switch (fencing.assess(detachment.volume(), detachment.node())) {
      case NodeFencing.Verdict.Dead(String evidence) -> new Fact.Present<>(evidence);
      case NodeFencing.Verdict.Unproven(String why) -> new Fact.Unknown<>(why);
    };
  }

  /** The audit record of something taken by force. */
  void record(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (!style.tellsMoreThanKubernetes()) {
      return;
    }
    events.tell(
        new ClusterEvent(
            Kind.NODE,
            node(node) instanceof Fact.Present<Node>(Node now) ? now.meta() : unread(node),
            ClusterEvent.Type.WARNING,
            "VolumeForceDetached",
            "DetachVolume",
            "Volume " + id + " was taken from the node by force (" + grounds + "): " + evidence,
            PodReporter.REPORTER));
  }

  /** A node that does not answer, or is gone: what was done to it is on record all the same. */
  private static Meta unread(String node) {
    return Meta.named(ObjectKey.cluster(node), Uid.NONE);
  }
}
