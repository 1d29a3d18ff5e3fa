package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.world.ActualWorld;
import dev.mooring.attachdetach.world.AttachmentNames;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.Attempt;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Compares what is taken for attached with what really is (spec/attachdetach.md 10). Where
 * Kubernetes takes a question that got no answer for "not attached", it counts for nothing here.
 * Thread-safe; blocks.
 */
public final class Verification {
  private record Group(String plugin, String node) {}

  private final ActualWorld actual;
  private final Informer<Attachment> attachments;
  private final LiveReader reader;
  private final Backends backends;
  private final Predicate<VolumeId> attachable;
  private final PodNarrator narrator;
  private final Figures figures;
  private final Consumer<VolumeId> wake;

  /**
   * Compares these.
   *
   * @param attachable whether a volume has to be attached at all at this moment
   * @param narrator tells what was found
   * @param figures counts it
   * @param wake called with a volume that is not where it was thought to be
   */
  public Verification(
      ActualWorld actual,
      Informer<Attachment> attachments,
      LiveReader reader,
      Backends backends,
      Predicate<VolumeId> attachable,
      PodNarrator narrator,
      Figures figures,
      Consumer<VolumeId> wake) {
    this.actual = actual;
    this.attachments = attachments;
    this.reader = reader;
    this.backends = backends;
    this.attachable = attachable;
    this.narrator = narrator;
    this.figures = figures;
    this.wake = wake;
  }

  /** Looks at everything that is taken for attached. */
  public void verifyAll() throws InterruptedException {
    Map<Group, Set<VolumeId>> groups =
        new TreeMap<>(java.util.Comparator.comparing(Group::plugin).thenComparing(Group::node));
    Set<Map.Entry<VolumeId, String>> csi = new HashSet<>();
    actual.forEachAttached((id, node) -> {
      if (id.csi().isPresent()) {
        csi.add(Map.entry(id, node));
      } else {
        groups.computeIfAbsent(new Group(id.plugin(), node), g -> new HashSet<>()).add(id);
      }
    });
    for (Map.Entry<VolumeId, String> one : csi) {
      verify(one.getKey(), one.getValue());
    }
    groups.forEach(this::verify);
  }

  /** Looks at a CSI volume that is taken for attached. */
  public void verify(VolumeId id, String node) throws InterruptedException {
    Optional<VolumeId.Csi> volume = id.csi();
    if (volume.isEmpty() || actual.held(id, node) != Held.YES || !attachable.test(id)) {
      return;
    }
    ObjectKey key = AttachmentNames.of(volume.get(), node);
    Optional<Attachment> known = attachments.snapshot().get(key);
    if (known.isPresent()) {
      if (!known.get().attached()) {
        drifted(id, node, "its VolumeAttachment says that it is not");
      }
      return;
    }
    switch (reader.read(Kind.ATTACHMENT, key)) {
      case ReadResult.Found<Attachment>(Attachment found) -> {
        if (!found.attached()) {
          drifted(id, node, "its VolumeAttachment says that it is not");
        }
      }
      case ReadResult.Absent<Attachment> _ -> drifted(id, node, "it has no VolumeAttachment");
      case ReadResult.Failed<Attachment>(String message) -> narrator.unverified(node, message);
    }
  }

  private void verify(Group group, Set<VolumeId> ids) {
    Set<String> names = new HashSet<>();
    ids.forEach(id -> names.add(id.name()));
    switch (backends.attached(group.plugin(), group.node(), Set.copyOf(names))) {
      case Attempt.Done<Set<String>>(Set<String> there) -> {
        for (VolumeId id : ids) {
          if (!there.contains(id.name()) && actual.held(id, group.node()) == Held.YES) {
            drifted(id, group.node(), "plugin " + group.plugin() + " says that it is not");
          }
        }
      }
      case Attempt.Failed<Set<String>>(var why) -> narrator.unverified(group.node(), why.message());
    }
  }

  private void drifted(VolumeId id, String node, String why) {
    figures.drifted();
    narrator.drifted(id, node, why);
    actual.detached(id, node);
    wake.accept(id);
  }
}
