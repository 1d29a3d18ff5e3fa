package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.admit.AdmissionChain;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

final class ObjectCreation {
  private static final List<String> SERVER_FIELDS =
      List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

  private final ResourceType type;
  private final String namespace;
  private final WriteOptions options;
  private final AdmissionChain admission;
  private String namePrefix = ""; // the metadata.generateName of a generated name, else ""

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
    JsonObject metadata = getOrAddChild(object, "metadata");
    if (!options.dryRun() && !List.of("", "0").contains(textAt(metadata, "resourceVersion"))) {
      throw StatusException.internalErrorWithoutReason(
          "resourceVersion should not be set on objects to be created");
    }
    setNamespace(metadata);
    if (textAt(metadata, "name").isEmpty()) {
      namePrefix = textAt(metadata, "generateName");
    }
    if (!namePrefix.isEmpty()) {
      metadata.addProperty("name", ObjectNames.generateName(namePrefix));
    }
    metadata.entrySet().removeIf(e -> SERVER_FIELDS.contains(e.getKey()));
    if (!options.dryRun()) {
      metadata.remove("resourceVersion");
    }
    setServerFields(object);
    metadata = getOrAddChild(object, "metadata");
    metadata.addProperty("uid", uid.toString());
    metadata.addProperty("creationTimestamp", CanonicalValues.formatSeconds(now));
    type.strategy().prepareCreate(object);
    setRequestor(object);
    type.strategy().setDefaults(object);
    admission.mutateCreate(type, namespace, object, !options.manager().isEmpty());
    JsonObject mutated = makeCalls(object).mutate("CREATE", object, null);
    if (mutated != object) {
      type.strategy().prepareCreate(mutated);
      type.strategy().setDefaults(mutated);
    }
    ObjectUpdate.pruneEmptyMetadata(mutated);
    return mutated;
  }

  private WebhookCalls makeCalls(JsonObject object) {
    return new WebhookCalls(
        admission.webhooks(),
        type,
        options,
        type == KindCatalogue.NAMESPACES ? textAt(object, "metadata", "name") : namespace,
        textAt(object, "metadata", "name"));
  }

  void validate(JsonObject object) throws StatusException {
    JsonObject metadata = getOrAddChild(object, "metadata");
    FieldErrors errors = new FieldErrors();
    if (!namePrefix.isEmpty()) {
      ObjectNames.validatePrefix(type, namePrefix, errors);
    }
    if (!type.strategy().isMetadataValidatedLast()) {
      ObjectNames.validate(type, metadata, errors);
    }
    type.strategy().validate(object, errors);
    if (type.strategy().isMetadataValidatedLast() && errors.isEmpty()) {
      ObjectNames.validate(type, metadata, errors);
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid(type, textAt(metadata, "name"), errors.getCauses());
    }
    makeCalls(object).validate("CREATE", object, null);
  }

  // A request for a certificate names the user who sends it.
  private void setRequestor(JsonObject object) {
    if (type != KindCatalogue.SIGNING_REQUESTS) {
      return;
    }
    JsonObject spec = getOrAddChild(object, "spec");
    List.of("username", "uid", "groups", "extra").forEach(spec::remove);
    if (options.origin() != null) {
      JsonObject user = options.origin().user().describe();
      user.entrySet().forEach(member -> spec.add(member.getKey(), member.getValue()));
    }
  }

  private void setServerFields(JsonObject object) {
    if (options.manager().equals(WriteOptions.OWNERSHIP_COMPUTED)) {
      return;
    }
    if (options.manager().isEmpty()) {
      getOrAddChild(object, "metadata").remove("managedFields");
      return;
    }
    type.strategy().setDefaults(object);
    FieldOwnerships.recordUpdate(options, type, null, object);
  }

  private void setNamespace(JsonObject metadata) throws StatusException {
    if (!type.namespaced()) {
      metadata.remove("namespace");
      return;
    }
    String sentNamespace = textAt(metadata, "namespace");
    if (!sentNamespace.isEmpty() && !sentNamespace.equals(namespace)) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    metadata.addProperty("namespace", namespace);
  }
}
