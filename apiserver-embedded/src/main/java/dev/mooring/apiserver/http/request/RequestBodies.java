package dev.mooring.apiserver.http.request;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.core.EventStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

public final class RequestBodies {
  private static final int MANAGER_LIMIT = 128;

  private RequestBodies() {}

  /**
   * Returns the options in the query and headers.
   *
   * @param subresource "" for the main resource
   * @throws StatusException if the query is invalid
   */
  public static WriteOptions options(RequestExchange exchange, String subresource)
      throws StatusException {
    QueryParameters query = exchange.query();
    String dryRun = query.text("dryRun");
    String kind =
        switch (exchange.method()) {
          case "PATCH" -> "PatchOptions";
          case "PUT" -> "UpdateOptions";
          case "DELETE" -> "DeleteOptions";
          default -> "CreateOptions";
        };
    if (query.has("dryRun") && !dryRun.equals("All")) {
      throw dryRunRefused(kind, dryRun);
    }
    FieldErrors errors = new FieldErrors();
    checkManager(query.text("fieldManager"), errors);
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", kind, "", errors.all());
    }
    return WriteOptions.PLAIN
        .withDryRun(dryRun.equals("All"))
        .withSubresource(subresource)
        .withManager(manager(exchange));
  }

  private static void checkManager(String manager, FieldErrors errors) {
    if (manager.length() > MANAGER_LIMIT) {
      errors.addTooLong("fieldManager", MANAGER_LIMIT);
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
  private static String manager(RequestExchange exchange) {
    String specified = exchange.query().text("fieldManager");
    if (!specified.isEmpty()) {
      return specified;
    }
    String agent = exchange.header("User-Agent");
    int slash = agent.indexOf('/');
    String name = slash < 0 ? agent : agent.substring(0, slash);
    return name.isEmpty()
        ? "unknown"
        : name.length() > MANAGER_LIMIT ? name.substring(0, MANAGER_LIMIT) : name;
  }

  private static StatusException dryRunRefused(String kind, String value) {
    FieldErrors errors = new FieldErrors();
    errors.addNotSupported("dryRun", "[" + value + "]", List.of("All"));
    return StatusException.invalid("meta.k8s.io", kind, "", errors.all());
  }

  public static JsonObject object(RequestExchange exchange, ResourceType type)
      throws IOException, StatusException {
    List<String> complaints = new ArrayList<>();
    JsonObject tree = exchange.tree(complaints, type.kind());
    if (tree == null) {
      throw StatusException.badRequest(
          "the object provided is unrecognized (must be of type "
              + type.kind()
              + "): couldn't get version/kind; json parse error: unexpected end of JSON input");
    }
    String kind = JsonBodies.text(tree, "kind");
    String version = JsonBodies.text(tree, "apiVersion");
    if (type.isCustom()) {
      custom(type, tree, kind, version);
    } else if (!kind.isEmpty() && !kind.equals(type.kind())
        || !version.isEmpty() && !version.equals(type.apiVersion())) {
      String sentVersion = version.isEmpty() ? type.apiVersion() : version;
      throw StatusException.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: no kind \"%s\" is registered for version \"%s\""
              .formatted(type.kind(), type.version(), type.kind(), kind, sentVersion));
    }
    return conform(exchange, type, tree, complaints);
  }

  private static void custom(ResourceType type, JsonObject tree, String kind, String version)
      throws StatusException {
    if (!version.equals(type.apiVersion())) {
      throw StatusException.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(version, type.apiVersion()));
    }
    if (!kind.equals(type.kind())) {
      FieldErrors errors = new FieldErrors();
      errors.addInvalid("kind", kind, "must be " + type.kind());
      throw StatusException.invalid(
          type.group(), kind, JsonBodies.text(tree, "metadata", "name"), errors.all());
    }
  }

  /**
   * Converts a tree into an object of the type, with the request's field validation.
   *
   * @param complaints the complaints about the tree so far; further ones are added
   * @return the object in its stored form
   * @throws StatusException if the tree is invalid, or has complaints and the validation is strict
   */
  public static JsonObject conform(
      RequestExchange exchange, ResourceType type, JsonObject tree, List<String> complaints)
      throws StatusException {
    JsonObject object;
    try {
      object =
          type.extras().custom().isPresent()
              ? type.extras().custom().get().conform(tree, complaints)
              : JsonBodies.conform(tree, type.schema(), complaints).object();
    } catch (BadBodyException e) {
      throw StatusException.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: %s"
              .formatted(type.kind(), type.version(), type.kind(), e.getMessage()));
    }
    reportComplaints(exchange, type.kind(), type.version(), complaints);
    MetadataCorrections.dedupeOwners(object).ifPresent(exchange::warn);
    return type == KindCatalogue.NEW_EVENTS ? EventStrategy.toStoredForm(object) : object;
  }

  static void reportComplaints(
      RequestExchange exchange, String kind, String version, List<String> complaints)
      throws StatusException {
    String how = exchange.query().text("fieldValidation");
    switch (how) {
      case "Ignore" -> {
        // Ignore: no warnings
      }
      case "Strict" -> {
        if (!complaints.isEmpty()) {
          throw StatusException.badRequest(
              "%s in version \"%s\" cannot be handled as a %s: strict decoding error: %s"
                  .formatted(kind, version, kind, String.join(", ", complaints)));
        }
      }
      case "", "Warn" -> complaints.forEach(exchange::warn);
      default -> {
        FieldErrors errors = new FieldErrors();
        errors.addNotSupported("fieldValidation", how, List.of("", "Ignore", "Strict", "Warn"));
        throw StatusException.invalid("meta.k8s.io", "CreateOptions", "", errors.all());
      }
    }
  }

  public static WriteOptions deleteOptions(RequestExchange exchange)
      throws IOException, StatusException {
    JsonObject body = exchange.tree(new ArrayList<>(), "DeleteOptions");
    if (body == null) {
      return deleteOptionsOfQuery(exchange);
    }
    String kind = JsonBodies.text(body, "kind");
    if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
      throw StatusException.badRequest(
          "no kind \"%s\" is registered for version \"%s\" in scheme \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\""
              .formatted(kind, JsonBodies.text(body, "apiVersion")));
    }
    try {
      return deleteOptions(
          JsonBodies.conform(body, Schema.message("DeleteOptions"), new ArrayList<>()).object());
    } catch (BadBodyException e) {
      throw StatusException.badRequest("DeleteOptions cannot be read: " + e.getMessage());
    }
  }

  private static WriteOptions deleteOptionsOfQuery(RequestExchange exchange)
      throws IOException, StatusException {
    QueryParameters query = exchange.query();
    Long grace = query.has("gracePeriodSeconds") ? query.number("gracePeriodSeconds", 0) : null;
    String orphan = query.text("orphanDependents");
    return WriteOptions.PLAIN
        .withDryRun(options(exchange, "").dryRun())
        .withPreconditions(empty(query.text("uid")), empty(query.text("resourceVersion")))
        .withGracePeriod(grace)
        .withPropagation(
            propagation(
                empty(query.text("propagationPolicy")),
                orphan.isEmpty() ? null : new JsonPrimitive(query.flag("orphanDependents"))));
  }

  /**
   * Returns the options for the deletion of an evicted pod.
   *
   * @param read the deleteOptions of the eviction
   * @param dryRun true if the request itself is a dry run
   * @throws StatusException if they are contradictory
   */
  public static WriteOptions evictionOptions(JsonObject read, boolean dryRun)
      throws StatusException {
    WriteOptions specified = deleteOptions(read);
    return specified.withDryRun(specified.dryRun() || dryRun);
  }

  private static WriteOptions deleteOptions(JsonObject read) throws StatusException {
    JsonElement grace = JsonBodies.at(read, "gracePeriodSeconds");
    List<String> dry = JsonBodies.strings(read, "dryRun");
    for (String stage : dry) {
      if (!stage.equals("All")) {
        throw dryRunRefused("DeleteOptions", stage);
      }
    }
    return WriteOptions.PLAIN
        .withDryRun(!dry.isEmpty())
        .withPreconditions(
            optionalText(read, "preconditions", "uid"),
            optionalText(read, "preconditions", "resourceVersion"))
        .withGracePeriod(grace == null ? null : Long.valueOf(grace.getAsLong()))
        .withPropagation(
            propagation(
                optionalText(read, "propagationPolicy"), JsonBodies.at(read, "orphanDependents")));
  }

  private static WriteOptions.PropagationPolicy propagation(
      @Nullable String policy, @Nullable JsonElement orphanDependents) throws StatusException {
    FieldErrors errors = new FieldErrors();
    List<String> known = List.of("Foreground", "Background", "Orphan");
    if (policy != null && orphanDependents != null) {
      errors.addInvalid(
          "propagationPolicy",
          policy,
          "orphanDependents and deletionPropagation cannot be both set");
    } else if (policy != null && !known.contains(policy)) {
      errors.addNotSupported(
          "propagationPolicy", policy, List.of("Foreground", "Background", "Orphan", "nil"));
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "DeleteOptions", "", errors.all());
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
  private static @Nullable String optionalText(JsonObject options, String... path) {
    return JsonBodies.at(options, path) == null ? null : JsonBodies.text(options, path);
  }

  private static @Nullable String empty(String text) {
    return text.isEmpty() ? null : text;
  }
}
