package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.RawObject;
import dev.mooring.model.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides when Mooring adds and removes Kubernetes' out-of-service taint beside
 * kube-controller-manager, which then detaches the node's volumes at once.
 *
 * <p>Only a plugin's proof that the machine is off leads to the taint; a Lease or the Ready
 * condition never does. The proof is read after the Node, and the patch carries the Node's uid and
 * version: a node that reports again in between is not tainted. Mooring removes its taint once the
 * node reports another boot id, because the proof concerned the earlier boot. Taints of
 * administrators stay. Ids in comments are the rows of {@code docs/dev/live-verdicts.md}.
 */
public final class OutOfServiceCheck {
  public static final String TAINT = "node.kubernetes.io/out-of-service";

  private static final String OWN_VALUE = "mooring";
  private static final String EFFECT = "NoExecute";
  private static final String OWN_TAINT = TAINT + "=" + OWN_VALUE + ":" + EFFECT;

  /**
   * Proof of a plugin that the node's machine is off.
   *
   * @param evidence the proof in one line
   */
  public record Death(String plugin, String evidence) {}

  // outcome of the live read: a verdict, or one that depends on the plugins' proofs
  public sealed interface TaintFinding {
    record TaintIfDead(LiveNode node) implements TaintFinding {}

    record UntaintUnlessDead(LiveNode node, OutOfServiceMark mark) implements TaintFinding {}
  }

  public sealed interface TaintVerdict extends TaintFinding {
    record Taint(LiveNode node, OutOfServiceMark mark) implements TaintVerdict {}

    record Untaint(LiveNode node, OutOfServiceMark mark) implements TaintVerdict {}

    // an administrator removed the taint, and the node has returned: only the annotation is left
    record Unmark(LiveNode node) implements TaintVerdict {}

    // the node is ready, but its pods of the time of the taint may still run
    record KeepTaint(LiveNode node) implements TaintVerdict {}

    // the node is ready after a start, but a plugin still reports it as off
    record KeepByProof(LiveNode node, Death death) implements TaintVerdict {}

    // own taint without the annotation: a later start of the node cannot be recognized
    record KeepUnmarked(LiveNode node) implements TaintVerdict {}

    // the node has not returned
    record AwaitRestart() implements TaintVerdict {}

    // the next proof decides
    record Recheck() implements TaintVerdict {}

    record Nothing() implements TaintVerdict {}

    // the server did not answer
    record Unknown(String message) implements TaintVerdict {}
  }

  private static final TaintVerdict NOTHING = new TaintVerdict.Nothing();

  private OutOfServiceCheck() {}

  /** Returns whether the cached node may need a taint, or has a taint or annotation of Mooring. */
  public static boolean isConcerned(Node node) {
    return isSuspect(node) || isMarked(node);
  }

  public static boolean isSuspect(Node node) {
    return !node.isReady() && node.ready() != null && !node.isOutOfService() && !isMarked(node);
  }

  private static boolean isMarked(Node node) {
    return node.taints().contains(OWN_TAINT)
        || node.meta().hasAnnotation(OutOfServiceMark.ANNOTATION);
  }

  public static TaintFinding decide(Fact<LiveNode> nodeFact) {
    return switch (nodeFact) {
      case Fact.Present<LiveNode>(LiveNode node) -> decide(node);
      case Fact.Absent<LiveNode> _ -> NOTHING; // U1
      case Fact.Unknown<LiveNode>(String message) -> new TaintVerdict.Unknown(message); // U2
      case Fact.NotAsked<LiveNode> _ -> new TaintVerdict.Unknown("the node was not read");
    };
  }

  private static TaintFinding decide(LiveNode node) {
    Optional<OutOfServiceMark> mark =
        OutOfServiceMark.parse(node.meta().annotation(OutOfServiceMark.ANNOTATION));
    boolean isTainted = node.taints().stream().anyMatch(OutOfServiceCheck::isOutOfService);
    if (mark.isEmpty() && node.taints().stream().anyMatch(OutOfServiceCheck::isOwn)) {
      return new TaintVerdict.KeepUnmarked(node); // U11
    }
    if (mark.isEmpty()) {
      return !isTainted && node.isNotReady() && OutOfServiceMark.canRecord(node.bootId())
          ? new TaintFinding.TaintIfDead(node) // U5
          : NOTHING; // U3: ready, of an administrator, or its next start could not be recognized
    }
    boolean isRestarted = !node.bootId().isEmpty() && !node.bootId().equals(mark.get().bootId());
    if (!isRestarted && !node.isReady()) {
      return new TaintVerdict.AwaitRestart(); // U4: an administrator may have removed the taint
    }
    if (node.taints().stream().noneMatch(OutOfServiceCheck::isOwn)) {
      return new TaintVerdict.Unmark(node); // U6
    }
    return isRestarted
        ? new TaintFinding.UntaintUnlessDead(node, mark.get()) // U8: also before it is ready
        : new TaintVerdict.KeepTaint(node); // U7
  }

  /**
   * Returns the verdict after the proofs.
   *
   * @param death proof that was read after the node; empty if no plugin proves its death now
   */
  public static TaintVerdict decideByDeath(
      TaintFinding finding, Optional<Death> death, Instant now) {
    return switch (finding) {
      case TaintVerdict verdict -> verdict;
      case TaintFinding.TaintIfDead(LiveNode node) when death.isPresent() ->
          new TaintVerdict.Taint(
              node,
              new OutOfServiceMark(
                  death.get().plugin(),
                  node.bootId(),
                  Instant.ofEpochSecond(now.getEpochSecond()).toString(),
                  death.get().evidence()));
      case TaintFinding.UntaintUnlessDead(LiveNode node, OutOfServiceMark mark)
          when death.isEmpty() ->
          new TaintVerdict.Untaint(node, mark);
      case TaintFinding.UntaintUnlessDead(LiveNode node, OutOfServiceMark _) when node.isReady() ->
          new TaintVerdict.KeepByProof(node, death.orElseThrow()); // U10
      case TaintFinding.TaintIfDead _, TaintFinding.UntaintUnlessDead _ ->
          new TaintVerdict.Recheck(); // U9, U10: off again
    };
  }

  private static boolean isOutOfService(RawObject taint) {
    return taint.text("key").equals(TAINT);
  }

  private static boolean isOwn(RawObject taint) {
    return isOutOfService(taint)
        && taint.text("value").equals(OWN_VALUE)
        && taint.text("effect").equals(EFFECT);
  }

  public static List<Map<?, ?>> addTaint(LiveNode node) {
    List<Map<?, ?>> taints = new ArrayList<>();
    node.taints().forEach(taint -> taints.add(taint.members()));
    taints.add(Map.of("key", TAINT, "value", OWN_VALUE, "effect", EFFECT));
    return taints;
  }

  public static List<Map<?, ?>> removeTaint(LiveNode node) {
    List<Map<?, ?>> taints = new ArrayList<>();
    node.taints().stream().filter(taint -> !isOwn(taint)).forEach(t -> taints.add(t.members()));
    return taints;
  }
}
