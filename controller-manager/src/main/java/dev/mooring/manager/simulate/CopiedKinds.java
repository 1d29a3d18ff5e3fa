package dev.mooring.manager.simulate;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

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

  public static final List<ResourceType> ALL =
      KindCatalogue.ALL.stream()
          .filter(type -> PLURALS.contains(type.plural()) && !type.isAlias())
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
