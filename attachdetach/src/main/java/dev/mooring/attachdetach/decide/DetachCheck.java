package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Optional;

/**
 * Whether a volume may be taken from a node: the last word before it is.
 *
 * <p>That a detach is due was decided from caches. A cache may be behind, or empty because a watch
 * broke, so each fact that the detach rests on is asked of the server again: that the pods are
 * gone, that the node does not use the volume, that it is gone, not ready or tainted, that the
 * driver needs no attaching. What gets no answer is no reason to detach.
 */
public final class DetachCheck {
  /** What can be asked. */
  public enum Question {
    /** The node. */
    NODE,
    /** The pods that were last known to use the volume there. */
    PODS,
    /** The volume's CSIDriver. */
    DRIVER,
    /** Whether the node was found dead. */
    DEATH,
    ATTACHMENT
  }

  /**
   * A pod that was known to use the volume on the node, and that the caches do not have any more,
   * or as ended.
   *
   * @param pod namespace and name
   * @param uid its uid
   */
  public record User(ObjectKey pod, Uid uid) {}

  /**
   * A detach that is due.
   *
   * @param volume the volume
   * @param node the node's name
   * @param grounds why it is due
   * @param users the pods that used it there last
   * @param saidBefore whether an earlier Node of the name listed it in use, and the present Node
   *     was never ready
   */
  public record Detachment(
      VolumeId volume, String node, Grounds grounds, List<User> users, boolean saidBefore) {}

  /**
   * What the server said.
   *
   * @param node the node
   * @param pods of the pods that used the volume last those that are there
   * @param attachRequired what the CSIDriver says
   * @param death the proof that the node is dead
   * @param attachment the VolumeAttachment; absent for a volume that has none
   */
  public record Facts(
      Fact<Node> node,
      Fact<List<Pod>> pods,
      Fact<Boolean> attachRequired,
      Fact<String> death,
      Fact<Attachment> attachment) {
    /** Nothing was asked. */
    public static final Facts NONE =
        new Facts(
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>());

    public Facts withNode(Fact<Node> now) {
      return new Facts(now, pods, attachRequired, death, attachment);
    }

    public Facts withPods(Fact<List<Pod>> now) {
      return new Facts(node, now, attachRequired, death, attachment);
    }

    /** The same with another answer about the driver. */
    public Facts withAttachRequired(Fact<Boolean> now) {
      return new Facts(node, pods, now, death, attachment);
    }

    /** The same with another answer about the node's death. */
    public Facts withDeath(Fact<String> now) {
      return new Facts(node, pods, attachRequired, now, attachment);
    }

    /** The same with another answer about the attachment. */
    public Facts withAttachment(Fact<Attachment> now) {
      return new Facts(node, pods, attachRequired, death, now);
    }
  }

  /** What is to be done. */
  public sealed interface DetachVerdict {
    /** Ask that, and decide again. */
    record NeedsLive(Question question) implements DetachVerdict {}

    /**
     * It may be detached.
     *
     * @param evidence what was found
     */
    record Detach(String evidence) implements DetachVerdict {}

    /** It stays. */
    record Stay(String why) implements DetachVerdict {}

    /**
     * The node's status lists it as attached, whatever the cache says: its kubelet may mount it.
     *
     * @param now the node
     */
    record StillListed(Node now) implements DetachVerdict {}

    /** A pod came back to it: it stays, and nothing is told. */
    record Needed() implements DetachVerdict {}

    /** Nobody could say: it stays for now. */
    record Unknown(String why) implements DetachVerdict {}
  }

  private DetachCheck() {}

  /** Decides. */
  public static DetachVerdict decide(Detachment detachment, Facts facts) {
    return switch (facts.node()) {
      case Fact.NotAsked<Node>() -> new DetachVerdict.NeedsLive(Question.NODE);
      case Fact.Unknown<Node>(String why) ->
          unknown("node " + detachment.node() + " could not be looked up: " + why);
      case Fact.Present<Node>(Node node)
          when node.volumesAttached().containsKey(detachment.volume().text()) ->
          isRefutedByList(detachment.grounds())
              ? new DetachVerdict.Stay("its node's status lists it")
              : new DetachVerdict.StillListed(node);
      case Fact.Present<Node>(Node node) ->
          needed(detachment, facts).orElseGet(() -> onNode(detachment, node, facts));
      case Fact.Absent<Node>() ->
          needed(detachment, facts)
              .orElseGet(() ->
                  detachment.grounds() == Grounds.EVIDENCE
                      ? proven(facts)
                      : new DetachVerdict.Detach("there is no node " + detachment.node()));
    };
  }

  private static boolean isRefutedByList(Grounds grounds) {
    return switch (grounds) {
      case NEVER_LISTED, UNTRACED -> true;
      case UNUSED, TIMEOUT, OUT_OF_SERVICE, EVIDENCE -> false;
    };
  }

