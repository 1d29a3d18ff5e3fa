package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestCheck;
import dev.mooring.attachdetach.decide.ContestCheck.ContestVerdict;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.cluster.LiveReader;
import dev.mooring.informer.Informer;
import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.Completion;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attempt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Ends contests for volumes: finds out which of several nodes has what each of them may have.
 * Thread-safe; blocks.
 */
public record Contests(State state, Witnesses witnesses, Findings findings) {
  /**
   * Who knows who has it.
   *
   * @param attachments the attachments as far as they are known
   * @param reader asked about them, and about nodes
   * @param keeper keeps an attachment from being deleted by what was sent before
   * @param mounted whether a node is known to have a volume mounted
   */
  public record Witnesses(
      Informer<Attachment> attachments,
      LiveReader reader,
      VolumeAttachments keeper,
      BiPredicate<VolumeId, String> mounted) {}

  /**
   * What becomes of that which is found.
   *
   * @param reporter tells it
   * @param idle whether nothing is being done about a volume on a node
   * @param alone runs something while nothing is decided about a volume
   * @param wake called with the volume and the node that has it, whose status is to list it
   */
  public record Findings(
      PodReporter reporter,
      BiPredicate<VolumeId, String> idle,
      BiConsumer<VolumeId, Runnable> alone,
      BiConsumer<VolumeId, String> wake) {}

  /** The volumes for which there is one. */
  public Set<VolumeId> all() {
    Set<VolumeId> contested = new LinkedHashSet<>();
    for (String node : state.actual().nodes()) {
      contested.addAll(state.actual().contestedOn(node));
    }
    return contested;
  }

  /** Whether there is one for that volume. */
  public boolean isOne(VolumeId id) {
    return state.actual().contest(id) != null;
  }

  /** Looks at the volume, if it is contested; whether the server said what had to be known. */
  public Completion end(VolumeId id) throws InterruptedException {
    ContestedNodes contested = state.actual().contest(id);
    Optional<VolumeId.Csi> volume = id.csi();
    if (contested == null || volume.isEmpty()) {
      return Completion.DONE;
    }
    List<String> attached =
        contested.nodes().stream()
            .filter(node -> isAttached(volume.get().attachment(node)))
            .toList();
    if (attached.isEmpty()) {
      return leave(id, volume.get(), contested);
    }
    if (attached.size() != 1 || !state.desired().wants(id, attached.getFirst())) {
      return Completion.DONE;
    }
    String node = attached.getFirst();
    return switch (ask(id, volume.get(), node, contested)) {
      case ContestVerdict.Has() -> keep(id, volume.get(), node, contested);
      case ContestVerdict.NotThere(), ContestVerdict.Unclear(String _) -> Completion.DONE;
      case ContestVerdict.Unknown(String why) -> new Completion.Unanswered(why);
    };
  }

  /** Of nodes that wait, those whose attachments have gone have nothing that others wait for. */
  private Completion leave(VolumeId id, VolumeId.Csi volume, ContestedNodes contested)
      throws InterruptedException {
    List<String> gone = new ArrayList<>();
    Completion completion = Completion.DONE;
    for (String node : contested.found()) {
      if (state.desired().wants(id, node) && !isAttachmentOf(id, node)) {
        switch (ContestCheck.decideFound(id, other(id, volume, node))) {
          case ContestVerdict.NotThere() -> gone.add(node);
          case ContestVerdict.Unknown(String why) -> completion = new Completion.Unanswered(why);
          case ContestVerdict.Has(), ContestVerdict.Unclear(String _) -> {}
        }
      }
    }
    if (!gone.isEmpty()) {
      findings.alone().accept(id, () -> left(id, gone, contested));
    }
    return completion;
  }

  private void left(VolumeId id, List<String> gone, ContestedNodes contested) {
    if (gone.stream().allMatch(node -> isStill(id, node, contested))) {
      gone.forEach(node -> state.actual().update(new WorldUpdate.NotAttached(id, node)));
      gone.forEach(node -> findings.wake().accept(id, node));
    }
  }

  private Completion keep(VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested)
      throws InterruptedException {
    Attachment known = witnesses.attachments().get(volume.attachment(node)).orElse(null);
    if (known == null || !isStill(id, node, contested)) {
      return Completion.DONE;
    }
    return switch (witnesses.keeper().kept(new VolumeNode(id, node), known)) {
      case Asked.Answered<Attached>(Attempt<Attached> kept) -> {
        if (kept instanceof Attempt.Done<Attached>) {
          findings.alone().accept(id, () -> has(id, node, contested));
        }
        yield Completion.DONE;
      }
      case Asked.Unanswered<Attached>(String why) -> new Completion.Unanswered(why);
    };
  }

  private boolean isAttached(ObjectKey attachment) {
    return witnesses.attachments().get(attachment).filter(Attachment::attached).isPresent();
  }

  private ContestVerdict ask(
      VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested)
      throws InterruptedException {
    List<ContestCheck.Other> others = new ArrayList<>();
    for (String other : contested.nodes()) {
      if (!other.equals(node)) {
        others.add(other(id, volume, other));
      }
    }
    return ContestCheck.decide(
        id,
        new ContestCheck.Contest(
            attachment(volume.attachment(node)), others, isAttachedByHand(id, node)));
  }

  private ContestCheck.Other other(VolumeId id, VolumeId.Csi volume, String node)
      throws InterruptedException {
    return new ContestCheck.Other(
        attachment(volume.attachment(node)),
        NodeChecks.read(witnesses.reader(), Kind.NODE, ObjectKey.cluster(node)),
        witnesses.mounted().test(id, node));
  }

  private boolean isAttachedByHand(VolumeId id, String node) {
    return hasAttachment(id, one -> one.attached() && !one.nodeName().equals(node));
  }

  private boolean isAttachmentOf(VolumeId id, String node) {
    return hasAttachment(id, one -> one.nodeName().equals(node));
  }

  /** Attachments that somebody else made may be called anything; the cache has them all. */
  private boolean hasAttachment(VolumeId id, Predicate<Attachment> such) {
    AttachTarget target = state.actual().target(id);
    if (target == null) {
      return false;
    }
    for (Attachment one : witnesses.attachments().snapshot().all()) {
      if (one.volumeName().equals(target.persistentVolume()) && such.test(one)) {
        return true;
      }
    }
    return false;
  }

  private Fact<Attachment> attachment(ObjectKey key) throws InterruptedException {
    return NodeChecks.read(witnesses.reader(), Kind.ATTACHMENT, key);
  }

  /** What has begun or changed meanwhile counts more than what was asked before. */
  private void has(VolumeId id, String node, ContestedNodes contested) {
    if (isStill(id, node, contested)) {
      state.actual().update(new WorldUpdate.Attached(id, node, "", state.actual().target(id)));
      findings.reporter().hasIt(id, node);
      findings.wake().accept(id, node);
    }
  }

  private boolean isStill(VolumeId id, String node, ContestedNodes contested) {
    return contested.equals(state.actual().contest(id))
        && state.desired().wants(id, node)
        && contested.nodes().stream().allMatch(one -> findings.idle().test(id, one));
  }
}
