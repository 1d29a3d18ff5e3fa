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

  /**
   * How a resource is called.
   *
   * @param apiVersion group and version, or version
   * @param plural its name in URLs
   * @param kind its kind
   * @param shortNames kubectl's abbreviations
   */
  record Names(String apiVersion, String plural, String kind, List<String> shortNames) {}

  static Names named(String apiVersion, String plural, String kind, String... shortNames) {
    return new Names(apiVersion, plural, kind, List.of(shortNames));
  }

  static ResourceType make(Names names, Traits traits, Strategy rules) {
    return make(names, traits, rules, List.of(), ResourceType.Extras.NONE);
  }

  static ResourceType make(
      Names names,
      Traits traits,
      Strategy rules,
      List<String> subresources,
      ResourceType.Extras extras) {
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
