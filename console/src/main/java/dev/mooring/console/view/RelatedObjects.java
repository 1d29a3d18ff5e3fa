package dev.mooring.console.view;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds the objects around one object by their references: pods, claims, volumes, attachments,
 * nodes. Does not evaluate them. Not thread-safe.
 */
public final class RelatedObjects {
  private final ClusterView clusterView;
  private final Map<ConsoleSection, SortedSet<ObjectKey>> related =
      new EnumMap<>(ConsoleSection.class);

  private RelatedObjects(ClusterView clusterView) {
    this.clusterView = clusterView;
  }

  public static Map<ConsoleSection, List<ObjectKey>> of(
      ClusterView clusterView, SubjectRef subject) {
    RelatedObjects search = new RelatedObjects(clusterView);
    ConsoleSection.of(subject.kind()).ifPresent(section -> search.addFrom(section, subject.key()));
    Map<ConsoleSection, List<ObjectKey>> related = new EnumMap<>(ConsoleSection.class);
    search.related.forEach((section, keys) -> related.put(section, List.copyOf(keys)));
    return related;
  }

  private void addFrom(ConsoleSection section, ObjectKey key) {
    switch (section) {
      case CLAIMS -> addClaim(key, true);
      case VOLUMES -> addVolume(key.name(), true);
      case PODS -> get(Kind.POD, key).ifPresent(this::addPod);
      case ATTACHMENTS -> get(Kind.ATTACHMENT, key).ifPresent(this::addAttachment);
      case NODES -> addNode(key);
      case CLASSES -> add(ConsoleSection.CLASSES, key);
      case SNAPSHOTS -> get(Kind.SNAPSHOT, key).ifPresent(this::addSnapshot);
      case GROUPS -> addGroup(key);
    }
  }

  private <T extends Resource> Optional<T> get(Kind<T> kind, ObjectKey key) {
    return clusterView.informer(kind).snapshot().get(key);
  }

  private <T extends Resource> List<T> list(Kind<T> kind, Predicate<T> condition) {
    List<T> matches = new ArrayList<>();
    for (T object : clusterView.informer(kind).snapshot().objects()) {
      if (condition.test(object)) {
        matches.add(object);
      }
    }
    return matches;
  }

  private boolean add(ConsoleSection section, ObjectKey key) {
    return !key.name().isEmpty() && related.computeIfAbsent(section, s -> new TreeSet<>()).add(key);
  }

  private void addSnapshot(VolumeSnapshot snapshot) {
    String namespace = snapshot.key().namespace();
    add(ConsoleSection.SNAPSHOTS, snapshot.key());
    add(ConsoleSection.GROUPS, ObjectKey.of(namespace, snapshot.status().group()));
    if (!snapshot.sourceClaim().isEmpty()) {
      addClaim(ObjectKey.of(namespace, snapshot.sourceClaim()), false);
    }
  }

  private void addGroup(ObjectKey group) {
    add(ConsoleSection.GROUPS, group);
    list(
            Kind.SNAPSHOT,
            s ->
                s.key().namespace().equals(group.namespace())
                    && s.status().group().equals(group.name()))
        .forEach(this::addSnapshot);
  }

  private void addNode(ObjectKey node) {
    add(ConsoleSection.NODES, node);
    list(Kind.ATTACHMENT, a -> a.nodeName().equals(node.name())).forEach(this::addAttachment);
    list(Kind.POD, p -> p.nodeName().equals(node.name())).forEach(this::addPod);
  }

  private void addAttachment(Attachment attachment) {
    add(ConsoleSection.ATTACHMENTS, attachment.key());
    add(ConsoleSection.NODES, ObjectKey.cluster(attachment.nodeName()));
    addVolume(attachment.volumeName(), false);
  }

  private void addPod(Pod pod) {
    add(ConsoleSection.PODS, pod.key());
    add(ConsoleSection.NODES, ObjectKey.cluster(pod.nodeName()));
    pod.claims().forEach(name -> addClaim(ObjectKey.of(pod.key().namespace(), name), false));
  }

  private void addClaim(ObjectKey key, boolean withDependents) {
    add(ConsoleSection.CLAIMS, key);
    Optional<Claim> claim = get(Kind.CLAIM, key);
    claim.ifPresent(c -> {
      add(ConsoleSection.CLASSES, ObjectKey.cluster(c.className()));
      addVolume(c.volumeName(), withDependents);
    });
    if (withDependents) {
      list(
              Kind.POD,
              p -> p.key().namespace().equals(key.namespace()) && p.claims().contains(key.name()))
          .forEach(this::addPod);
    }
  }

  private void addVolume(String name, boolean withDependents) {
    ObjectKey key = ObjectKey.cluster(name);
    if (!add(ConsoleSection.VOLUMES, key)) {
      return;
    }
    Optional<Volume> volume = get(Kind.VOLUME, key);
    volume.ifPresent(v -> add(ConsoleSection.CLASSES, ObjectKey.cluster(v.storageClass())));
    volume
        .map(Volume::claimRef)
        .filter(Objects::nonNull)
        .map(ClaimRef::claim)
        .ifPresent(c -> addClaim(c, withDependents && !hasClaim(c)));
    if (withDependents) {
      list(Kind.ATTACHMENT, a -> a.volumeName().equals(name)).forEach(this::addAttachment);
    }
  }

  private boolean hasClaim(ObjectKey claim) {
    return related.getOrDefault(ConsoleSection.CLAIMS, new TreeSet<>()).contains(claim);
  }
}
