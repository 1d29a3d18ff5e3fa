package dev.mooring.model;

import java.util.List;

/**
 * A ReferenceGrant of the Gateway API: allows references from other namespaces to objects in its
 * namespace.
 *
 * @param meta name, namespace and version
 * @param from allowed referrers; one must match
 * @param to allowed targets; one must match
 */
public record ReferenceGrant(Meta meta, List<From> from, List<To> to) implements Resource {
  public static final Kind<ReferenceGrant> KIND =
      new Kind<>(
          "gateway.networking.k8s.io",
          "v1beta1",
          "referencegrants",
          "ReferenceGrant",
          true,
          ReferenceGrant.class);

  public record From(String group, String kind, String namespace) {}

  /**
   * Allowed targets.
   *
   * @param group API group; "" for core
   * @param kind kind of the targets
   * @param name name of one target; "" for all
   */
  public record To(String group, String kind, String name) {}

  public ReferenceGrant {
    from = List.copyOf(from);
    to = List.copyOf(to);
  }
}
