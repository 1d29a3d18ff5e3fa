package dev.mooring.apiserver.http.request;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.model.TextSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

public final class RequestBodies {
  private static final int MAX_MANAGER_BYTES = 128;

  private RequestBodies() {}

  /**
   * Returns the options in the query and headers.
   *
   * @param subresource "" for the main resource
   * @throws StatusException if the query is invalid
   */
  public static WriteOptions readOptions(RequestExchange exchange, String subresource)
      throws StatusException {
    QueryParameters query = exchange.query();
    String dryRun = query.getText("dryRun");
    String kind =
        switch (exchange.method()) {
          case "PATCH" -> "PatchOptions";
          case "PUT" -> "UpdateOptions";
          case "DELETE" -> "DeleteOptions";
          default -> "CreateOptions";
        };
    if (query.has("dryRun") && !dryRun.equals("All")) {
      throw makeDryRunRefusal(kind, dryRun);
    }
    FieldErrors errors = new FieldErrors();
    checkManager(query.getText("fieldManager"), errors);
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", kind, "", errors.getCauses());
    }
    return WriteOptions.PLAIN
        .withDryRun(dryRun.equals("All"))
        .withSubresource(subresource)
        .withManager(findManager(exchange))
        .withOrigin(exchange.getOrigin());
  }

  private static void checkManager(String manager, FieldErrors errors) {
    if (TextSize.countBytes(manager) > MAX_MANAGER_BYTES) {
      errors.addTooLong("fieldManager", MAX_MANAGER_BYTES);
    }
    manager
        .codePoints()
        .filter(Character::isISOControl)
        .findFirst()
        .ifPresent(c ->
            errors.addInvalid(
                "fieldManager", manager, "should not contain unprintable characters"));
  }

  // Returns the fieldManager, or by default the name in the User-Agent.
  private static String findManager(RequestExchange exchange) {
    String specified = exchange.query().getText("fieldManager");
    if (!specified.isEmpty()) {
      return specified;
    }
    String agent = exchange.getHeader("User-Agent");
    int slash = agent.indexOf('/');
    String name = slash < 0 ? agent : agent.substring(0, slash);
    return name.isEmpty() ? "unknown" : cutManager(name);
  }

  private static String cutManager(String name) {
    int end = Math.min(name.length(), MAX_MANAGER_BYTES);
    while (TextSize.countBytes(name.substring(0, end)) > MAX_MANAGER_BYTES) {
      end = name.offsetByCodePoints(end, -1);
    }
    return name.substring(0, end);
  }

  private static StatusException makeDryRunRefusal(String kind, String value) {
    FieldErrors errors = new FieldErrors();
    errors.addNotSupported("dryRun", "[" + value + "]", List.of("All"));
    return StatusException.invalid("meta.k8s.io", kind, "", errors.getCauses());
  }

  public static JsonObject readObject(RequestExchange exchange, ResourceType type)
      throws IOException, StatusException {
    List<String> fieldErrors = new ArrayList<>();
    JsonObject tree = exchange.readTree(fieldErrors, type.kind());
    if (tree == null) {
      throw StatusException.badRequest(
          "the object provided is unrecognized (must be of type "
              + type.kind()
              + "): couldn't get version/kind; json parse error: unexpected end of JSON input");
    }
    String kind = JsonBodies.textAt(tree, "kind");
    String version = JsonBodies.textAt(tree, "apiVersion");
    if (type.isCustom()) {
      checkCustomKind(type, tree, kind, version);
    } else if (!kind.isEmpty() && !kind.equals(type.kind())
        || !version.isEmpty() && !version.equals(type.apiVersion())) {
      String sentVersion = version.isEmpty() ? type.apiVersion() : version;
      throw StatusException.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: no kind \"%s\" is registered for version \"%s\""
              .formatted(type.kind(), type.version(), type.kind(), kind, sentVersion));
    }
    return conform(exchange, type, tree, fieldErrors);
  }

  private static void checkCustomKind(
      ResourceType type, JsonObject tree, String kind, String version) throws StatusException {
    if (!version.equals(type.apiVersion())) {
      throw StatusException.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(version, type.apiVersion()));
    }
    if (!kind.equals(type.kind())) {
      FieldErrors errors = new FieldErrors();
      errors.addInvalid("kind", kind, "must be " + type.kind());
      throw StatusException.invalid(
          type.group(), kind, JsonBodies.textAt(tree, "metadata", "name"), errors.getCauses());
    }
  }

  /**
   * Converts a tree into an object of the type, with the request's field validation.
   *
   * @param fieldErrors field errors of the tree so far; this method adds further ones
   * @return the object in its stored form
   * @throws StatusException if the tree is invalid, or has field errors and the validation is
   *     strict
   */
  public static JsonObject conform(
      RequestExchange exchange, ResourceType type, JsonObject tree, List<String> fieldErrors)
      throws StatusException {
    JsonObject object;
    try {
      object =
          type.extras().custom().isPresent()
              ? type.extras().custom().get().conform(tree, fieldErrors)
              : JsonBodies.conform(tree, type.schema(), fieldErrors).object();
    } catch (BadBodyException e) {
      throw StatusException.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: %s"
              .formatted(type.kind(), type.version(), type.kind(), e.getMessage()));
    }
    reportFieldErrors(exchange, type.kind(), type.version(), fieldErrors);
    MetadataCorrections.removeDuplicateOwners(object).ifPresent(exchange::addWarning);
    return type.strategy().toStoredForm(object);
  }

  static void reportFieldErrors(
      RequestExchange exchange, String kind, String version, List<String> fieldErrors)
      throws StatusException {
    String fieldValidation = exchange.query().getText("fieldValidation");
    switch (fieldValidation) {
      case "Ignore" -> {
        // Ignore: no warnings
      }
      case "Strict" -> {
        if (!fieldErrors.isEmpty()) {
          throw StatusException.badRequest(
              "%s in version \"%s\" cannot be handled as a %s: strict decoding error: %s"
                  .formatted(kind, version, kind, String.join(", ", fieldErrors)));
        }
      }
      case "", "Warn" -> fieldErrors.forEach(exchange::addWarning);
      default -> {
        FieldErrors errors = new FieldErrors();
        errors.addNotSupported(
            "fieldValidation", fieldValidation, List.of("", "Ignore", "Strict", "Warn"));
        throw StatusException.invalid("meta.k8s.io", "CreateOptions", "", errors.getCauses());
      }
    }
  }

  public static WriteOptions readDeleteOptions(RequestExchange exchange)
      throws IOException, StatusException {
    JsonObject body = exchange.readTree(new ArrayList<>(), "DeleteOptions");
    return (body == null ? readDeleteOptionsOfQuery(exchange) : readDeleteOptions(body))
        .withOrigin(exchange.getOrigin());
  }

  private static WriteOptions readDeleteOptions(JsonObject body) throws StatusException {
    String kind = JsonBodies.textAt(body, "kind");
    if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
      throw StatusException.badRequest(
          "no kind \"%s\" is registered for version \"%s\" in scheme \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\""
              .formatted(kind, JsonBodies.textAt(body, "apiVersion")));
    }
    try {
      return parseDeleteOptions(
          JsonBodies.conform(body, Schema.getMessage("DeleteOptions"), new ArrayList<>()).object());
    } catch (BadBodyException e) {
      throw StatusException.badRequest("DeleteOptions cannot be read: " + e.getMessage());
    }
  }

  private static WriteOptions readDeleteOptionsOfQuery(RequestExchange exchange)
      throws IOException, StatusException {
    QueryParameters query = exchange.query();
    Long graceSeconds =
        query.has("gracePeriodSeconds") ? query.getNumber("gracePeriodSeconds", 0) : null;
    String orphan = query.getText("orphanDependents");
    return WriteOptions.PLAIN
        .withDryRun(readOptions(exchange, "").dryRun())
        .withPreconditions(
            nullIfEmpty(query.getText("uid")), nullIfEmpty(query.getText("resourceVersion")))
        .withGracePeriod(graceSeconds)
        .withPropagation(
            parsePropagation(
                nullIfEmpty(query.getText("propagationPolicy")),
                orphan.isEmpty() ? null : new JsonPrimitive(query.getFlag("orphanDependents"))));
  }

  /**
   * Returns the options for the deletion of an evicted pod.
   *
   * @param deleteOptions the deleteOptions of the eviction
   * @param dryRun true if the request itself is a dry run
   * @throws StatusException if they are contradictory
   */
  public static WriteOptions parseEvictionOptions(JsonObject deleteOptions, boolean dryRun)
      throws StatusException {
    WriteOptions specified = parseDeleteOptions(deleteOptions);
    return specified.withDryRun(specified.dryRun() || dryRun);
  }

  private static WriteOptions parseDeleteOptions(JsonObject body) throws StatusException {
    JsonElement graceSeconds = JsonBodies.valueAt(body, "gracePeriodSeconds");
    List<String> dryRunStages = JsonBodies.stringsAt(body, "dryRun");
    for (String stage : dryRunStages) {
      if (!stage.equals("All")) {
        throw makeDryRunRefusal("DeleteOptions", stage);
      }
    }
    return WriteOptions.PLAIN
        .withDryRun(!dryRunStages.isEmpty())
        .withPreconditions(
            findText(body, "preconditions", "uid"),
            findText(body, "preconditions", "resourceVersion"))
        .withGracePeriod(graceSeconds == null ? null : Long.valueOf(graceSeconds.getAsLong()))
        .withPropagation(
            parsePropagation(
                findText(body, "propagationPolicy"), JsonBodies.valueAt(body, "orphanDependents")));
  }

  private static WriteOptions.PropagationPolicy parsePropagation(
      @Nullable String policy, @Nullable JsonElement orphanDependents) throws StatusException {
    FieldErrors errors = new FieldErrors();
    List<String> policies = List.of("Foreground", "Background", "Orphan");
    if (policy != null && orphanDependents != null) {
      errors.addInvalid(
          "propagationPolicy",
          policy,
          "orphanDependents and deletionPropagation cannot be both set");
    } else if (policy != null && !policies.contains(policy)) {
      errors.addNotSupported(
          "propagationPolicy", policy, List.of("Foreground", "Background", "Orphan", "nil"));
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "DeleteOptions", "", errors.getCauses());
    }
    if (orphanDependents != null) {
      return orphanDependents.getAsBoolean()
          ? WriteOptions.PropagationPolicy.ORPHAN
          : WriteOptions.PropagationPolicy.BACKGROUND;
    }
    return switch (policy == null ? "" : policy) {
      case "Foreground" -> WriteOptions.PropagationPolicy.FOREGROUND;
      case "Background" -> WriteOptions.PropagationPolicy.BACKGROUND;
      case "Orphan" -> WriteOptions.PropagationPolicy.ORPHAN;
      default -> WriteOptions.PropagationPolicy.DEFAULT;
    };
  }

  // Returns the value of an option, which may be ""; null if it is absent.
  private static @Nullable String findText(JsonObject options, String... path) {
    return JsonBodies.valueAt(options, path) == null ? null : JsonBodies.textAt(options, path);
  }

  private static @Nullable String nullIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }
}