  /** What speaks against it because a pod may use it. */
  private static Optional<DetachVerdict> needed(Detachment detachment, Facts facts) {
    if (detachment.users().isEmpty()) {
      return Optional.empty();
    }
    return switch (facts.pods()) {
      case Fact.NotAsked<List<Pod>>() -> Optional.of(new DetachVerdict.NeedsLive(Question.PODS));
      case Fact.Unknown<List<Pod>>(String why) -> Optional.of(unknown(why));
      case Fact.Absent<List<Pod>>() -> Optional.empty();
      case Fact.Present<List<Pod>>(List<Pod> pods) ->
          pods.stream()
              .filter(pod -> uses(pod, detachment))
              .findFirst()
              .flatMap(pod -> used(pod, detachment, facts));
    };
  }

  private static boolean uses(Pod pod, Detachment detachment) {
    return pod.nodeName().equals(detachment.node())
        && !pod.isTerminated()
        && detachment.users().contains(new User(pod.key(), pod.meta().uid()));
  }

  /** It is used, which matters unless its driver attaches nothing. */
  private static Optional<DetachVerdict> used(Pod pod, Detachment detachment, Facts facts) {
    Optional<DetachVerdict> stay =
        Optional.of(
            new DetachVerdict.Stay(
                "pod " + pod.key() + " still uses it there, according to the server"));
    if (detachment.volume().csi().isEmpty()) {
      return stay;
    }
    return switch (facts.attachRequired()) {
      case Fact.NotAsked<Boolean>() -> Optional.of(new DetachVerdict.NeedsLive(Question.DRIVER));
      case Fact.Unknown<Boolean>(String why) ->
          Optional.of(unknown("its CSIDriver could not be looked up: " + why));
      case Fact.Absent<Boolean>() -> stay;
      case Fact.Present<Boolean>(Boolean required) -> required ? stay : Optional.empty();
    };
  }

  private static DetachVerdict onNode(Detachment detachment, Node node, Facts facts) {
    boolean saidBefore = detachment.saidBefore() && !node.isReady();
    if (!node.volumesInUse().contains(detachment.volume().text()) && !saidBefore) {
      return new DetachVerdict.Detach("the node does not list it in use");
    }
    return switch (detachment.grounds()) {
      case UNUSED ->
          new DetachVerdict.Stay("volume is still in use by node, according to Node status");
      case NEVER_LISTED ->
          new DetachVerdict.Detach(
              "the node's status has not listed it since the node did not use it");
      case OUT_OF_SERVICE ->
          node.isOutOfService()
              ? new DetachVerdict.Detach("the node has the taint node.kubernetes.io/out-of-service")
              : new DetachVerdict.Stay(
                  "the node has lost the taint node.kubernetes.io/out-of-service");
      case TIMEOUT ->
          node.isReady()
              ? new DetachVerdict.Stay("the node is ready again")
              : new DetachVerdict.Detach(
                  "the node was not ready and did not let go for the whole waiting time");
      case EVIDENCE -> proven(facts);
      case UNTRACED -> node.isReady() ? untraced(facts) : new DetachVerdict.Stay("not ready");
    };
  }

  /** Only the node says that it uses it. A VolumeAttachment would be a second trace. */
  private static DetachVerdict untraced(Facts facts) {
    return switch (facts.attachment()) {
      case Fact.NotAsked<Attachment>() -> new DetachVerdict.NeedsLive(Question.ATTACHMENT);
      case Fact.Present<Attachment> _ -> new DetachVerdict.Stay("it has a VolumeAttachment");
      case Fact.Absent<Attachment>() ->
          new DetachVerdict.Detach(
              "the node lists it in use, but for the whole waiting time no attachment, list or"
                  + " pod confirmed it");
      case Fact.Unknown<Attachment>(String why) -> unknown(why);
    };
  }

  private static DetachVerdict proven(Facts facts) {
    return switch (facts.death()) {
      case Fact.NotAsked<String>() -> new DetachVerdict.NeedsLive(Question.DEATH);
      case Fact.Present<String>(String evidence) -> new DetachVerdict.Detach(evidence);
      case Fact.Absent<String>() -> new DetachVerdict.Stay("the node is not known to be dead");
      case Fact.Unknown<String>(String why) -> new DetachVerdict.Stay(why);
    };
  }

  /**
   * The same, where the node's status may still list the volume because it could not be written.
   */
  public static DetachVerdict notUnlisted(String problem) {
    return unknown(problem);
  }

  /**
   * The same a last time, after everything was asked: a pod may have come back meanwhile to what
   * was certainly there, and then nothing is taken from it.
   *
   * @param verdict what the server's answers came to
   * @param before what was known of the volume on the node before
   * @param wanted whether a pod wants it there now
   */
  public static DetachVerdict unlessWanted(DetachVerdict verdict, Held before, boolean wanted) {
    return before == Held.YES && wanted ? new DetachVerdict.Needed() : verdict;
  }

  /**
   * The same, where the verdict rests on what the node's status listed: a list that was seen
   * meanwhile counts.
   *
   * @param neverListed whether none has named the volume
   */
  public static DetachVerdict unlessListed(
      DetachVerdict verdict, Grounds grounds, boolean neverListed) {
    return grounds != Grounds.NEVER_LISTED || neverListed
        ? verdict
        : new DetachVerdict.Stay("its node's status listed it");
  }

  private static DetachVerdict unknown(String why) {
    return new DetachVerdict.Unknown(why);
  }
}
