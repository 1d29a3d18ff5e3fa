package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.util.List;

public final class WritePreconditions {
  private WritePreconditions() {}

  static void checkUpdate(
      ResourceType type,
      String name,
      WriteOptions options,
      JsonObject metadata,
      StoredObject current)
      throws StatusException {
    String sentName = textAt(metadata, "name");
    if (sentName.isEmpty() && options.isPatch()) {
      throw StatusException.badRequest(
          "the name of the object ("
              + name
              + " based on URL) was undeterminable: name must be provided");
    }
    if (!sentName.isEmpty() && !sentName.equals(name)) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(sentName, name));
    }
    if (!options.isPatch()) {
      requireSameUid(type, name, metadata, current);
    }
    String version = textAt(metadata, "resourceVersion");
    if (version.isEmpty() || version.equals("0")) {
      if (type.traits().updateNeedsVersion() && options.isPatch()) {
        throw makeMissingVersion(type, name);
      }
      return;
    }
    if (!version.matches("\\d{1,18}")) {
      throw StatusException.internalErrorWithoutReason(
          "strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
    }
    if (!version.equals(Long.toString(current.version()))) {
      throw StatusException.objectModified(type, name);
    }
  }

  /**
   * Returns the error for an update without resourceVersion, where the kind requires one.
   *
   * @throws StatusException if the update is for an object with another uid
   */
  public static StatusException makeMissingVersion(
      ResourceType type, String name, JsonObject metadata, StoredObject current)
      throws StatusException {
    requireSameUid(type, name, metadata, current);
    return makeMissingVersion(type, name);
  }

  private static StatusException makeMissingVersion(ResourceType type, String name) {
    FieldErrors errors = new FieldErrors();
    errors.addInvalid("metadata.resourceVersion", 0, "must be specified for an update");
    return StatusException.invalid(type.group(), type.plural(), name, errors.getCauses());
  }

  private static void requireSameUid(
      ResourceType type, String name, JsonObject metadata, StoredObject current)
      throws StatusException {
    String sentUid = textAt(metadata, "uid");
    String uid = textAt(current.tree(), "metadata", "uid");
    if (!sentUid.isEmpty() && !sentUid.equals(uid)) {
      throw StatusException.conflict(
          type,
          name,
          "Precondition failed: UID in precondition: " + sentUid + ", UID in object meta: " + uid);
    }
  }

  static void rejectNewFinalizers(
      JsonObject object, JsonObject old, KindStrategy.MetadataChecks checks, FieldErrors errors) {
    if (textAt(old, "metadata", "deletionTimestamp").isEmpty()) {
      return;
    }
    List<String> oldFinalizers = stringsAt(old, "metadata", "finalizers");
    List<String> newFinalizers =
        stringsAt(object, "metadata", "finalizers").stream()
            .filter(f -> !oldFinalizers.contains(f))
            .toList();
    if (!newFinalizers.isEmpty()) {
      String detail =
          "no new finalizers can be added if the object is being deleted, found new finalizers []string{\""
              + String.join("\", \"", newFinalizers)
              + "\"}";
      for (int i = 0; i <= checks.changeChecks(); i++) {
        errors.addForbidden("metadata.finalizers", detail);
      }
    }
  }

  private static void checkNamespaceDelete(
      String name, String uid, String version, WriteOptions options) throws StatusException {
    if (options.uid() != null && !options.uid().equals(uid)) {
      throw makePreconditionFailed(name, "UID", options.uid(), uid);
    }
    if (options.version() != null && !options.version().equals(version)) {
      throw makePreconditionFailed(name, "ResourceVersion", options.version(), version);
    }
  }

  private static StatusException makePreconditionFailed(
      String namespace, String property, String requested, String actual) {
    return StatusException.conflict(
        KindCatalogue.NAMESPACES,
        namespace,
        "Precondition failed: %s in precondition: %s, %s in object meta: %s"
            .formatted(property, requested, property, actual));
  }

  static void checkDelete(
      ResourceType type, String name, StoredObject current, WriteOptions options)
      throws StatusException {
    String uid = textAt(current.tree(), "metadata", "uid");
    String version = Long.toString(current.version());
    if (type == KindCatalogue.NAMESPACES) {
      checkNamespaceDelete(name, uid, version, options);
      return;
    }
    if (options.uid() != null && !options.uid().equals(uid)) {
      throw StatusException.preconditionFailed(
          type,
          name,
          "the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated"
              .formatted(options.uid(), uid));
    }
    if (options.version() != null && !options.version().equals(version)) {
      throw StatusException.preconditionFailed(
          type,
          name,
          "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified"
              .formatted(options.version(), version));
    }
  }
}
