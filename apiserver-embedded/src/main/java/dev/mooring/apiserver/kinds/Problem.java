package dev.mooring.apiserver.kinds;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A refusal, with the Status that says why. */
public final class Problem extends Exception {
  /**
   * One thing that is wrong with an object.
   *
   * @param reason the machine's word, for example FieldValueRequired
   * @param message for people
   * @param field where
   */
  public record Cause(String reason, String message, String field) {}

  private final int code;
  private final JsonObject status;
  private boolean isPage;

  private Problem(int code, String reason, String message, JsonObject details) {
    super(message, null, false, false);
    this.code = code;
    JsonObject body = new JsonObject();
    body.addProperty("kind", "Status");
    body.addProperty("apiVersion", "v1");
    body.add("metadata", new JsonObject());
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

  private static final JsonObject NO_DETAILS = new JsonObject();

  /** The HTTP status code. */
  public int code() {
    return code;
  }

  /** The Status. */
  public JsonObject status() {
    return status;
  }

  private static JsonObject details(String name, String group, String kind) {
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

  /** 404 of an object. */
  public static Problem notFound(ResourceType type, String name) {
    return new Problem(
        404,
        "NotFound",
        type.qualified() + " \"" + name + "\" not found",
        details(name, type.group(), type.plural()));
  }

  /** 404 of a path. */
  public static Problem noSuchPath() {
    return new Problem(
        404, "NotFound", "the server could not find the requested resource", new JsonObject());
  }

  /** 404 of a path that belongs to nothing; answered as plain text. */
  public static Problem noSuchPage() {
    Problem problem = noSuchPath();
    problem.isPage = true;
    return problem;
  }

  /** Whether it is about a page, not a resource. */
  public boolean isPage() {
    return isPage;
  }

  /** 409 of a name that is taken. */
  public static Problem alreadyExists(ResourceType type, String name) {
    return new Problem(
        409,
        "AlreadyExists",
        type.qualified() + " \"" + name + "\" already exists",
        details(name, type.group(), type.plural()));
  }

  /** 409 of a precondition. */
  public static Problem conflict(ResourceType type, String name, String why) {
    return new Problem(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + type.qualified() + " \"" + name + "\": " + why,
        details(name, type.group(), type.plural()));
  }

  /** 409 of an apply that met fields of others. */
  public static Problem applyConflict(String message, List<Cause> causes) {
    JsonObject details = new JsonObject();
    JsonArray list = new JsonArray();
    for (Cause cause : causes) {
      JsonObject entry = new JsonObject();
      entry.addProperty("reason", cause.reason());
      entry.addProperty("message", cause.message());
      entry.addProperty("field", cause.field());
      list.add(entry);
    }
    details.add("causes", list);
    return new Problem(409, "Conflict", message, details);
  }

  /** 409 of a deletion's precondition, under the kind's name. */
  public static Problem precondition(ResourceType type, String name, String why) {
    return new Problem(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + type.kind() + " \"" + name + "\": " + why,
        details(name, type == KindCatalogue.NEW_EVENTS ? "" : type.group(), type.kind()));
  }

  /** 409 of a subresource. */
  public static Problem conflict(ResourceType type, String subresource, String name, String why) {
    String resource = type.plural() + "/" + subresource;
    return new Problem(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why,
        details(name, type.group(), resource));
  }

  /** 422 of a patch whose result cannot be read. */
  public static Problem unreadablePatch(String why) {
    return invalid(
        "", "", "", List.of(new Cause("FieldValueInvalid", "Invalid value: " + why, "patch")));
  }

  /** 409 of a stale version. */
  public static Problem stale(ResourceType type, String name) {
    return conflict(
        type,
        name,
        "the object has been modified; please apply your changes to the latest version and try again");
  }

  /** 422 under the kind's name. */
  public static Problem invalid(ResourceType type, String name, List<Cause> causes) {
    String group = type == KindCatalogue.NEW_EVENTS ? "" : type.group();
    return invalid(group, type.kind(), name, causes);
  }

  /** 422 under any name. */
  public static Problem invalid(String group, String kind, String name, List<Cause> causes) {
    JsonObject details = details(name, group, kind);
    JsonArray list = new JsonArray();
    Set<String> texts = new LinkedHashSet<>(); // Kubernetes says the same thing once
    for (Cause cause : causes) {
      JsonObject entry = new JsonObject();
      entry.addProperty("reason", cause.reason());
      entry.addProperty("message", cause.message());
      entry.addProperty("field", cause.field());
      list.add(entry);
      texts.add(cause.field() + ": " + cause.message());
    }
    details.add("causes", list);
    String qualified = group.isEmpty() ? kind : kind + "." + group;
    String text = String.join(", ", texts);
    String why = texts.size() == 1 ? text : "[" + text + "]";
    return new Problem(422, "Invalid", qualified + " \"" + name + "\" is invalid: " + why, details);
  }

  /** 422 without causes. */
  public static Problem unprocessable(String message) {
    return new Problem(422, "Invalid", message, NO_DETAILS);
  }

  /** 422 of a JSON patch that does not apply; like Kubernetes it does not say why. */
  public static Problem inapplicable() {
    return new Problem(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request",
        new JsonObject());
  }

  /** 400. */
  public static Problem badRequest(String message) {
    return new Problem(400, "BadRequest", message, NO_DETAILS);
  }

  /** 403 of an object. */
  public static Problem forbidden(ResourceType type, String name, String why, List<Cause> causes) {
    JsonObject details = details(name, type.group(), type.plural());
    if (!causes.isEmpty()) {
      JsonArray list = new JsonArray();
      for (Cause cause : causes) {
        JsonObject entry = new JsonObject();
        entry.addProperty("reason", cause.reason());
        entry.addProperty("message", cause.message());
        entry.addProperty("field", cause.field());
        list.add(entry);
      }
      details.add("causes", list);
    }
    return new Problem(
        403,
        "Forbidden",
        type.qualified() + (name.isEmpty() ? "" : " \"" + name + "\"") + " is forbidden: " + why,
        details);
  }

  /** 403 of a resource that need not exist. */
  public static Problem denied(String group, String plural, String name, String why) {
    String qualified = group.isEmpty() ? plural : plural + "." + group;
    return new Problem(
        403,
        "Forbidden",
        qualified + (name.isEmpty() ? "" : " \"" + name + "\"") + " is forbidden: " + why,
        details(name, group, plural));
  }

  /** 403 of a path. */
  public static Problem forbiddenPath(String message) {
    return new Problem(403, "Forbidden", message, new JsonObject());
  }

  /** 401. */
  public static Problem unauthorized() {
    return new Problem(401, "Unauthorized", "Unauthorized", NO_DETAILS);
  }

  /** 405. */
  public static Problem methodNotAllowed() {
    return new Problem(
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource",
        new JsonObject());
  }

  /** 405 of a custom resource's subresource. */
  public static Problem methodNotSupported(ResourceType type, String verb) {
    return new Problem(
        405,
        "MethodNotAllowed",
        verb + " is not supported on resources of kind \"" + type.qualified() + "\"",
        details("", type.group(), type.plural()));
  }

  /** 415 of a body. */
  public static Problem unsupportedBody() {
    return new Problem(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
        NO_DETAILS);
  }

  /** 415 of a patch. */
  public static Problem unsupportedPatch() {
    return new Problem(
        415, "UnsupportedMediaType", "415: Unsupported Media Type", new JsonObject());
  }

  /** 415 of a strategic patch of a custom resource. */
  public static Problem unsupportedCustomPatch() {
    return new Problem(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
        NO_DETAILS);
  }

  /** 406 of a kind that cannot be. */
  public static Problem notAcceptable(String message) {
    return new Problem(406, "NotAcceptable", message, NO_DETAILS);
  }

  /** 406. */
  public static Problem notAcceptable() {
    return new Problem(
        406,
        "NotAcceptable",
        "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
        new JsonObject());
  }

  /** 410. */
  public static Problem expired(String message) {
    return new Problem(410, "Expired", message, NO_DETAILS);
  }

  /** 410 with a token to go on from. */
  public static Problem expiredList(String token) {
    Problem problem =
        expired(
            "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.");
    problem.status.getAsJsonObject("metadata").addProperty("continue", token);
    return problem;
  }

  /** 413. */
  public static Problem tooLarge(String message) {
    return new Problem(413, "RequestEntityTooLarge", message, NO_DETAILS);
  }

  /**
   * 429 of a disruption budget.
   *
   * @param seconds after which a retry may help, 0 for no advice
   */
  public static Problem tooManyRequests(String message, String cause, int seconds) {
    JsonObject details = new JsonObject();
    JsonObject one = new JsonObject();
    one.addProperty("reason", "DisruptionBudget");
    one.addProperty("message", cause);
    JsonArray causes = new JsonArray();
    causes.add(one);
    details.add("causes", causes);
    if (seconds > 0) {
      details.addProperty("retryAfterSeconds", seconds);
    }
    return new Problem(429, "TooManyRequests", message, details);
  }

  /** 500 with only a message. */
  public static Problem internal(String message) {
    return new Problem(500, "", message, NO_DETAILS);
  }

  /** 500 of a server's own fault. */
  public static Problem fault(String message) {
    JsonObject details = new JsonObject();
    JsonArray causes = new JsonArray();
    JsonObject cause = new JsonObject();
    cause.addProperty("message", message);
    causes.add(cause);
    details.add("causes", causes);
    return new Problem(500, "InternalError", "Internal error occurred: " + message, details);
  }

  /** 504 of a version from the future. */
  public static Problem futureVersion(long asked, long current, boolean isCached) {
    JsonObject details = new JsonObject();
    JsonObject cause = new JsonObject();
    cause.addProperty("reason", "ResourceVersionTooLarge");
    cause.addProperty("message", "Too large resource version");
    JsonArray causes = new JsonArray();
    causes.add(cause);
    details.add("causes", causes);
    if (isCached) {
      details.addProperty("retryAfterSeconds", 1);
    }
    return new Problem(
        504,
        "Timeout",
        "Timeout: Too large resource version: " + asked + ", current: " + current,
        details);
  }
}
