package dev.mooring.apiserver.kinds.model;

import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a kind. Implementations are stateless and must not change trees passed as {@code
 * old}.
 */
public interface KindStrategy {
  /** Sets the defaults of absent fields. */
  default void setDefaults(JsonObject object) {}

  /** Removes fields that clients must not set on creation, and sets those that the server sets. */
  default void prepareCreate(JsonObject object) {}

  /**
   * Restores fields that clients must not change. Called for the main resource; status comes from
   * {@code old}.
   */
  default void prepareUpdate(JsonObject object, JsonObject old) {}

  /** Prepares a status update: {@code object} has the new status and metadata on the old spec. */
  default void prepareStatus(JsonObject object, JsonObject old) {}

  /** Returns the metadata members that a status update leaves unchanged. */
  default List<String> getMetadataKeptOnStatus() {
    return List.of();
  }

  default void validate(JsonObject object, FieldErrors errors) {}

  default void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
  }

  default void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {}

  /**
   * Copies the part that a subresource other than status changes, for example resize.
   *
   * @param edited the object that the client has sent
   * @param object the current object, which changes
   */
  default void mergePart(String subresource, JsonObject edited, JsonObject object) {}

  default void validatePart(
      String subresource, JsonObject object, JsonObject old, FieldErrors errors) {}

  /** Returns warnings about a valid object. */
  default List<String> findWarnings(JsonObject object) {
    return List.of();
  }

  /** Returns whether names must be DNS subdomains; if not, any path segment is valid. */
  default boolean hasDnsNames() {
    return true;
  }

  /** Returns whether a finalizer without a domain must be one that Kubernetes defines. */
  default boolean hasStandardFinalizers() {
    return true;
  }

  /** Returns whether metadata is validated only if everything else is valid. */
  default boolean isMetadataValidatedLast() {
    return false;
  }

  /**
   * How often Kubernetes validates the metadata of a changed object, besides the validation that
   * all kinds share. It repeats every error as often.
   *
   * @param objectChecks validations as of a new object
   * @param changeChecks validations of the change
   */
  record MetadataChecks(int objectChecks, int changeChecks) {
    public static final MetadataChecks BOTH = new MetadataChecks(1, 1);

    public static final MetadataChecks CHANGE_ONLY = new MetadataChecks(0, 1);

    public static final MetadataChecks OBJECT_ONLY = new MetadataChecks(1, 0);
  }

  default MetadataChecks getMetadataChecks() {
    return MetadataChecks.BOTH;
  }

  /** Returns the value of a selectable field; null if the kind cannot be selected by the field. */
  default @Nullable String findSelectableValue(JsonObject object, String field) {
    return null;
  }

  /** Converts an object of this version or group to the form in which it is stored. */
  default JsonObject toStoredForm(JsonObject object) {
    return object;
  }

  /**
   * Converts a stored object to the form of this version or group. Does not change its argument.
   */
  default JsonObject toServedForm(JsonObject stored) {
    return stored;
  }
}
