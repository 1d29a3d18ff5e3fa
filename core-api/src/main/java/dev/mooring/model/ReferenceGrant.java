package dev.mooring.model;

import java.util.List;

/**
 * A ReferenceGrant of the Gateway API: what of its namespace may be named by whom from another one.
 *
 * @param meta name, namespace and version
 * @param from who may; any one of them
 * @param to what; any one of them
 */
public record ReferenceGrant(Meta meta, List<From> from, List<To> to) implements Resource {
  /** ReferenceGrants: a cluster has them if somebody installed them. */
  public static final Kind<ReferenceGrant> KIND =
      new Kind<>(
          "gateway.networking.k8s.io",
          "v1beta1",
          "referencegrants",
          "ReferenceGrant",
          true,
          ReferenceGrant.class);

  /**
   * Objects that may name others.
   *
   * @param group their API group, "" for core
   * @param kind their kind
   * @param namespace their namespace
   */
  public record From(String group, String kind, String namespace) {}

  /**
   * Objects that may be named.
   *
   * @param group their API group, "" for core
   * @param kind their kind
   * @param name the name of one, "" for all
   */
  public record To(String group, String kind, String name) {}

  /** Takes copies. */
  public ReferenceGrant {
    from = List.copyOf(from);
    to = List.copyOf(to);
  }
}
