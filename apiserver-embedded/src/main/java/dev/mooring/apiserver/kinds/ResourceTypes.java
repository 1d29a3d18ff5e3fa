package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.kinds.ResourceType.Traits;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Resources of few words. */
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

  static ResourceType make(
      String apiVersion, String plural, String kind, Traits traits, Strategy rules) {
    return make(
        apiVersion, plural, kind, traits, rules, List.of(), List.of(), ResourceType.Extras.NONE);
  }

  static ResourceType make(
      String apiVersion,
      String plural,
      String kind,
      Traits traits,
      Strategy rules,
      List<String> shortNames,
      List<String> subresources,
      ResourceType.Extras extras) {
    int slash = apiVersion.indexOf('/');
    return new ResourceType(
        slash < 0 ? "" : apiVersion.substring(0, slash),
        apiVersion.substring(slash + 1),
        plural,
        kind.toLowerCase(Locale.ROOT),
        kind,
        !CLUSTER_SCOPED.contains(kind),
        shortNames,
        subresources,
        kind,
        traits,
        rules,
        extras);
  }
}
