package dev.mooring.apiserver.kinds.model;

import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A refusal with its Status. */
public final class StatusException extends Exception {
  /**
   * A cause in a Status.
   *
   * @param reason the machine-readable reason, for example FieldValueRequired
   * @param field the field path
   */
  public record StatusCause(String reason, String message, String field) {
    private JsonObject toJson() {
      return newObject("reason", reason, "message", message, "field", field);
    }
  }

  private final int code;
  private final JsonObject status;
  private boolean isPlainText;

  private StatusException(int code, String reason, String message, JsonObject details) {
    super(message, null, false, false);
    this.code = code;
    JsonObject body = newObject("kind", "Status", "apiVersion", "v1", "metadata", new JsonObject());
    body.addProperty("status", "Failure");
    body.addProperty("message", message);
    if (!reason.isEmpty()) {
      body.addProperty("reason", reason);
    }
    if (details != NO_DETAILS) {
      body.add("details", details);
    }
    body.addProperty("code", code);
    this.status = body;
  }

  /** Marks a status without the member {@code details}; compared by identity. */
  private static final JsonObject NO_DETAILS = new JsonObject();

  public int code() {
    return code;
  }

  public JsonObject status() {
    return status;
  }

  private static JsonObject addCauses(JsonObject details, List<StatusCause> causes) {
    JsonArray list = new JsonArray();
    causes.forEach(cause -> list.add(cause.toJson()));
    details.add("causes", list);
    return details;
  }

  private static JsonObject makeCauseDetails(String reason, String message) {
    JsonObject cause = new JsonObject();
    if (!reason.isEmpty()) {
      cause.addProperty("reason", reason);
    }
    cause.addProperty("message", message);
    JsonArray causes = newArray(cause);
    return newObject("causes", causes);
  }

  private static JsonObject makeDetails(ResourceType type, String name) {
    return makeDetails(name, type.group(), type.plural());
  }

  private static JsonObject makeDetails(String name, String group, String kind) {
    JsonObject details = new JsonObject();
    if (!name.isEmpty()) {
      details.addProperty("name", name);
    }
    if (!group.isEmpty()) {
      details.addProperty("group", group);
    }
    if (!kind.isEmpty()) {
      details.addProperty("kind", kind);
    }
    return details;
  }

  public static StatusException injected(int code, String reason, String message) {
    return new StatusException(code, reason, message, NO_DETAILS);
  }

  public static StatusException notFound(ResourceType type, String name) {
    return new StatusException(
        404,
        "NotFound",
        type.qualifiedName() + " \"" + name + "\" not found",
        makeDetails(type, name));
  }

  public static StatusException pathNotFound() {
    return new StatusException(
        404, "NotFound", "the server could not find the requested resource", new JsonObject());
  }

  /** Returns a 404 that is sent as plain text, for a path outside of every resource. */
  public static StatusException pageNotFound() {
    StatusException exception = pathNotFound();
    exception.isPlainText = true;
    return exception;
  }

  public boolean isPlainText() {
    return isPlainText;
  }

  public static StatusException alreadyExists(ResourceType type, String name) {
    return new StatusException(
        409,
        "AlreadyExists",
        type.qualifiedName() + " \"" + name + "\" already exists",
        makeDetails(type, name));
  }

  public static StatusException conflict(ResourceType type, String name, String detail) {
    return conflict(type.qualifiedName(), name, detail, makeDetails(type, name));
  }

  private static StatusException conflict(
      String resource, String name, String detail, JsonObject details) {
    return new StatusException(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + detail,
        details);
  }

  public static StatusException applyConflict(String message, List<StatusCause> causes) {
    return new StatusException(409, "Conflict", message, addCauses(new JsonObject(), causes));
  }

  /** Returns 409 for a failed precondition of a deletion; the details carry the kind. */
  public static StatusException preconditionFailed(ResourceType type, String name, String detail) {
    return conflict(
        type.kind(),
        name,
        detail,
        makeDetails(name, type.isNewEvents() ? "" : type.group(), type.kind()));
  }

  public static StatusException conflict(
      ResourceType type, String subresource, String name, String detail) {
    String resource = type.plural() + "/" + subresource;
    return conflict(resource, name, detail, makeDetails(name, type.group(), resource));
  }

  public static StatusException unreadablePatch(String detail) {
    return invalid(
        "",
        "",
        "",
        List.of(new StatusCause("FieldValueInvalid", "Invalid value: " + detail, "patch")));
  }

  public static StatusException objectModified(ResourceType type, String name) {
    return conflict(
        type,
        name,
        "the object has been modified; please apply your changes to the latest version and try again");
  }

  public static StatusException invalid(ResourceType type, String name, List<StatusCause> causes) {
    String group = type.isNewEvents() ? "" : type.group();
    return invalid(group, type.kind(), name, causes);
  }

  public static StatusException invalid(
      String group, String kind, String name, List<StatusCause> causes) {
    Set<String> texts = new LinkedHashSet<>(); // Kubernetes reports repeated messages once
    causes.forEach(cause -> texts.add(cause.field() + ": " + cause.message()));
    String qualifiedKind = group.isEmpty() ? kind : kind + "." + group;
    String text = String.join(", ", texts);
    String detail = texts.size() == 1 ? text : "[" + text + "]";
    return new StatusException(
        422,
        "Invalid",
        qualifiedKind + " \"" + name + "\" is invalid: " + detail,
        addCauses(makeDetails(name, group, kind), causes));
  }

  /** Returns 422 for a JSON patch that cannot be applied. As in Kubernetes, it names no cause. */
  public static StatusException inapplicableJsonPatch() {
    return new StatusException(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request",
        new JsonObject());
  }

