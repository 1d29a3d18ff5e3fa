package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the final decision whether a volume may be detached from a node.
 *
 * <p>The detach was decided from caches. A cache may be stale, or empty because a watch broke. So
 * the server must confirm each fact that the detach rests on: the pods are gone; the node does not
 * use the volume; the node is gone, not ready or tainted; the driver needs no attachment. A
 * question without an answer never allows a detach.
 */
public final class DetachCheck {
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

  /**
   * Outcome of the live reads: a verdict, or a detach if the node is proven dead. That evidence is
   * read last, because it may be costly and must not be older than the reads.
   */
  public sealed interface DetachFinding {}

  public record DetachIfDead() implements DetachFinding {}

  public sealed interface DetachVerdict extends DetachFinding {
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

  public static Step<DetachFinding> decide(PendingDetach detachment, LiveFacts live) {
    ObjectKey key = ObjectKey.cluster(detachment.node());
    return switch (live.of(Kind.NODE, key)) {
      case Fact.NotAsked<Node>() -> Step.ask(Kind.NODE, key);
      case Fact.Unknown<Node>(String why) ->
          unknown("node " + detachment.node() + " could not be looked up: " + why);
      case Fact.Present<Node>(Node node)
          when node.volumesAttached().containsKey(detachment.volume().text()) ->
          isRefutedByList(detachment.grounds())
              ? stay("its node's status lists it")
              : Step.decided(new DetachVerdict.StillListed(node));
      case Fact.Present<Node>(Node node) ->
          unlessUsed(detachment, live, () -> onNode(detachment, node, live));
      case Fact.Absent<Node>() ->
          unlessUsed(
              detachment,
              live,
              () ->
                  detachment.grounds() == Grounds.EVIDENCE
                      ? Step.decided(new DetachIfDead())
                      : detach("there is no node " + detachment.node()));
    };
  }

  private static boolean isRefutedByList(Grounds grounds) {
    return switch (grounds) {
      case NEVER_LISTED, UNTRACED -> true;
      case UNUSED, TIMEOUT, OUT_OF_SERVICE, EVIDENCE -> false;
    };
  }

  private static Step<DetachFinding> unlessUsed(
      PendingDetach detachment, LiveFacts live, Supplier<Step<DetachFinding>> unused) {
    Pod user = null;
    for (PastUser past : detachment.users()) {
      switch (live.of(Kind.POD, past.pod())) {
        case Fact.NotAsked<Pod>() -> {
          return Step.ask(Kind.POD, past.pod());
        }
        case Fact.Unknown<Pod>(String why) -> {
          return unknown("pod " + past.pod() + " could not be looked up: " + why);
        }
        case Fact.Present<Pod>(Pod pod) when isUser(pod, past, detachment) ->
            user = user == null ? pod : user;
        case Fact.Present<Pod> _, Fact.Absent<Pod> _ -> {}
      }
    }
    return user == null ? unused.get() : ofUser(user, detachment, live, unused);
  }

  private static boolean isUser(Pod pod, PastUser past, PendingDetach detachment) {
    return pod.meta().uid().equals(past.uid())
        && pod.nodeName().equals(detachment.node())
        && !pod.isTerminated();
  }

  // a pod may run with a volume whose driver needs no attachments any more
  private static Step<DetachFinding> ofUser(
      Pod user, PendingDetach detachment, LiveFacts live, Supplier<Step<DetachFinding>> unused) {
    Step<DetachFinding> stay =
        stay("pod " + user.key() + " still uses it there, according to the server");
    Optional<VolumeId.Csi> csi = detachment.volume().csi();
    if (csi.isEmpty()) {
      return stay;
    }
    ObjectKey driver = ObjectKey.cluster(csi.get().driver());
    return switch (live.of(Kind.CSI_DRIVER, driver)) {
      case Fact.NotAsked<CsiDriver>() -> Step.ask(Kind.CSI_DRIVER, driver);
      case Fact.Unknown<CsiDriver>(String why) ->
          unknown("its CSIDriver could not be looked up: " + why);
      case Fact.Present<CsiDriver>(CsiDriver now) when !now.attachRequired() -> unused.get();
      case Fact.Present<CsiDriver> _, Fact.Absent<CsiDriver> _ -> stay;
    };
  }

  private static Step<DetachFinding> onNode(PendingDetach detachment, Node node, LiveFacts live) {
    boolean usedByEarlierNode = detachment.usedByEarlierNode() && !node.isReady();
    if (!node.volumesInUse().contains(detachment.volume().text()) && !usedByEarlierNode) {
      return detach("the node does not list it in use");
    }
    return switch (detachment.grounds()) {
      case UNUSED -> stay("volume is still in use by node, according to Node status");
      case NEVER_LISTED ->
          detach("the node's status has not listed it since the node did not use it");
      case OUT_OF_SERVICE ->
          node.isOutOfService()
              ? detach("the node has the taint node.kubernetes.io/out-of-service")
              : stay("the node has lost the taint node.kubernetes.io/out-of-service");
      case TIMEOUT ->
          node.isReady()
              ? stay("the node is ready again")
              : detach("the node was not ready, and listed it in use, for the whole waiting time");
      case EVIDENCE -> Step.decided(new DetachIfDead());
      case UNTRACED -> node.isReady() ? untraced(detachment, live) : stay("not ready");
    };
  }

  // A VolumeAttachment is a second trace beside the node's own report
  private static Step<DetachFinding> untraced(PendingDetach detachment, LiveFacts live) {
    Step<DetachFinding> detach =
        detach(
            "the node lists it in use, but no attachment, list or pod confirmed it for the whole"
                + " waiting time");
    Optional<VolumeId.Csi> csi = detachment.volume().csi();
    if (csi.isEmpty()) {
      return detach;
    }
    ObjectKey key = csi.get().attachment(detachment.node());
    return switch (live.of(Kind.ATTACHMENT, key)) {
      case Fact.NotAsked<Attachment>() -> Step.ask(Kind.ATTACHMENT, key);
      case Fact.Present<Attachment> _ -> stay("it has a VolumeAttachment");
      case Fact.Absent<Attachment>() -> detach;
      case Fact.Unknown<Attachment>(String why) -> unknown(why);
    };
  }

  /** Returns the verdict of a detach that rests on evidence that the node is dead. */
  public static DetachVerdict ofDeath(Fact<String> death) {
    return switch (death) {
      case Fact.Present<String>(String evidence) -> new DetachVerdict.Detach(evidence);
      case Fact.Unknown<String>(String why) -> new DetachVerdict.Stay(why);
      case Fact.Absent<String> _, Fact.NotAsked<String> _ ->
          new DetachVerdict.Stay("the node is not known to be dead");
    };
  }

  private static Step<DetachFinding> detach(String evidence) {
    return Step.decided(new DetachVerdict.Detach(evidence));
  }

  private static Step<DetachFinding> stay(String why) {
    return Step.decided(new DetachVerdict.Stay(why));
  }

  private static Step<DetachFinding> unknown(String why) {
    return Step.decided(new DetachVerdict.Unknown(why));
  }

  /**
   * Returns the verdict if the node's status could not be written, so that it may still list the
   * volume.
   */
  public static DetachVerdict notUnlisted(String problem) {
    return new DetachVerdict.Unknown(problem);
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
}
