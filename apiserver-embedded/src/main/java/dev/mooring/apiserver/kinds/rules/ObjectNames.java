package dev.mooring.apiserver.kinds.rules;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.TextSize;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

public final class ObjectNames {
  public static final String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  private static final String NAME_PART_RULE =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern NAME_PART =
      Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
  private static final String SUFFIX_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private ObjectNames() {}

  static final String LABEL_RULE =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

  public static final String DNS1035_RULE =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

  public static boolean isDns1035(String name) {
    return isLabel(name) && Character.isLetter(name.charAt(0));
  }

  public static boolean isLabel(String name) {
    return name.length() <= 63 && LABEL.matcher(name).matches();
  }

  public static boolean isSubdomain(String name) {
    return name.length() <= 253 && SUBDOMAIN.matcher(name).matches();
  }

  public static void validateLabel(String name, String field, FieldErrors errors) {
    if (name.length() > 63) {
      errors.addInvalid(field, name, "must be no more than 63 bytes");
    }
    if (!LABEL.matcher(name).matches()) {
      errors.addInvalid(field, name, LABEL_RULE);
    }
  }

  public static void validateSubdomain(String name, String field, FieldErrors errors) {
    if (name.length() > 253) {
      errors.addInvalid(field, name, "must be no more than 253 bytes");
    }
    if (!SUBDOMAIN.matcher(name).matches()) {
      errors.addInvalid(field, name, SUBDOMAIN_RULE);
    }
  }

  public static void validateConfigKey(String key, String field, FieldErrors errors) {
    if (key.length() > 253) {
      errors.addInvalid(field, key, "must be no more than 253 bytes");
    }
    if (!CONFIG_KEY.matcher(key).matches()) {
      errors.addInvalid(
          field,
          key,
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
    }
    if (key.equals(".") || key.equals("..")) {
      errors.addInvalid(field, key, "must not be '" + key + "'");
    } else if (key.startsWith("..")) {
      errors.addInvalid(field, key, "must not start with '..'");
    }
  }

  public static void validateAnnotations(
      @Nullable JsonElement annotations, String field, FieldErrors errors) {
    if (!(annotations instanceof JsonObject map)) {
      return;
    }
    long size = 0;
    for (Map.Entry<String, JsonElement> annotation : map.entrySet()) {
      validateKey(annotation.getKey().toLowerCase(Locale.ROOT), field, errors);
      size +=
          TextSize.countBytes(annotation.getKey())
              + TextSize.countBytes(annotation.getValue().getAsString());
    }
    if (size > MAX_ANNOTATION_BYTES) {
      errors.addTooLong(field, MAX_ANNOTATION_BYTES);
    }
  }

  public static void validateLabels(
      @Nullable JsonElement labels, String field, FieldErrors errors) {
    if (labels instanceof JsonObject map) {
      for (Map.Entry<String, JsonElement> label : map.entrySet()) {
        validateKey(label.getKey(), field, errors);
        validateLabelValue(label.getValue().getAsString(), field, errors);
      }
    }
  }

  public static String generateName(String prefix) {
    StringBuilder name = new StringBuilder(prefix.length() > 58 ? prefix.substring(0, 58) : prefix);
    for (int i = 0; i < 5; i++) {
      name.append(
          SUFFIX_CHARACTERS.charAt(
              ThreadLocalRandom.current().nextInt(SUFFIX_CHARACTERS.length())));
    }
    return name.toString();
  }

  /** Validates the metadata of a changed object and repeats errors as often as Kubernetes does. */
  public static void validateUpdate(
      ResourceType type,
      JsonObject metadata,
      KindStrategy.MetadataChecks checks,
      FieldErrors errors) {
    for (int i = 0; i < 2 + checks.objectChecks() + checks.changeChecks(); i++) {
      validateLabelsAndOwners(metadata, errors);
    }
    String prefix = textAt(metadata, "generateName");
    for (int i = 0; !prefix.isEmpty() && i < checks.objectChecks(); i++) {
      validatePrefix(type, prefix, errors);
    }
    if (!(valueAt(metadata, "finalizers") instanceof JsonArray finalizers)) {
      return;
    }
    for (int i = 0; i < 1 + checks.objectChecks(); i++) {
      finalizers.forEach(f -> validateKey(f.getAsString(), "metadata.finalizers", errors));
      rejectConflictingFinalizers(finalizers, errors);
    }
    boolean requiresStandard = type.strategy().hasStandardFinalizers() && !type.isCustom();
    for (int i = 0; requiresStandard && i < checks.objectChecks() + checks.changeChecks(); i++) {
      for (int j = 0; j < finalizers.size(); j++) {
        requireStandardFinalizer(
            finalizers.get(j).getAsString(), "metadata.finalizers[" + j + "]", errors);
      }
    }
  }

  private static void validateLabelsAndOwners(JsonObject metadata, FieldErrors errors) {
    validateLabels(valueAt(metadata, "labels"), "metadata.labels", errors);
    validateAnnotations(valueAt(metadata, "annotations"), "metadata.annotations", errors);
    validateOwners(metadata, errors);
  }

  private static void rejectConflictingFinalizers(JsonArray finalizers, FieldErrors errors) {
    if (finalizers.contains(new JsonPrimitive("orphan"))
        && finalizers.contains(new JsonPrimitive("foregroundDeletion"))) {
      errors.addInvalid(
          "metadata.finalizers",
          finalizers,
          "finalizer orphan and foregroundDeletion cannot be both set");
    }
  }

  public static void validate(ResourceType type, JsonObject metadata, FieldErrors errors) {
    validateName(type, textAt(metadata, "name"), textAt(metadata, "generateName"), errors);
    validateLabelsAndOwners(metadata, errors);
    if (valueAt(metadata, "generation") instanceof JsonElement generation
        && generation.isJsonPrimitive()
        && generation.getAsLong() < 0) {
      errors.addInvalid("metadata.generation", generation, "must be greater than or equal to 0");
    }
    if (valueAt(metadata, "finalizers") instanceof JsonArray finalizers) {
      for (int i = 0; i < finalizers.size(); i++) {
        validateFinalizer(type, finalizers.get(i).getAsString(), i, errors);
      }
      rejectConflictingFinalizers(finalizers, errors);
    }
  }

  public static void validatePrefix(ResourceType type, String prefix, FieldErrors errors) {
    String sampleName =
        prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) + "a" : prefix;
    boolean isLabel = type.plural().equals("namespaces");
    if (type.strategy().hasDnsNames() && prefix.length() > (isLabel ? 63 : 253)) {
      errors.addInvalid("metadata.generateName", prefix, "must be no more than 253 bytes");
    }
    if (type.strategy().hasDnsNames() && !SUBDOMAIN.matcher(sampleName).matches()) {
      errors.addInvalid("metadata.generateName", prefix, SUBDOMAIN_RULE);
    }
  }

