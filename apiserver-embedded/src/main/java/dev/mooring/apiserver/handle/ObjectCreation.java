package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.admit.AdmissionChain;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

final class ObjectCreation {
  private static final List<String> THE_SERVERS =
      List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

  private final ResourceType type;
  private final String namespace;
  private final WriteOptions options;
  private final AdmissionChain admission;
  private String prefix = ""; // the metadata.generateName of a generated name, else ""

  ObjectCreation(
      ResourceType type, String namespace, WriteOptions options, AdmissionChain admission) {
    this.type = type;
    this.namespace = namespace;
    this.options = options;
    this.admission = admission;
  }

  /** Returns the tree with server-set fields added and disallowed fields removed. */
  JsonObject prepare(JsonObject object, UUID uid, Instant now) throws StatusException {
    object.remove("kind");
    object.remove("apiVersion");
    JsonObject metadata = child(object, "metadata");
    if (!options.dryRun() && !List.of("", "0").contains(text(metadata, "resourceVersion"))) {
      throw StatusException.internal("resourceVersion should not be set on objects to be created");
    }
    settleNamespace(metadata);
    if (text(metadata, "name").isEmpty()) {
      prefix = text(metadata, "generateName");
    }
    if (!prefix.isEmpty()) {
      metadata.addProperty("name", ObjectNames.generateName(prefix));
    }
    metadata.entrySet().removeIf(e -> THE_SERVERS.contains(e.getKey()));
    if (!options.dryRun()) {
      metadata.remove("resourceVersion");
    }
    setServerFields(object);
    metadata = child(object, "metadata");
    metadata.addProperty("uid", uid.toString());
    metadata.addProperty("creationTimestamp", CanonicalValues.formatSeconds(now));
    type.rules().prepareCreate(object);
    type.rules().setDefaults(object);
    admission.mutateCreate(type, namespace, object, !options.manager().isEmpty());
    ObjectUpdate.prune(object);
    return object;
  }

  void check(JsonObject object) throws StatusException {
    JsonObject metadata = child(object, "metadata");
    FieldErrors errors = new FieldErrors();
    if (!prefix.isEmpty()) {
      ObjectNames.validatePrefix(type, prefix, errors);
    }
    if (!type.rules().isMetadataValidatedLast()) {
      ObjectNames.validate(type, metadata, errors);
    }
    type.rules().validate(object, errors);
    if (type.rules().isMetadataValidatedLast() && errors.isEmpty()) {
      ObjectNames.validate(type, metadata, errors);
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid(type, text(metadata, "name"), errors.all());
    }
  }

  private void setServerFields(JsonObject object) {
    if (options.manager().equals(WriteOptions.SETTLED)) {
      return;
    }
    if (options.manager().isEmpty()) {
      child(object, "metadata").remove("managedFields");
      return;
    }
    type.rules().setDefaults(object);
    FieldOwnerships.recordUpdate(options, type, null, object);
  }

  private void settleNamespace(JsonObject metadata) throws StatusException {
    if (!type.namespaced()) {
      metadata.remove("namespace");
      return;
    }
    String sent = text(metadata, "namespace");
    if (!sent.isEmpty() && !sent.equals(namespace)) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    metadata.addProperty("namespace", namespace);
  }
}
