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
 * Makes the final decision whether a volume may be detached from a node.
 *
 * <p>The detach was decided from caches. A cache may be stale, or empty because a watch broke. So
 * the server must confirm each fact that the detach rests on: the pods are gone; the node does not
 * use the volume; the node is gone, not ready or tainted; the driver needs no attachment. A
 * question without an answer never allows a detach.
 */
public final class DetachCheck {
  public enum Question {
    NODE,
    PODS,
    DRIVER,
    DEATH,
    ATTACHMENT
  }

  public record PastUser(ObjectKey pod, Uid uid) {}

  /**
   * Detach to be decided.
   *
   * @param users pods that used the volume there last
   * @param usedByEarlierNode whether an earlier Node of that name listed the volume in use, and the
   *     present Node was never ready
   */
  public record PendingDetach(
      VolumeId volume,
      String node,
      Grounds grounds,
      List<PastUser> users,
      boolean usedByEarlierNode) {}

  public record DetachFacts(
      Fact<Node> node,
      Fact<List<Pod>> pods,
      Fact<Boolean> attachRequired,
      Fact<String> death,
      Fact<Attachment> attachment) {
    public static final DetachFacts NONE =
        new DetachFacts(
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>(),
            new Fact.NotAsked<>());

    public DetachFacts withNode(Fact<Node> now) {
      return new DetachFacts(now, pods, attachRequired, death, attachment);
    }

    public DetachFacts withPods(Fact<List<Pod>> now) {
      return new DetachFacts(node, now, attachRequired, death, attachment);
    }

    public DetachFacts withAttachRequired(Fact<Boolean> now) {
      return new DetachFacts(node, pods, now, death, attachment);
    }

    public DetachFacts withDeath(Fact<String> now) {
      return new DetachFacts(node, pods, attachRequired, now, attachment);
    }

    public DetachFacts withAttachment(Fact<Attachment> now) {
      return new DetachFacts(node, pods, attachRequired, death, now);
    }
  }

  public sealed interface DetachVerdict {
    record NeedsLive(Question question) implements DetachVerdict {}

    record Detach(String evidence) implements DetachVerdict {}

    record Stay(String why) implements DetachVerdict {}

    // the node's status lists the volume as attached, whatever the cache says: its kubelet may
    // mount it
    record StillListed(Node now) implements DetachVerdict {}

    // a pod on the node needs the volume again: the volume stays, without an event
    record Needed() implements DetachVerdict {}

    // the server did not answer; the volume stays for now
    record Unknown(String why) implements DetachVerdict {}
  }

  private DetachCheck() {}

  public static DetachVerdict decide(PendingDetach detachment, DetachFacts facts) {
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

  private static Optional<DetachVerdict> needed(PendingDetach detachment, DetachFacts facts) {
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

  private static boolean uses(Pod pod, PendingDetach detachment) {
    return pod.nodeName().equals(detachment.node())
        && !pod.isTerminated()
        && detachment.users().contains(new PastUser(pod.key(), pod.meta().uid()));
  }

  private static Optional<DetachVerdict> used(
      Pod pod, PendingDetach detachment, DetachFacts facts) {
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

  private static DetachVerdict onNode(PendingDetach detachment, Node node, DetachFacts facts) {
    boolean usedByEarlierNode = detachment.usedByEarlierNode() && !node.isReady();
    if (!node.volumesInUse().contains(detachment.volume().text()) && !usedByEarlierNode) {
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
                  "the node was not ready, and listed it in use, for the whole waiting time");
      case EVIDENCE -> proven(facts);
      case UNTRACED -> node.isReady() ? untraced(facts) : new DetachVerdict.Stay("not ready");
    };
  }

  // A VolumeAttachment is a second trace beside the node's own report
  private static DetachVerdict untraced(DetachFacts facts) {
    return switch (facts.attachment()) {
      case Fact.NotAsked<Attachment>() -> new DetachVerdict.NeedsLive(Question.ATTACHMENT);
      case Fact.Present<Attachment> _ -> new DetachVerdict.Stay("it has a VolumeAttachment");
      case Fact.Absent<Attachment>() ->
          new DetachVerdict.Detach(
              "the node lists it in use, but no attachment, list or pod confirmed it for the whole"
                  + " waiting time");
      case Fact.Unknown<Attachment>(String why) -> unknown(why);
    };
  }

  private static DetachVerdict proven(DetachFacts facts) {
    return switch (facts.death()) {
      case Fact.NotAsked<String>() -> new DetachVerdict.NeedsLive(Question.DEATH);
      case Fact.Present<String>(String evidence) -> new DetachVerdict.Detach(evidence);
      case Fact.Absent<String>() -> new DetachVerdict.Stay("the node is not known to be dead");
      case Fact.Unknown<String>(String why) -> new DetachVerdict.Stay(why);
    };
  }

  /**
   * Returns the verdict if the node's status could not be written, so that it may still list the
   * volume.
   */
  public static DetachVerdict notUnlisted(String problem) {
    return unknown(problem);
  }

  /**
   * Applies a last check after all answers: if the volume was certainly attached, and a pod wants
   * it again by now, it stays.
   *
   * @param before state of the volume on the node before the questions
   */
  public static DetachVerdict unlessWanted(DetachVerdict verdict, Held before, boolean wanted) {
    return before == Held.YES && wanted ? new DetachVerdict.Needed() : verdict;
  }

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
