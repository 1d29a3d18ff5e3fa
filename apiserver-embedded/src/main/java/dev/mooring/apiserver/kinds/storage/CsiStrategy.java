package dev.mooring.apiserver.kinds.storage;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfAbsent;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

public final class CsiStrategy {
  private static final int MAX_NODE_ID_BYTES = 256;
  private static final int MAX_MESSAGE_BYTES = 1024;
  private static final int MAX_ATTACHMENT_BYTES = 256 * 1024;
  private static final int MIN_TOKEN_SECONDS = 600;
  private static final long MAX_TOKEN_SECONDS = 1L << 32;

  private CsiStrategy() {}

  public static final class AttachmentStrategy implements KindStrategy {
    @Override
    public MetadataChecks getMetadataChecks() {
      return MetadataChecks.OBJECT_ONLY;
    }

    @Override
    public void prepareCreate(JsonObject object) {
      JsonObject status = newObject("attached", false);
      object.add("status", status);
    }

    @Override
    public void prepareStatus(JsonObject object, JsonObject old) {
      setIfAbsent(getOrAddChild(object, "status"), "attached", false);
    }

    @Override
    public List<String> getMetadataKeptOnStatus() {
      return List.of("labels", "annotations", "finalizers", "ownerReferences");
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
      VolumeSources.validateDriver(spec, "attacher");
      ValidatedObject source = spec.getChild("source");
      boolean isInline = source.has("inlineVolumeSpec");
      boolean hasVolumeName = source.has("persistentVolumeName");
      if (isInline == hasVolumeName) {
        String detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
        if (hasVolumeName) {
          spec.addForbidden("source", detail);
        } else {
          spec.addRequired("source", detail);
        }
      } else if (hasVolumeName && source.isEmpty("persistentVolumeName")) {
        source.addRequired("persistentVolumeName", "must specify non empty persistentVolumeName");
      } else if (isInline) {
        VolumeStrategy.validateInline(source.getChild("inlineVolumeSpec"));
      }
      spec.requireSubdomain("nodeName");
      if (hasVolumeName) {
        source.requireSubdomain("persistentVolumeName");
      }
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      ValidatedObject status = ValidatedObject.ofMember(object, "status", errors);
      int size = 0;
      JsonObject metadata = status.getChild("attachmentMetadata").object();
      for (String key : metadata.keySet()) {
        size += TextSize.countBytes(key) + TextSize.countBytes(textAt(metadata, key));
      }
      if (size > MAX_ATTACHMENT_BYTES) {
        errors.addTooLong(status.path("attachmentMetadata"), MAX_ATTACHMENT_BYTES);
      }
      for (String error : List.of("attachError", "detachError")) {
        status.ifPresent(
            error,
            e -> {
              if (TextSize.countBytes(e.text("message")) > MAX_MESSAGE_BYTES) {
                // Kubernetes reports this limit
                errors.addTooLong(e.path("message"), MAX_ATTACHMENT_BYTES);
              }
              e.checkRange("errorCode", 0, Integer.MAX_VALUE);
            });
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      if (!Objects.equals(valueAt(object, "spec"), valueAt(old, "spec"))) {
        errors.addInvalid("spec", String.valueOf(valueAt(object, "spec")), "field is immutable");
      }
    }
  }

  public static final class CsiNodeStrategy extends DeclaredStrategy {
    public CsiNodeStrategy() {
      super("csinodes.storage.k8s.io", "CSINode");
    }

    @Override
    public MetadataChecks getMetadataChecks() {
      return MetadataChecks.OBJECT_ONLY;
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      Set<String> names = new HashSet<>();
      for (ValidatedObject driver :
          ValidatedObject.ofMember(object, "spec", errors).getChildren("drivers")) {
        VolumeSources.validateDriver(driver, "name");
        driver.requireMembers("nodeID");
        if (TextSize.countBytes(driver.text("nodeID")) > MAX_NODE_ID_BYTES) {
          driver.addInvalid("nodeID", "must be 256 characters or less");
        }
        driver.ifPresent("allocatable", a -> a.checkAtLeast("count", 0));
        driver.requireUnique(names, "name");
        validateTopologyKeys(driver);
      }
    }

