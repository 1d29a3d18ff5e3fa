package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
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
 * the server must confirm each fact that the detach needs: the pods are gone; the node does not use
 * the volume; the node is gone, not ready or tainted; the driver needs no attachment. A question
 * without an answer never allows a detach.
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

    record Keep(String reason) implements DetachVerdict {}

    // the node's status lists the volume as attached, whatever the cache says: its kubelet may
    // mount it
    record StillListed(Node node) implements DetachVerdict {}

    // a pod on the node needs the volume again: the volume stays, without an event
    record Needed() implements DetachVerdict {}

    // the server did not answer; the volume stays for now
    record Unknown(String message) implements DetachVerdict {}
  }

  private DetachCheck() {}

  public static Step<DetachFinding> decide(PendingDetach detachment, LiveFacts live) {
    ObjectKey key = ObjectKey.cluster(detachment.node());
    return switch (live.of(Kind.NODE, key)) {
      case Fact.NotAsked<Node>() -> Step.ask(Kind.NODE, key);
      case Fact.Unknown<Node>(String message) ->
          unknown("node " + detachment.node() + " could not be read: " + message);
      case Fact.Present<Node>(Node node)
          when node.volumesAttached().containsKey(detachment.volume().text()) ->
          isRefutedByList(detachment.grounds())
              ? keep("its node's status lists it")
              : Step.decided(new DetachVerdict.StillListed(node));
      case Fact.Present<Node>(Node node) ->
          decideUnlessUsed(detachment, live, () -> decideForNode(detachment, node, live));
      case Fact.Absent<Node>() ->
          decideUnlessUsed(
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

  private static Step<DetachFinding> decideUnlessUsed(
      PendingDetach detachment, LiveFacts live, Supplier<Step<DetachFinding>> ifUnused) {
    Pod user = null;
    for (PastUser pastUser : detachment.users()) {
      switch (live.of(Kind.POD, pastUser.pod())) {
        case Fact.NotAsked<Pod>() -> {
          return Step.ask(Kind.POD, pastUser.pod());
        }
        case Fact.Unknown<Pod>(String message) -> {
          return unknown("pod " + pastUser.pod() + " could not be read: " + message);
        }
        case Fact.Present<Pod>(Pod pod) when isUser(pod, pastUser, detachment) ->
            user = user == null ? pod : user;
        case Fact.Present<Pod> _, Fact.Absent<Pod> _ -> {}
      }
    }
    return user == null ? ifUnused.get() : decideForUser(user, detachment, live, ifUnused);
  }

  private static boolean isUser(Pod pod, PastUser pastUser, PendingDetach detachment) {
    return pod.meta().uid().equals(pastUser.uid())
        && pod.nodeName().equals(detachment.node())
        && !pod.isTerminated();
  }

  // a pod may run with a volume whose driver needs no attachments any more
  private static Step<DetachFinding> decideForUser(
      Pod user, PendingDetach detachment, LiveFacts live, Supplier<Step<DetachFinding>> ifUnused) {
    Step<DetachFinding> keep =
        keep("pod " + user.key() + " still uses it there, according to the server");
    Optional<VolumeId.Csi> csi = detachment.volume().csi();
    if (csi.isEmpty()) {
      return keep;
    }
    ObjectKey driver = ObjectKey.cluster(csi.get().driver());
    return switch (live.of(Kind.CSI_DRIVER, driver)) {
      case Fact.NotAsked<CsiDriver>() -> Step.ask(Kind.CSI_DRIVER, driver);
      case Fact.Unknown<CsiDriver>(String message) ->
          unknown("its CSIDriver could not be read: " + message);
      case Fact.Present<CsiDriver>(CsiDriver csiDriver) when !csiDriver.attachRequired() ->
          ifUnused.get();
      case Fact.Present<CsiDriver> _, Fact.Absent<CsiDriver> _ -> keep;
    };
  }

  private static Step<DetachFinding> decideForNode(
      PendingDetach detachment, Node node, LiveFacts live) {
    boolean usedByEarlierNode = detachment.usedByEarlierNode() && !node.isReady();
    if (!node.volumesInUse().contains(detachment.volume().text()) && !usedByEarlierNode) {
      return detach("the node does not list it in use");
    }
    return switch (detachment.grounds()) {
      case UNUSED -> keep("volume is still in use by node, according to Node status");
      case NEVER_LISTED ->
          detach("the node's status never listed it as attached since the node last used it");
      case OUT_OF_SERVICE ->
          node.isOutOfService()
              ? detach("the node has the taint node.kubernetes.io/out-of-service")
              : keep("the node has lost the taint node.kubernetes.io/out-of-service");
      case TIMEOUT ->
          node.isReady()
              ? keep("the node is ready again")
              : detach("the node is not ready, and no pod has needed the volume for six minutes");
      case EVIDENCE ->
          node.isReady() ? keep("the node is ready again") : Step.decided(new DetachIfDead());
      case UNTRACED -> node.isReady() ? decideUntraced(detachment, live) : keep("not ready");
    };
  }

  // A VolumeAttachment is further evidence beside the node's own report.
  private static Step<DetachFinding> decideUntraced(PendingDetach detachment, LiveFacts live) {
    Step<DetachFinding> detach =
        detach(
            "the node lists it in use, but no VolumeAttachment, volumesAttached or pod confirmed it for"
                + " the whole waiting time");
    Optional<VolumeId.Csi> csi = detachment.volume().csi();
    if (csi.isEmpty()) {
      return detach;
    }
    ObjectKey key = csi.get().attachment(detachment.node());
    return switch (live.of(Kind.ATTACHMENT, key)) {
      case Fact.NotAsked<Attachment>() -> Step.ask(Kind.ATTACHMENT, key);
      case Fact.Present<Attachment> _ -> keep("it has a VolumeAttachment");
      case Fact.Absent<Attachment>() -> detach;
      case Fact.Unknown<Attachment>(String message) -> unknown(message);
    };
  }

  /** Returns the verdict of a detach because of evidence that the node is dead. */
  public static DetachVerdict decideByDeath(Fact<String> deathFact) {
    return switch (deathFact) {
      case Fact.Present<String>(String evidence) -> new DetachVerdict.Detach(evidence);
      case Fact.Unknown<String>(String reason) -> new DetachVerdict.Keep(reason);
      case Fact.Absent<String> _, Fact.NotAsked<String> _ ->
          new DetachVerdict.Keep("the node is not known to be dead");
    };
  }

  private static Step<DetachFinding> detach(String evidence) {
    return Step.decided(new DetachVerdict.Detach(evidence));
  }

  private static Step<DetachFinding> keep(String reason) {
    return Step.decided(new DetachVerdict.Keep(reason));
  }

  private static Step<DetachFinding> unknown(String message) {
    return Step.decided(new DetachVerdict.Unknown(message));
  }

  /**
   * Returns the verdict if the node's status could not be written, so that it may still list the
   * volume.
   */
  public static DetachVerdict decideUnwritten(String message) {
    return new DetachVerdict.Unknown(message);
  }

  /**
   * Applies a last check after all answers: if the volume was certainly attached, and a pod wants
   * it again by now, it stays.
   *
   * @param earlierState state of the volume on the node before the questions
   */
  public static DetachVerdict keepIfNeeded(
      DetachVerdict verdict, AttachState earlierState, boolean isNeeded) {
    return earlierState == AttachState.ATTACHED && isNeeded ? new DetachVerdict.Needed() : verdict;
  }

  /**
   * Returns Keep if the detach relies on a status that never listed the volume, and it did list it.
   */
  public static DetachVerdict keepIfListed(
      DetachVerdict verdict, Grounds grounds, boolean wasListed) {
    return grounds == Grounds.NEVER_LISTED && wasListed
        ? new DetachVerdict.Keep("its node's status listed it")
        : verdict;
  }
}
