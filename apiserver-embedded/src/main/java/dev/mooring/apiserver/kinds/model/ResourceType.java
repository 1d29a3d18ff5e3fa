package dev.mooring.apiserver.kinds.model;

import dev.mooring.apiserver.codec.Schema;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A resource of the server.
 *
 * @param group the API group; "" for core
 * @param plural the name in URLs
 * @param singular the name for people
 * @param shortNames kubectl's abbreviations
 * @param subresources status, binding…
 * @param messageName the message name in the schema
 * @param traits behaviour that differs between resources
 * @param strategy defaults and validation
 * @param extras properties that few resources have
 */
public record ResourceType(
    String group,
    String version,
    String plural,
    String singular,
    String kind,
    boolean namespaced,
    List<String> shortNames,
    List<String> subresources,
    String messageName,
    ResourceTraits traits,
    KindStrategy strategy,
    ResourceExtras extras) {
  /**
   * The paths of the scale subresource.
   *
   * @param desiredReplicas the path of the desired replicas
   * @param currentReplicas the path of the current replicas
   * @param selector the path of the selector; empty for none
   */
  public record ScalePaths(
      List<String> desiredReplicas, List<String> currentReplicas, List<String> selector) {
    public static final ScalePaths DEFAULT =
        new ScalePaths(
            List.of("spec", "replicas"),
            List.of("status", "replicas"),
            List.of("spec", "selector"));
  }

  /**
   * Properties that few resources have.
   *
   * @param deprecation the warning for every client; "" for none
   * @param categories kubectl's names for groups of resources
   * @param storage the qualified name of the resource whose objects these are; "" for its own
   * @param columns the columns that kubectl prints
   * @param custom the schema of a custom resource
   */
  public record ResourceExtras(
      ScalePaths scale,
      String deprecation,
      List<String> categories,
      String storage,
      Supplier<List<PrintedColumn>> columns,
      Optional<CustomSchema> custom) {}

  public ScalePaths scale() {
    return extras.scale();
  }

  public boolean isDeprecated() {
    return !extras.deprecation().isEmpty();
  }

  public String deprecation() {
    return extras.deprecation();
  }

  public List<PrintedColumn> columns() {
    return extras.columns().get();
  }

  public boolean isCustom() {
    return extras.custom().isPresent();
  }

  public boolean isAlias() {
    return !extras.storage().isEmpty();
  }

  /** A resource equals only itself. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  /**
   * Behaviour that differs between resources.
   *
   * @param updateNeedsVersion true if PUT requires a resourceVersion
   * @param createOnUpdate true if PUT of a missing object creates it
   * @param deleteReturnsObject true if DELETE answers with the object instead of a Status
   * @param isReadOnly true if clients can only get and list objects
   * @param protectionFinalizer the finalizer that admission adds; "" for none
   */
  public record ResourceTraits(
      boolean updateNeedsVersion,
      boolean createOnUpdate,
      boolean deleteReturnsObject,
      boolean isReadOnly,
      String protectionFinalizer) {}

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** Returns plural.group, or plural for core, as messages name the resource. */
  public String qualifiedName() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** Returns the hash by which clients notice a change of the storage version. */
  public String hashStorageVersion() {
    try {
      String name = group + "/" + version + "/" + kind;
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, 8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  public Schema.MessageType schema() {
    return Schema.getMessage(messageName);
  }

  /** Returns whether this is events of events.k8s.io, which are stored in the form of core/v1. */
  public boolean isNewEvents() {
    return group.equals("events.k8s.io");
  }

  public boolean hasStatus() {
    return subresources.contains("status");
  }
}