  /**
   * Returns the refusal of an admission webhook, with the code, reason and details of its answer.
   */
  public static StatusException deniedByWebhook(String webhook, JsonObject result) {
    String message = textAt(result, "message");
    String reason = textAt(result, "reason");
    String explanation = message.isEmpty() ? reason : message;
    int code = valueAt(result, "code") instanceof JsonElement number ? number.getAsInt() : 0;
    return new StatusException(
        Math.max(code, 400),
        reason,
        "admission webhook \"%s\" denied the request%s"
            .formatted(
                webhook, explanation.isEmpty() ? " without explanation" : ": " + explanation),
        valueAt(result, "details") instanceof JsonObject details ? details : NO_DETAILS);
  }

  public static StatusException badRequest(String message) {
    return new StatusException(400, "BadRequest", message, NO_DETAILS);
  }

  public static StatusException forbidden(
      ResourceType type, String name, String detail, List<StatusCause> causes) {
    JsonObject details = makeDetails(type, name);
    if (!causes.isEmpty()) {
      addCauses(details, causes);
    }
    return new StatusException(
        403,
        "Forbidden",
        type.qualifiedName()
            + (name.isEmpty() ? "" : " \"" + name + "\"")
            + " is forbidden: "
            + detail,
        details);
  }

  /** Returns 403 for a resource that need not exist. */
  public static StatusException forbiddenResource(
      String group, String plural, String name, String detail) {
    String qualifiedName = group.isEmpty() ? plural : plural + "." + group;
    return new StatusException(
        403,
        "Forbidden",
        qualifiedName + (name.isEmpty() ? "" : " \"" + name + "\"") + " is forbidden: " + detail,
        makeDetails(name, group, plural));
  }

  public static StatusException forbiddenPath(String message) {
    return new StatusException(403, "Forbidden", message, new JsonObject());
  }

  public static StatusException unauthorized() {
    return new StatusException(401, "Unauthorized", "Unauthorized", NO_DETAILS);
  }

  public static StatusException methodNotAllowed() {
    return new StatusException(
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource",
        new JsonObject());
  }

  public static StatusException methodNotSupported(ResourceType type, String verb) {
    return new StatusException(
        405,
        "MethodNotAllowed",
        verb + " is not supported on resources of kind \"" + type.qualifiedName() + "\"",
        makeDetails("", type.group(), type.plural()));
  }

  /** Returns a 405 for a subresource that needs a running container. */
  public static StatusException noContainers(ResourceType type, String subresource) {
    return new StatusException(
        405,
        "MethodNotAllowed",
        type.plural()
            + "/"
            + subresource
            + " is not supported: the embedded API server runs no containers",
        makeDetails("", type.group(), type.plural()));
  }

  /** Returns a 404 for metrics: clients conclude that no metrics server is installed. */
  public static StatusException noMetrics() {
    return new StatusException(
        404,
        "NotFound",
        "metrics.k8s.io is not available: the embedded API server runs no containers",
        NO_DETAILS);
  }

  public static StatusException unsupportedBody() {
    return new StatusException(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
        NO_DETAILS);
  }

  public static StatusException unsupportedPatch() {
    return new StatusException(
        415, "UnsupportedMediaType", "415: Unsupported Media Type", new JsonObject());
  }

  public static StatusException unsupportedCustomPatch() {
    return new StatusException(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
        NO_DETAILS);
  }

  public static StatusException notAcceptable(String message) {
    return new StatusException(406, "NotAcceptable", message, NO_DETAILS);
  }

  public static StatusException notAcceptable() {
    return new StatusException(
        406,
        "NotAcceptable",
        "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
        new JsonObject());
  }

  public static StatusException expired(String message) {
    return new StatusException(410, "Expired", message, NO_DETAILS);
  }

  /** Returns 410 with a token that continues the list at the current version. */
  public static StatusException expiredList(String token) {
    StatusException exception =
        expired(
            "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.");
    exception.status.getAsJsonObject("metadata").addProperty("continue", token);
    return exception;
  }

  public static StatusException tooLarge(String message) {
    return new StatusException(413, "RequestEntityTooLarge", message, NO_DETAILS);
  }

  /**
   * Returns 429 for a disruption budget.
   *
   * @param seconds the Retry-After delay; 0 for none
   */
  public static StatusException tooManyRequests(String message, String causeMessage, int seconds) {
    JsonObject details = makeCauseDetails("DisruptionBudget", causeMessage);
    if (seconds > 0) {
      details.addProperty("retryAfterSeconds", seconds);
    }
    return new StatusException(429, "TooManyRequests", message, details);
  }

  /** Returns 500 without a reason, like the errors that Kubernetes does not classify. */
  public static StatusException internalErrorWithoutReason(String message) {
    return new StatusException(500, "", message, NO_DETAILS);
  }

  public static StatusException internalError(String message) {
    return new StatusException(
        500, "InternalError", "Internal error occurred: " + message, makeCauseDetails("", message));
  }

  /**
   * Returns 504 for a resourceVersion in the future.
   *
   * @param isCached true for a kind that Kubernetes serves from its cache: the client may retry
   */
  public static StatusException futureVersion(long requested, long current, boolean isCached) {
    JsonObject details = makeCauseDetails("ResourceVersionTooLarge", "Too large resource version");
    if (isCached) {
      details.addProperty("retryAfterSeconds", 1);
    }
    return new StatusException(
        504,
        "Timeout",
        "Timeout: Too large resource version: " + requested + ", current: " + current,
        details);
  }
}