  private static void validateName(
      ResourceType type, String name, String generateName, FieldErrors errors) {
    if (name.isEmpty()) {
      errors.addRequired("metadata.name", "name or generateName is required");
      return;
    }
    if (type.strategy().hasDnsNames()) {
      boolean isLabel = type.plural().equals("namespaces");
      if (name.length() > (isLabel ? 63 : 253)) {
        errors.addInvalid(
            "metadata.name", name, "must be no more than " + (isLabel ? 63 : 253) + " bytes");
      }
      if (!(isLabel ? LABEL : SUBDOMAIN).matcher(name).matches()) {
        errors.addInvalid("metadata.name", name, SUBDOMAIN_RULE);
      }
    } else {
      validatePathSegment(name, "metadata.name", errors);
    }
  }

  /** Validates a name that must only be a valid path segment. */
  public static void validatePathSegment(String name, String field, FieldErrors errors) {
    if (name.equals(".") || name.equals("..")) {
      errors.addInvalid(field, name, "may not be '" + name + "'");
      return;
    }
    for (String character : List.of("/", "%")) {
      if (name.contains(character)) {
        errors.addInvalid(field, name, "may not contain '" + character + "'");
      }
    }
  }

  public static void validateLabel(String key, Collection<String> values, FieldErrors errors) {
    validateKey(key, "<nil>", errors);
    int i = 0;
    for (String value : values) {
      validateLabelValue(value, "values[" + i++ + "][" + key + "]", errors);
    }
  }

