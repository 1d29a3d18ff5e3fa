package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.codec.Schema;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource that the server has.
 *
 * @param group API group, "" for core
 * @param version its version
 * @param plural its name in URLs
 * @param singular its name for people
 * @param kind its kind
 * @param namespaced whether objects live in namespaces
 * @param shortNames kubectl's abbreviations
 * @param subresources status, binding…
 * @param message its message in the schema
 * @param traits particular conduct
 * @param rules defaults, validation, columns
 * @param extras what few resources have
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
    String message,
    Traits traits,
    Strategy rules,
    Extras extras) {
  /**
   * Where the scale subresource finds its numbers.
   *
   * @param wanted path of the wanted count
   * @param present path of the present count
   * @param selector path of the selector, empty for none
   */
  public record Scale(List<String> wanted, List<String> present, List<String> selector) {
    /** Where the API's own kinds have them. */
    public static final Scale USUAL =
        new Scale(
            List.of("spec", "replicas"),
            List.of("status", "replicas"),
            List.of("spec", "selector"));
  }

  /**
   * What few resources have.
   *
   * @param scale where its scale is
   * @param deprecation what every client is warned of, "" for nothing
   * @param categories kubectl's names for several resources at once
   * @param custom its schema, if it is a custom resource
   */
  public record Extras(
      Scale scale, String deprecation, List<String> categories, Optional<CustomSchema> custom) {
    static final Extras NONE = new Extras(Scale.USUAL, "", List.of(), Optional.empty());

    static Extras in(String... categories) {
      return new Extras(Scale.USUAL, "", List.of(categories), Optional.empty());
    }
  }

  /** Where its scale is. */
  public Scale scale() {
    return extras.scale();
  }

  /** Whether clients are warned of it. */
  public boolean isDeprecated() {
    return !extras.deprecation().isEmpty();
  }

  /** What they are told. */
  public String deprecation() {
    return extras.deprecation();
  }

  /** Whether it is a custom resource. */
  public boolean isCustom() {
    return extras.custom().isPresent();
  }

  /** A resource is only ever the same as itself. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  /**
   * Conduct that differs between resources.
   *
   * @param updateNeedsVersion whether a PUT must carry the resourceVersion
   * @param createOnUpdate whether a PUT of what is not there creates it
   * @param deleteReturnsObject whether a delete answers with the object instead of a Status
   * @param protectionFinalizer the finalizer that admission adds, "" for none
   */
  public record Traits(
      boolean updateNeedsVersion,
      boolean createOnUpdate,
      boolean deleteReturnsObject,
      String protectionFinalizer) {}

  /** group/version, or version. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** plural.group, or plural: how messages name it. */
  public String qualified() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** By what clients see that its objects are stored in another version than before. */
  public String storageVersionHash() {
    try {
      String name = group + "/" + version + "/" + kind;
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, 8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  /** Its message. */
  public Schema.Message schema() {
    return Schema.message(message);
  }

  /** Whether there is a status subresource. */
  public boolean hasStatus() {
    return subresources.contains("status");
  }
}
