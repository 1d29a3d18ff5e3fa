package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.webhook.RequestOrigin;
import dev.mooring.apiserver.webhook.WebhookAdmission;
import dev.mooring.apiserver.webhook.WebhookRequest;
import dev.mooring.apiserver.webhook.WebhookRequest.WebhookTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls the webhooks for one write. A write of code in this process has no origin, and calls none.
 *
 * @param namespace "" for none
 * @param name "" if the server generates it
 */
record WebhookCalls(
    WebhookAdmission webhooks,
    ResourceType type,
    WriteOptions options,
    String namespace,
    String name) {
  private static final List<String> KEPT_METADATA =
      List.of(
          """
          name namespace uid creationTimestamp deletionTimestamp deletionGracePeriodSeconds
          generation resourceVersion managedFields
          """
              .split("\\s+"));

  private WebhookTarget target() {
    return new WebhookTarget(type, options.subresource(), namespace, name);
  }

  boolean isConcerned(String operation) {
    return options.origin() != null && webhooks.isConcerned(operation, target());
  }

  /**
   * Calls the mutating webhooks.
   *
   * @param object the new object in its stored form
   * @param old the object before; null for a creation
   * @return the object with their changes; the same one if they change nothing
   */
  JsonObject mutate(String operation, JsonObject object, @Nullable JsonObject old)
      throws StatusException {
    RequestOrigin origin = options.origin();
    if (origin == null || !webhooks.isConcerned(operation, target())) {
      return object;
    }
    JsonObject view = toView(object);
    JsonObject mutated = webhooks.mutate(makeRequest(operation, view, old, origin)).object();
    if (mutated == null || mutated.equals(view)) {
      return object;
    }
    if (isScale()) {
      ScaleRendering.setReplicas(type, mutated, object);
      return object;
    }
    JsonObject changed = fromView(mutated);
    JsonObject metadata = getOrAddChild(changed, "metadata");
    JsonObject oldMetadata = getOrAddChild(object, "metadata");
    for (String member : KEPT_METADATA) {
      metadata.remove(member);
      if (oldMetadata.has(member)) {
        metadata.add(member, oldMetadata.get(member));
      }
    }
    return changed;
  }

  void validate(String operation, JsonObject object, @Nullable JsonObject old)
      throws StatusException {
    RequestOrigin origin = options.origin();
    if (origin != null && webhooks.isConcerned(operation, target())) {
      webhooks.validate(makeRequest(operation, toView(object), old, origin));
    }
  }

  void admitDelete(JsonObject old) throws StatusException {
    RequestOrigin origin = options.origin();
    if (origin != null) {
      WebhookRequest request = makeRequest("DELETE", null, old, origin);
      webhooks.mutate(request);
      webhooks.validate(request);
    }
  }

  void admitAction(JsonObject action) throws StatusException {
    RequestOrigin origin = options.origin();
    if (origin != null) {
      WebhookRequest request = makeRequest("CREATE", action, null, origin);
      webhooks.mutate(request);
      webhooks.validate(request);
    }
  }

  private WebhookRequest makeRequest(
      String operation, @Nullable JsonObject view, @Nullable JsonObject old, RequestOrigin origin) {
    return new WebhookRequest(
        operation, target(), view, old == null ? null : toView(old), options.dryRun(), origin);
  }

  private boolean isScale() {
    return options.subresource().equals("scale");
  }

  private JsonObject toView(JsonObject stored) {
    if (isScale()) {
      return ScaleRendering.makeScale(type, stored);
    }
    JsonObject members =
        type.extras().custom().isPresent()
            ? type.extras().custom().get().convertForReading(stored)
            : type.strategy().toServedForm(stored);
    JsonObject view = JsonBodies.newObject("kind", type.kind(), "apiVersion", type.apiVersion());
    members.entrySet().forEach(member -> view.add(member.getKey(), member.getValue().deepCopy()));
    return view;
  }

  private JsonObject fromView(JsonObject view) throws StatusException {
    try {
      JsonObject object =
          type.extras().custom().isPresent()
              ? type.extras().custom().get().conform(view, new ArrayList<>())
              : JsonBodies.conform(view, type.schema(), new ArrayList<>()).object();
      object.remove("kind");
      object.remove("apiVersion");
      return type.strategy().toStoredForm(object);
    } catch (BadBodyException e) {
      throw StatusException.internalError(
          "a webhook has made %s %s invalid: %s"
              .formatted(type.kind(), textAt(view, "metadata", "name"), e.getMessage()));
    }
  }
}
