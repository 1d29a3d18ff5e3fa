package dev.mooring.apiserver.webhook;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.cel.CelRule;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.patch.JsonPatches;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.apiserver.webhook.WebhookRequest.WebhookTarget;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/**
 * Calls the webhooks that a request concerns, in the order of their configurations. Thread-safe.
 */
public final class WebhookAdmission implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WebhookAdmission.class.getName());

  private record Invocation(JsonObject webhook, JsonObject objectAfter) {}

  private final Function<ResourceType, Store> stores;
  private final WebhookMatcher matcher;
  private final WebhookCaller caller;

  public WebhookAdmission(Function<ResourceType, Store> stores) {
    this.stores = stores;
    this.matcher = new WebhookMatcher(stores);
    this.caller = new WebhookCaller(stores);
  }

  /** Returns whether a rule of any webhook names the operation and the resource. */
  public boolean isConcerned(String operation, WebhookTarget target) {
    return !findWebhooks(KindCatalogue.MUTATING_WEBHOOKS, operation, target).isEmpty()
        || !findWebhooks(KindCatalogue.VALIDATING_WEBHOOKS, operation, target).isEmpty();
  }

  private List<JsonObject> findWebhooks(
      ResourceType configurations, String operation, WebhookTarget target) {
    Store store = stores.apply(configurations);
    if (store.size() == 0) {
      return List.of();
    }
    List<JsonObject> webhooks = new ArrayList<>();
    for (StoredObject configuration : store.list("").objects()) {
      if (configuration.tree().get("webhooks") instanceof JsonArray list) {
        for (JsonElement element : list) {
          if (WebhookMatcher.hasRule(element.getAsJsonObject(), operation, target)) {
            webhooks.add(element.getAsJsonObject());
          }
        }
      }
    }
    return webhooks;
  }

  /**
   * Calls the mutating webhooks.
   *
   * @return the request with the patched object
   * @throws StatusException if one refuses the request, or fails
   */
  public WebhookRequest mutate(WebhookRequest request) throws StatusException {
    WebhookRequest current = request;
    List<Invocation> repeatable = new ArrayList<>();
    for (JsonObject webhook :
        findWebhooks(KindCatalogue.MUTATING_WEBHOOKS, request.operation(), request.target())) {
      current = call(webhook, current, true);
      JsonObject object = current.object();
      if (object != null && textAt(webhook, "reinvocationPolicy").equals("IfNeeded")) {
        repeatable.add(new Invocation(webhook, object));
      }
    }
    for (Invocation invocation : repeatable) {
      if (!Objects.equals(invocation.objectAfter, current.object())) {
        current = call(invocation.webhook, current, true);
      }
    }
    return current;
  }

  /**
   * Calls the validating webhooks.
   *
   * @throws StatusException if one refuses the request, or fails
   */
  public void validate(WebhookRequest request) throws StatusException {
    for (JsonObject webhook :
        findWebhooks(KindCatalogue.VALIDATING_WEBHOOKS, request.operation(), request.target())) {
      call(webhook, request, false);
    }
  }

  private WebhookRequest call(JsonObject webhook, WebhookRequest request, boolean mayPatch)
      throws StatusException {
    String name = textAt(webhook, "name");
    boolean isIgnored = textAt(webhook, "failurePolicy").equals("Ignore");
    if (!matcher.isSelected(webhook, request) || !isMatching(webhook, request, isIgnored)) {
      return request;
    }
    String sideEffects = textAt(webhook, "sideEffects");
    if (request.dryRun() && !List.of("None", "NoneOnDryRun").contains(sideEffects)) {
      throw StatusException.badRequest(
          "admission webhook \"" + name + "\" does not support dry run");
    }
    WebhookAnswer answer;
    try {
      answer = review(webhook, request, mayPatch);
    } catch (WebhookException e) {
      String failure = "failed calling webhook \"" + name + "\": " + e.getMessage();
      if (isIgnored) {
        LOG.log(Level.WARNING, "{0}; its failurePolicy is Ignore", failure);
        return request;
      }
      throw StatusException.internalError(failure);
    }
    answer.warnings().forEach(request.origin().warnings());
    if (!answer.isAllowed()) {
      throw StatusException.deniedByWebhook(name, answer.result());
    }
    return patch(request, answer.patch(), name);
  }

  private static boolean isMatching(JsonObject webhook, WebhookRequest request, boolean isIgnored)
      throws StatusException {
    try {
      return WebhookMatcher.hasConditions(webhook, request);
    } catch (CelRule.CelException e) {
      if (isIgnored) {
        return false;
      }
      throw StatusException.forbidden(
          request.target().type(),
          request.target().name(),
          "failed to evaluate matchConditions of webhook \"%s\": %s"
              .formatted(textAt(webhook, "name"), e.getMessage()),
          List.of());
    }
  }

  private WebhookAnswer review(JsonObject webhook, WebhookRequest request, boolean mayPatch)
      throws WebhookException {
    String uid = UUID.randomUUID().toString();
    String version =
        WebhookMatcher.findVersion(webhook, request.operation(), request.target()).orElseThrow();
    JsonObject review =
        newObject(
            "kind", "AdmissionReview",
            "apiVersion", "admission.k8s.io/v1",
            "request", request.toJson(uid, version));
    try {
      return WebhookAnswer.read(caller.call(webhook, review), uid, mayPatch);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WebhookException("the server stops");
    }
  }

  private static WebhookRequest patch(WebhookRequest request, JsonArray patch, String name)
      throws StatusException {
    JsonObject object = request.object();
    if (patch.isEmpty() || object == null) {
      return request;
    }
    try {
      return request.withObject(JsonPatches.apply(object, patch).getAsJsonObject());
    } catch (StatusException | IllegalStateException e) {
      throw StatusException.internalError(
          "the patch of webhook \"%s\" does not apply: %s".formatted(name, e.getMessage()));
    }
  }

  @Override
  public void close() {
    caller.close();
  }
}
