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
  private final Map<ConsoleSection, SortedSet<ObjectKey>> found =
      new EnumMap<>(ConsoleSection.class);

  private RelatedObjects(ClusterView clusterView) {
    this.clusterView = clusterView;
  }

  public static Map<ConsoleSection, List<ObjectKey>> of(
      ClusterView clusterView, SubjectRef subject) {
    RelatedObjects related = new RelatedObjects(clusterView);
    ConsoleSection.of(subject.kind()).ifPresent(section -> related.begin(section, subject.key()));
    Map<ConsoleSection, List<ObjectKey>> all = new EnumMap<>(ConsoleSection.class);
    related.found.forEach((section, keys) -> all.put(section, List.copyOf(keys)));
    return all;
  }

  private void begin(ConsoleSection section, ObjectKey key) {
    switch (section) {
      case CLAIMS -> claim(key, true);
      case VOLUMES -> volume(key.name(), true);
      case PODS -> get(Kind.POD, key).ifPresent(this::pod);
      case ATTACHMENTS -> get(Kind.ATTACHMENT, key).ifPresent(this::attachment);
      case NODES -> node(key);
      case CLASSES -> add(ConsoleSection.CLASSES, key);
    }
  }

  private <T extends Resource> Optional<T> get(Kind<T> kind, ObjectKey key) {
    return clusterView.informer(kind).snapshot().get(key);
  }

  private <T extends Resource> List<T> those(Kind<T> kind, Predicate<T> wanted) {
    List<T> all = new ArrayList<>();
    for (T object : clusterView.informer(kind).snapshot().all()) {
      if (wanted.test(object)) {
        all.add(object);
      }
    }
    return all;
  }

  private boolean add(ConsoleSection section, ObjectKey key) {
    return !key.name().isEmpty() && found.computeIfAbsent(section, s -> new TreeSet<>()).add(key);
  }

  private void node(ObjectKey node) {
    add(ConsoleSection.NODES, node);
    those(Kind.ATTACHMENT, a -> a.nodeName().equals(node.name())).forEach(this::attachment);
    those(Kind.POD, p -> p.nodeName().equals(node.name())).forEach(this::pod);
  }

  private void attachment(Attachment attachment) {
    add(ConsoleSection.ATTACHMENTS, attachment.key());
    add(ConsoleSection.NODES, ObjectKey.cluster(attachment.nodeName()));
    volume(attachment.volumeName(), false);
  }

  private void pod(Pod pod) {
    add(ConsoleSection.PODS, pod.key());
    add(ConsoleSection.NODES, ObjectKey.cluster(pod.nodeName()));
    pod.claims().forEach(name -> claim(ObjectKey.of(pod.key().namespace(), name), false));
  }

  private void claim(ObjectKey key, boolean around) {
    add(ConsoleSection.CLAIMS, key);
    Optional<Claim> claim = get(Kind.CLAIM, key);
    claim.ifPresent(c -> {
      add(ConsoleSection.CLASSES, ObjectKey.cluster(c.className()));
      volume(c.volumeName(), around);
    });
    if (around) {
      those(
              Kind.POD,
              p -> p.key().namespace().equals(key.namespace()) && p.claims().contains(key.name()))
          .forEach(this::pod);
    }
  }

  private void volume(String name, boolean around) {
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
        .ifPresent(c -> claim(c, around && !has(c)));
    if (around) {
      those(Kind.ATTACHMENT, a -> a.volumeName().equals(name)).forEach(this::attachment);
    }
  }

  private boolean has(ObjectKey claim) {
    return found.getOrDefault(ConsoleSection.CLAIMS, new TreeSet<>()).contains(claim);
  }
}
