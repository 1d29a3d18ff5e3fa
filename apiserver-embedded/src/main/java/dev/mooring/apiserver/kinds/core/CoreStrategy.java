package dev.mooring.apiserver.kinds.core;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

public final class CoreStrategy {
  private static final int MAX_BYTES = 1024 * 1024;

  private CoreStrategy() {}

  public static final class NamespaceStrategy implements KindStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      getOrAddChild(object, "metadata", "labels")
          .addProperty("kubernetes.io/metadata.name", textAt(object, "metadata", "name"));
    }

    @Override
    public void prepareCreate(JsonObject object) {
      JsonObject spec = getOrAddChild(object, "spec");
      JsonArray finalizers =
          spec.get("finalizers") instanceof JsonArray requestedFinalizers
              ? requestedFinalizers
              : new JsonArray();
      if (!finalizers.contains(new JsonPrimitive("kubernetes"))) {
        finalizers.add("kubernetes");
      }
      spec.add("finalizers", finalizers);
      JsonObject status = newObject("phase", "Active");
      object.add("status", status);
    }

    @Override
    public void prepareUpdate(JsonObject object, JsonObject old) {
      object.add("spec", old.has("spec") ? old.get("spec").deepCopy() : new JsonObject());
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      stringsAt(object, "spec", "finalizers")
          .forEach(f -> ObjectNames.validateFinalizer(f, "spec.finalizers", errors));
    }

    @Override
    public void prepareStatus(JsonObject object, JsonObject old) {
      setDefaults(object);
      if (textAt(object, "status", "phase").isEmpty()) {
        getOrAddChild(object, "status").addProperty("phase", "Active");
      }
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      boolean isDeleting = !textAt(object, "metadata", "deletionTimestamp").isEmpty();
      String phase = textAt(object, "status", "phase");
      if (!isDeleting && !phase.equals("Active")) {
        errors.addInvalid(
            "status.Phase", phase, "may only be 'Active' if `deletionTimestamp` is empty");
      } else if (isDeleting && !phase.equals("Terminating")) {
        errors.addInvalid(
            "status.Phase", phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
      }
    }

    @Override
    public @Nullable String findSelectableValue(JsonObject object, String field) {
      return switch (field) {
        case "status.phase" -> textAt(object, "status", "phase");
        case "name" -> textAt(object, "metadata", "name");
        default -> null;
      };
    }
  }

  private static void validateImmutableData(
      JsonObject object, JsonObject old, FieldErrors errors, List<String> fields) {
    JsonElement oldImmutable = valueAt(old, "immutable");
    if (oldImmutable == null || !oldImmutable.getAsBoolean()) {
      return;
    }
    JsonElement newImmutable = valueAt(object, "immutable");
    if (newImmutable == null || !newImmutable.getAsBoolean()) {
      errors.addForbidden("immutable", "field is immutable when `immutable` is set");
    }
    for (String field : fields) {
      if (!Objects.equals(valueAt(object, field), valueAt(old, field))) {
        errors.addForbidden(field, "field is immutable when `immutable` is set");
      }
    }
  }

  private static void validateKeys(JsonObject object, String field, FieldErrors errors) {
    if (valueAt(object, field) instanceof JsonObject data) {
      for (String key : data.keySet()) {
        ObjectNames.validateConfigKey(key, field + "[" + key + "]", errors);
      }
    }
  }

  private static long countBytes(JsonObject object, String field, boolean isBase64) {
    long byteCount = 0;
    if (valueAt(object, field) instanceof JsonObject data) {
      for (JsonElement value : data.asMap().values()) {
        String text = value.getAsString();
        long padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
        byteCount += isBase64 ? text.length() / 4 * 3L - padding : TextSize.countBytes(text);
      }
    }
    return byteCount;
  }

  public static final class ConfigMapStrategy implements KindStrategy {
    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      validateKeys(object, "data", errors);
      if (valueAt(object, "data") instanceof JsonObject data
          && valueAt(object, "binaryData") instanceof JsonObject binary) {
        for (String key : data.keySet()) {
          if (binary.has(key)) {
            errors.addInvalid("data[" + key + "]", key, "duplicate of key present in binaryData");
          }
        }
      }
      validateKeys(object, "binaryData", errors);
      if (countBytes(object, "data", false) + countBytes(object, "binaryData", true) > MAX_BYTES) {
        errors.addTooLong("[]", MAX_BYTES);
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validateImmutableData(object, old, errors, List.of("data", "binaryData"));
      validate(object, errors);
    }
  }

  public static final class SecretStrategy implements KindStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      if (textAt(object, "type").isEmpty()) {
        object.addProperty("type", "Opaque");
      }
      if (object.remove("stringData") instanceof JsonObject plain) {
        plain
            .entrySet()
            .forEach(e ->
                getOrAddChild(object, "data")
                    .add(
                        e.getKey(),
                        new JsonPrimitive(
                            Base64.getEncoder()
                                .encodeToString(
                                    e.getValue().getAsString().getBytes(StandardCharsets.UTF_8)))));
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      validateKeys(object, "data", errors);
      if (countBytes(object, "data", true) > MAX_BYTES) {
        errors.addTooLong("data", MAX_BYTES);
      }
      switch (textAt(object, "type")) {
        case "kubernetes.io/tls" -> {
          requireKey(object, "tls.crt", errors);
          requireKey(object, "tls.key", errors);
        }
        case "kubernetes.io/dockercfg" -> requireJson(object, ".dockercfg", errors);
        case "kubernetes.io/dockerconfigjson" -> requireJson(object, ".dockerconfigjson", errors);
        case "kubernetes.io/ssh-auth" -> {
          if (textAt(object, "data", "ssh-privatekey").isEmpty()) {
            errors.addRequired("data[ssh-privatekey]", "");
          }
        }
        case "kubernetes.io/basic-auth" -> {
          if (valueAt(object, "data", "username") == null
              && valueAt(object, "data", "password") == null) {
            requireKey(object, "username", errors);
            requireKey(object, "password", errors);
          }
        }
        case "kubernetes.io/service-account-token" -> {
          if (textAt(object, "metadata", "annotations", "kubernetes.io/service-account.name")
              .isEmpty()) {
            errors.addRequired("metadata.annotations[kubernetes.io/service-account.name]", "");
          }
        }
        default -> {
          // other types have no rules
        }
      }
    }

    @Override
    public List<String> findWarnings(JsonObject object) {
      if (!textAt(object, "type").equals("kubernetes.io/tls")) {
        return List.of();
      }
      String missingContent =
          !decodeValue(object, "tls.crt").contains("-----BEGIN ")
              ? "certificate"
              : decodeValue(object, "tls.key").contains("-----BEGIN ") ? "" : "key";
      return missingContent.isEmpty()
          ? List.of()
          : List.of("tls: failed to find any PEM data in " + missingContent + " input");
    }

    private static String decodeValue(JsonObject object, String key) {
      return new String(
          Base64.getMimeDecoder().decode(textAt(object, "data", key)), StandardCharsets.UTF_8);
    }

    private static void requireJson(JsonObject object, String key, FieldErrors errors) {
      requireKey(object, key, errors);
      if (valueAt(object, "data", key) == null) {
        return;
      }
      try {
        JsonElement content = JsonBodies.parse(decodeValue(object, key), new ArrayList<>());
        if (content.isJsonObject() || content.isJsonNull()) {
          return;
        }
      } catch (BadBodyException e) {
        // reported below
      }
      errors.addInvalid("data[" + key + "]", "<secret contents redacted>", "invalid character");
    }

    private static void requireKey(JsonObject object, String key, FieldErrors errors) {
      if (valueAt(object, "data", key) == null) {
        errors.addRequired("data[" + key + "]", "");
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      if (!textAt(object, "type").equals(textAt(old, "type"))) {
        errors.addInvalid("type", textAt(object, "type"), "field is immutable");
      }
      validateImmutableData(object, old, errors, List.of("data"));
      validate(object, errors);
    }

    @Override
    public @Nullable String findSelectableValue(JsonObject object, String field) {
      return field.equals("type") ? textAt(object, "type") : null;
    }
  }

  public static final class LeaseStrategy implements KindStrategy {
    @Override
    public MetadataChecks getMetadataChecks() {
      return MetadataChecks.CHANGE_ONLY;
    }

    @Override
    public boolean hasStandardFinalizers() {
      return false;
    }

    @Override
    public void setDefaults(JsonObject object) {
      getOrAddChild(object, "spec");
    }

    @Override
    public void prepareCreate(JsonObject object) {
      JsonObject spec =
          getOrAddChild(object, "spec"); // stays if empty: its manager also owns the removed fields
      spec.remove("strategy"); // the feature gate CoordinatedLeaderElection is off
      spec.remove("preferredHolder");
    }

    @Override
    public void prepareUpdate(JsonObject object, JsonObject old) {
      prepareCreate(object);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      JsonElement duration = valueAt(object, "spec", "leaseDurationSeconds");
      if (duration != null && duration.getAsLong() <= 0) {
        errors.addInvalid("spec.leaseDurationSeconds", duration, "must be greater than 0");
      }
      JsonElement transitions = valueAt(object, "spec", "leaseTransitions");
      if (transitions != null && transitions.getAsLong() < 0) {
        errors.addInvalid(
            "spec.leaseTransitions", transitions, "must be greater than or equal to 0");
      }
    }
  }
}