    private static void validateTopologyKeys(ValidatedObject driver) {
      Set<String> keys = new HashSet<>();
      for (String key : driver.strings("topologyKeys")) {
        if (key.isEmpty()) {
          driver.addSelfRequired("");
        }
        if (!keys.add(key)) {
          driver.addSelfDuplicate(key);
        }
        ObjectNames.validateQualifiedName(key, driver.field(), driver.errors());
      }
    }

    private static JsonArray getDrivers(JsonObject object) {
      return valueAt(object, "spec", "drivers") instanceof JsonArray drivers
          ? drivers
          : new JsonArray();
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      for (JsonElement o : getDrivers(old)) {
        for (JsonElement n : getDrivers(object)) {
          JsonObject oldDriver = o.getAsJsonObject();
          JsonObject newDriver = n.getAsJsonObject();
          JsonObject oldImmutable = oldDriver.deepCopy();
          JsonObject newImmutable = newDriver.deepCopy();
          oldImmutable.remove("allocatable");
          newImmutable.remove("allocatable");
          if (textAt(oldDriver, "name").equals(textAt(newDriver, "name"))
              && !oldImmutable.equals(newImmutable)) {
            errors.addInvalid("spec.drivers", newDriver, "field is immutable");
          }
        }
      }
    }
  }

  public static final class CsiDriverStrategy extends DeclaredStrategy {
    public CsiDriverStrategy() {
      super("csidrivers.storage.k8s.io", "CSIDriver");
    }

    @Override
    public MetadataChecks getMetadataChecks() {
      return MetadataChecks.CHANGE_ONLY;
    }

    @Override
    public void prepareCreate(JsonObject object) {
      // the feature gate is off; spec stays, so that field ownership covers the dropped field
      getOrAddChild(object, "spec").remove("preventPodSchedulingIfMissing");
    }

    @Override
    public void prepareUpdate(JsonObject object, JsonObject old) {
      prepareCreate(object);
      super.prepareUpdate(object, old);
    }

    @Override
    public List<String> findWarnings(JsonObject object) {
      boolean requestsTokens =
          valueAt(object, "spec", "tokenRequests") instanceof JsonArray list && !list.isEmpty();
      return requestsTokens && valueAt(object, "spec", "serviceAccountTokenInSecrets") == null
          ? List.of(
              "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes")
          : List.of();
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      super.validate(object, errors);
      ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
      validateTokenRequests(spec);
      for (String mode : spec.strings("volumeLifecycleModes")) {
        if (!List.of("Persistent", "Ephemeral").contains(mode)) {
          errors.addNotSupported(
              spec.path("volumeLifecycleModes"), mode, List.of("Persistent", "Ephemeral"));
        }
      }
      if (spec.has("nodeAllocatableUpdatePeriodSeconds")
          && spec.number("nodeAllocatableUpdatePeriodSeconds") < 10) {
        spec.addInvalid(
            "nodeAllocatableUpdatePeriodSeconds", "must be greater than or equal to 10 seconds");
      }
      if (spec.has("serviceAccountTokenInSecrets") && spec.isEmpty("tokenRequests")) {
        spec.addInvalid(
            "serviceAccountTokenInSecrets",
            "serviceAccountTokenInSecrets is set but no tokenRequests are specified");
      }
    }

    private static void validateTokenRequests(ValidatedObject spec) {
      Set<String> audiences = new HashSet<>();
      for (ValidatedObject request : spec.getChildren("tokenRequests")) {
        if (!audiences.add(request.text("audience"))) {
          request.addDuplicate("audience");
        } else if (request.has("expirationSeconds")) {
          if (request.number("expirationSeconds") < MIN_TOKEN_SECONDS) {
            request.addInvalid(
                "expirationSeconds", "may not specify a duration less than 10 minutes");
          }
          if (request.number("expirationSeconds") > MAX_TOKEN_SECONDS) {
            request.addInvalid(
                "expirationSeconds", "may not specify a duration larger than 2^32 seconds");
          }
        }
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      for (String field : List.of("attachRequired", "volumeLifecycleModes")) {
        if (!Objects.equals(valueAt(object, "spec", field), valueAt(old, "spec", field))) {
          errors.addInvalid(
              "spec." + (field.equals("attachRequired") ? "attachedRequired" : field),
              String.valueOf(valueAt(object, "spec", field)),
              "field is immutable");
        }
      }
    }
  }
}
