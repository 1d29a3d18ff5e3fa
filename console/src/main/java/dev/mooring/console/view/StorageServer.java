package dev.mooring.console.view;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Optional;

/**
 * Provisioner or driver that an object waits for.
 *
 * @param role "Provisioner" or "Driver"
 * @param extension the plugin or driver of this process with that name
 */
public record StorageServer(String role, String name, Optional<StorageExtension> extension) {
  /** Returns the provisioner of a claim or class, or the driver of an attachment. */
  public static Optional<StorageServer> of(
      ClusterView clusterView, List<StorageExtension> extensions, SubjectRef subject) {
    ObjectKey key = subject.key();
    if (subject.kind().equals(Kind.CLAIM)) {
      return get(clusterView, Kind.CLAIM, key)
          .map(Claim::className)
          .filter(name -> !name.isEmpty())
          .flatMap(name -> get(clusterView, Kind.STORAGE_CLASS, ObjectKey.cluster(name)))
          .map(storageClass -> provisioner(storageClass, extensions));
    }
    if (subject.kind().equals(Kind.STORAGE_CLASS)) {
      return get(clusterView, Kind.STORAGE_CLASS, key)
          .map(storageClass -> provisioner(storageClass, extensions));
    }
    return subject.kind().equals(Kind.ATTACHMENT)
        ? get(clusterView, Kind.ATTACHMENT, key)
            .map(Attachment::attacher)
            .map(name -> named("Driver", name, extensions))
        : Optional.empty();
  }

  private static <T extends Resource> Optional<T> get(
      ClusterView clusterView, Kind<T> kind, ObjectKey key) {
    return clusterView.informer(kind).snapshot().get(key);
  }

  private static StorageServer provisioner(
      StorageClass storageClass, List<StorageExtension> extensions) {
    return named("Provisioner", storageClass.provisioner(), extensions);
  }

  private static StorageServer named(String role, String name, List<StorageExtension> extensions) {
    return new StorageServer(
        role, name, extensions.stream().filter(e -> e.name().equals(name)).findFirst());
  }

  public boolean isAvailable() {
    return extension.map(e -> e.health().isWorking()).orElse(true);
  }
}
