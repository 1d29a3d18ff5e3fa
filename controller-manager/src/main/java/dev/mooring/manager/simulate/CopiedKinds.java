package dev.mooring.manager.simulate;

import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The kinds that decide what becomes of volumes. Secrets are not among them. */
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

  /** Kinds that a cluster may not serve, and that the ClusterRole view does not contain. */
  public static final List<ResourceType> SNAPSHOTS = SnapshotResources.listTypes();

  public static final List<ResourceType> ALL =
      Stream.concat(
              KindCatalogue.ALL.stream()
                  .filter(type -> PLURALS.contains(type.plural()) && !type.isAlias()),
              SNAPSHOTS.stream())
          .toList();

  private CopiedKinds() {}

  static Optional<ResourceType> find(String apiVersion, String kind) {
    return ALL.stream()
        .filter(type -> type.apiVersion().equals(apiVersion) && type.kind().equals(kind))
        .findFirst();
  }

  static Optional<ResourceType> findNamed(String name) {
    String lower = name.equals("class") ? "storageclass" : name.toLowerCase(Locale.ROOT);
    return ALL.stream()
        .filter(type ->
            type.plural().equals(lower)
                || type.singular().equals(lower)
                || type.shortNames().contains(lower)
                || (type.plural() + "." + type.group()).equals(lower))
        .findFirst();
  }
}
