package dev.mooring.manager.simulate;

import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Kinds of the objects that affect volumes. Excludes Secrets. */
public final class CopiedKinds {
  private static final Set<String> PLURALS =
      Set.of(
          "namespaces",
          "nodes",
          "pods",
          "persistentvolumeclaims",
          "persistentvolumes",
          "deployments",
          "replicasets",
          "statefulsets",
          "daemonsets",
          "jobs",
          "cronjobs",
          "replicationcontrollers",
          "poddisruptionbudgets",
          "storageclasses",
          "csidrivers",
          "csinodes",
          "csistoragecapacities",
          "volumeattachments",
          "volumeattributesclasses");

  private static final List<ResourceType> BUILT_IN =
      KindCatalogue.ALL.stream()
          .filter(type -> PLURALS.contains(type.plural()) && !type.isAlias())
          .toList();

  // Their definitions take longer to parse than the objects of a small cluster.
  private static final class Snapshots {
    static final List<ResourceType> TYPES = SnapshotResources.listTypes();
  }

  private CopiedKinds() {}

  /** Returns the kinds that a cluster may not serve, and that the ClusterRole view lacks. */
  public static List<ResourceType> snapshots() {
    return Snapshots.TYPES;
  }

  public static List<ResourceType> all() {
    return Stream.concat(BUILT_IN.stream(), snapshots().stream()).toList();
  }

  static Optional<ResourceType> find(String apiVersion, String kind) {
    return findFirst(type -> type.apiVersion().equals(apiVersion) && type.kind().equals(kind));
  }

  private static Optional<ResourceType> findFirst(Predicate<ResourceType> predicate) {
    return BUILT_IN.stream()
        .filter(predicate)
        .findFirst()
        .or(() -> snapshots().stream().filter(predicate).findFirst());
  }

  static Optional<ResourceType> findNamed(String name) {
    String lower = name.equals("class") ? "storageclass" : name.toLowerCase(Locale.ROOT);
    return findFirst(type ->
        type.plural().equals(lower)
            || type.singular().equals(lower)
            || type.shortNames().contains(lower)
            || (type.plural() + "." + type.group()).equals(lower));
  }
}
