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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ends contests for volumes: finds out which of several nodes has what each of them may have.
 * Thread-safe; blocks.
 */
public record Contests(State state, Witnesses witnesses, Findings findings) {
  /**
   * Who knows who has it.
   *
   * @param attachments the attachments as far as they are known
   * @param volumeOf the volume that an attachment is about; null if that is not known
   * @param reader asked about them, and about nodes
   * @param keeper keeps an attachment from being deleted by what was sent before
   * @param mounted whether a node is known to have a volume mounted
   */
  public record Witnesses(
      Informer<Attachment> attachments,
      Function<Attachment, @Nullable VolumeId> volumeOf,
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

  /** The volumes for which there is one, or of which only attachments tell. */
  public Set<VolumeId> all() {
    Set<VolumeId> contested = new LinkedHashSet<>();
    for (String node : state.actual().nodes()) {
      state.actual().contestedOn(node).stream().filter(state::isExclusive).forEach(contested::add);
    }
    return contested;
  }

  /** Whether it is one of them. */
  public boolean isOne(VolumeId id) {
    return state.isExclusive(id)
        && (state.actual().contest(id) != null || !state.actual().found(id).isEmpty());
  }

  /** Looks at the volume, if it is one; whether the server said what had to be known. */
  public Completion end(VolumeId id) throws InterruptedException {
    Optional<VolumeId.Csi> volume = id.csi();
    if (volume.isEmpty() || !state.isExclusive(id)) {
      return Completion.DONE;
    }
    Completion left = leave(id, volume.get());
    Completion ended = endContest(id, volume.get());
    return ended instanceof Completion.Unanswered ? ended : left;
  }

  /** Where only an attachment told of it, and that has gone, nothing is that others wait for. */
  private Completion leave(VolumeId id, VolumeId.Csi volume) throws InterruptedException {
    Completion completion = Completion.DONE;
    for (Map.Entry<String, Long> one : state.actual().found(id).entrySet()) {
      String node = one.getKey();
      if (state.desired().wants(id, node) && !mayBeAttachedByAny(id, volume, node)) {
        switch (ContestCheck.decideFound(id, other(id, volume, node))) {
          case ContestVerdict.NotThere() ->
              findings.alone().accept(id, () -> left(id, volume, node, one.getValue()));
          case ContestVerdict.Unknown(String why) -> completion = new Completion.Unanswered(why);
          case ContestVerdict.Has(), ContestVerdict.Unclear(String _) -> {}
        }
      }
    }
    return completion;
  }

  private void left(VolumeId id, VolumeId.Csi volume, String node, long change) {
    AttachTarget target = state.actual().target(id, node);
    boolean left =
        findings.idle().test(id, node)
            && state.desired().wants(id, node)
            && state
                .actual()
                .updateUnlessChanged(id, node, change, new WorldUpdate.NotAttached(id, node));
    if (left && target != null && isThere(volume.attachment(node))) {
      // it came meanwhile, and that was no news as long as the node counted as one that may have it
      state.actual().update(new WorldUpdate.Found(id, node, target));
    } else if (left) {
      findings.reporter().hasItNot(id, node);
      findings.wake().accept(id, node);
    }
  }

  private Completion endContest(VolumeId id, VolumeId.Csi volume) throws InterruptedException {
    ContestedNodes contested = state.actual().contest(id);
    if (contested == null) {
      return Completion.DONE;
    }
    List<String> attached =
        contested.nodes().stream().filter(node -> isAttached(volume.attachment(node))).toList();
    if (attached.size() != 1 || !state.desired().wants(id, attached.getFirst())) {
      return Completion.DONE;
    }
    String node = attached.getFirst();
    if (!state.desired().isManaged(node)) {
      return Completion.DONE; // its kubelet has it
    }
    return switch (ask(id, volume, node, contested)) {
      case ContestVerdict.Has() -> keep(id, volume, node, contested);
      case ContestVerdict.NotThere(), ContestVerdict.Unclear(String _) -> Completion.DONE;
      case ContestVerdict.Unknown(String why) -> new Completion.Unanswered(why);
    };
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

  private boolean isThere(ObjectKey attachment) {
    return witnesses.attachments().get(attachment).isPresent();
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
            attachment(volume.attachment(node)), others, isAttachedByHand(id, volume, node)));
  }

  private ContestCheck.Other other(VolumeId id, VolumeId.Csi volume, String node)
      throws InterruptedException {
    return new ContestCheck.Other(
        attachment(volume.attachment(node)),
        NodeChecks.read(witnesses.reader(), Kind.NODE, ObjectKey.cluster(node)),
        witnesses.mounted().test(id, node));
  }

  private boolean isAttachedByHand(VolumeId id, VolumeId.Csi volume, String node) {
    return mayBeOne(id, volume, one -> one.attached() && !one.nodeName().equals(node));
  }

  private boolean mayBeAttachedByAny(VolumeId id, VolumeId.Csi volume, String node) {
    return mayBeOne(id, volume, one -> one.nodeName().equals(node));
  }

  /**
   * Attachments that somebody else made may be called anything; the cache has them all. One of the
   * driver's whose volume nobody knows may be of this one.
   */
  private boolean mayBeOne(VolumeId id, VolumeId.Csi volume, Predicate<Attachment> such) {
    for (Attachment one : witnesses.attachments().snapshot().all()) {
      if (one.attacher().equals(volume.driver()) && such.test(one)) {
        VolumeId of = witnesses.volumeOf().apply(one);
        if (of == null || of.equals(id)) {
          return true;
        }
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
      state
          .actual()
          .update(new WorldUpdate.Attached(id, node, "", state.actual().target(id, node)));
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
