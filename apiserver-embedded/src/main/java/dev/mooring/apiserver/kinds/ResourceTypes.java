package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.ResourceType.ResourceTraits;
import java.util.List;
import java.util.Locale;
import java.util.Set;

final class ResourceTypes {
  private static final Set<String> CLUSTER_SCOPED =
      Set.of(
          "ClusterRole",
          "ClusterRoleBinding",
          "CustomResourceDefinition",
          "CSIDriver",
          "CSINode",
          "Namespace",
          "Node",
          "PersistentVolume",
          "StorageClass",
          "VolumeAttachment",
          "VolumeAttributesClass");

  private ResourceTypes() {}

  record ResourceNames(String apiVersion, String plural, String kind, List<String> shortNames) {}

  static ResourceNames named(String apiVersion, String plural, String kind, String... shortNames) {
    return new ResourceNames(apiVersion, plural, kind, List.of(shortNames));
  }

  static ResourceType make(ResourceNames names, ResourceTraits traits, KindStrategy rules) {
    return make(names, traits, rules, List.of(), ResourceType.ResourceExtras.NONE);
  }

  static ResourceType make(
      ResourceNames names,
      ResourceTraits traits,
      KindStrategy rules,
      List<String> subresources,
      ResourceType.ResourceExtras extras) {
    int slash = names.apiVersion().indexOf('/');
    return new ResourceType(
        slash < 0 ? "" : names.apiVersion().substring(0, slash),
        names.apiVersion().substring(slash + 1),
        names.plural(),
        names.kind().toLowerCase(Locale.ROOT),
        names.kind(),
        !CLUSTER_SCOPED.contains(names.kind()),
        names.shortNames(),
        subresources,
        names.kind(),
        traits,
        rules,
        extras);
  }
}