  /** Validates a qualified name (prefix/name) of labels, finalizers and reporters. */
  public static void validateQualifiedName(String key, String field, FieldErrors errors) {
    validateKey(key, field, errors);
  }

  private static void validateKey(String key, String field, FieldErrors errors) {
    int slash = key.indexOf('/');
    String prefix = slash < 0 ? "" : key.substring(0, slash);
    String namePart = key.substring(slash + 1);
    if (key.indexOf('/', slash + 1) >= 0) {
      errors.addInvalid(
          field,
          key,
          "a qualified name " + NAME_PART_RULE + " with an optional DNS subdomain prefix and '/'");
      return;
    }
    if (slash >= 0 && prefix.isEmpty()) {
      errors.addInvalid(field, key, "prefix part must be non-empty");
    } else if (slash >= 0 && !isSubdomain(prefix)) {
      errors.addInvalid(field, key, "prefix part " + SUBDOMAIN_RULE);
    }
    if (namePart.isEmpty()) {
      errors.addInvalid(field, key, "name part must be non-empty");
    } else if (namePart.length() > 63) {
      errors.addInvalid(field, key, "name part must be no more than 63 bytes");
    }
    if (!NAME_PART.matcher(namePart).matches()) {
      errors.addInvalid(field, key, NAME_PART_RULE);
    }
  }

  public static void validateLabelValue(String value, String field, FieldErrors errors) {
    if (value.length() > 63) {
      errors.addInvalid(field, value, "must be no more than 63 bytes");
    }
    if (!value.isEmpty() && !NAME_PART.matcher(value).matches()) {
      errors.addInvalid(
          field,
          value,
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.'");
    }
  }

  private static void validateFinalizer(
      ResourceType type, String finalizer, int index, FieldErrors errors) {
    validateKey(finalizer, "metadata.finalizers", errors);
    if (type.strategy().hasStandardFinalizers() && !type.isCustom()) {
      requireStandardFinalizer(finalizer, "metadata.finalizers[" + index + "]", errors);
    }
  }

  private static void requireStandardFinalizer(String finalizer, String field, FieldErrors errors) {
    if (!finalizer.contains("/")
        && !List.of("kubernetes", "orphan", "foregroundDeletion").contains(finalizer)) {
      errors.addInvalid(
          field, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  public static void validateFinalizer(String finalizer, String field, FieldErrors errors) {
    validateKey(finalizer, field, errors);
    requireStandardFinalizer(finalizer, field, errors);
  }

  private static void validateOwners(JsonObject metadata, FieldErrors errors) {
    if (!(valueAt(metadata, "ownerReferences") instanceof JsonArray owners)) {
      return;
    }
    for (JsonElement ownerElement : owners) {
      JsonObject owner = ownerElement.getAsJsonObject();
      String version = textAt(owner, "apiVersion");
      if (version.isEmpty() || version.indexOf('/') != version.lastIndexOf('/')) {
        errors.addInvalid(
            "metadata.ownerReferences.apiVersion", version, "version must not be empty");
      }
      for (String field : List.of("kind", "name", "uid")) {
        if (textAt(owner, field).isEmpty()) {
          errors.addInvalid("metadata.ownerReferences." + field, "", "must not be empty");
        }
      }
      if (version.equals("v1") && textAt(owner, "kind").equals("Event")) {
        errors.addInvalid(
            "metadata.ownerReferences", owner, "/v1, Kind=Event is disallowed from being an owner");
      }
    }
    validateSingleController(metadata, errors);
  }

  /** Allows at most one owner reference with controller=true. */
  public static void validateSingleController(JsonObject metadata, FieldErrors errors) {
    if (!(valueAt(metadata, "ownerReferences") instanceof JsonArray owners)) {
      return;
    }
    String controller = "";
    for (JsonElement ownerElement : owners) {
      JsonObject owner = ownerElement.getAsJsonObject();
      if (flagAt(owner, "controller")) {
        String name = textAt(owner, "kind") + "/" + textAt(owner, "name");
        if (!controller.isEmpty()) {
          errors.addInvalid(
              "metadata.ownerReferences",
              owners,
              "Only one reference can have Controller set to true. Found \"true\" in references for %s and %s"
                  .formatted(controller, name));
        }
        controller = name;
      }
    }
  }
}
