package dev.mooring.apiserver.http.authorize;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer.Decision;
import dev.mooring.apiserver.access.PolicyRule;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.access.ServiceAccountTokens;
import dev.mooring.apiserver.access.ServiceAccountTokens.RefusedException;
import dev.mooring.apiserver.access.ServiceAccountTokens.VerifiedToken;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestInfo;
import dev.mooring.apiserver.http.request.UnstoredKind;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

public final class ReviewHandler {
  public static final List<String> GROUPS =
      List.of("authentication.k8s.io", "authorization.k8s.io");

  private static final Map<String, String> AUTHORIZATION =
      new TreeMap<>(
          Map.of(
              "localsubjectaccessreviews", "LocalSubjectAccessReview",
              "selfsubjectaccessreviews", "SelfSubjectAccessReview",
              "selfsubjectrulesreviews", "SelfSubjectRulesReview",
              "subjectaccessreviews", "SubjectAccessReview"));
  private static final Map<String, String> AUTHENTICATION =
      new TreeMap<>(
          Map.of("tokenreviews", "TokenReview", "selfsubjectreviews", "SelfSubjectReview"));

  private final AccessControl access;

  public ReviewHandler(AccessControl access) {
    this.access = access;
  }

  public static Map<String, String> resources(String group) {
    return switch (group) {
      case "authorization.k8s.io" -> AUTHORIZATION;
      case "authentication.k8s.io" -> AUTHENTICATION;
      default -> Map.of();
    };
  }

  public static boolean isNamespaced(String plural) {
    return plural.equals("localsubjectaccessreviews");
  }

  public void serve(RequestExchange exchange, RequestInfo info, RequestUser user)
      throws IOException, StatusException {
    String group = info.attributes().group();
    String kind = resources(group).get(info.attributes().resource());
    if (kind == null
        || !info.version().equals("v1")
        || isNamespaced(info.attributes().resource()) == info.namespace().isEmpty()) {
      throw StatusException.noSuchPage();
    }
    if (!info.name().isEmpty()) {
      throw StatusException.noSuchPath();
    }
    if (!exchange.method().equals("POST")) {
      throw StatusException.methodNotAllowed();
    }
    AnswerForm form = AnswerForm.plain(exchange.accept());
    // validates the query; dryRun has no effect because nothing is stored
    RequestBodies.options(exchange, "");
    JsonObject review = new UnstoredKind(kind, group + "/v1").read(exchange);
    setNamespace(review, info.namespace());
    JsonObject status =
        switch (kind) {
          case "TokenReview" -> reviewToken(review);
          case "SelfSubjectReview" -> reviewSelf(review, user);
          case "SelfSubjectRulesReview" -> reviewRules(review, user);
          default -> reviewAccess(review, kind, user, info.namespace());
        };
    review.add("status", status);
    review.addProperty("kind", kind);
    review.addProperty("apiVersion", group + "/v1");
    exchange.answer(201, form.encoding(), review);
  }

  private static void setNamespace(JsonObject review, String namespace) throws StatusException {
    JsonObject metadata = child(review, "metadata");
    if (namespace.isEmpty()) {
      metadata.remove("namespace");
    } else {
      UnstoredKind.checkNamespace(review, namespace);
      metadata.addProperty("namespace", namespace);
    }
  }

  private JsonObject reviewAccess(
      JsonObject review, String kind, RequestUser user, String namespace) throws StatusException {
    validate(review, kind, namespace);
    requireNoMetadata(review);
    RequestUser about =
        kind.startsWith("Self")
            ? user
            : new RequestUser(
                text(review, "spec", "user"),
                text(review, "spec", "uid"),
                strings(review, "spec", "groups"),
                Map.of());
    JsonObject spec = child(review, "spec");
    Decision decision = access.authorizer().decide(about, requestedAttributes(spec));
    JsonObject status = objectOf("allowed", decision.allowed());
    if (!decision.reason().isEmpty()) {
      status.addProperty("reason", decision.reason());
    }
    String ignored =
        at(spec, "resourceAttributes") instanceof JsonObject wanted ? describeIgnored(wanted) : "";
    if (!ignored.isEmpty()) {
      status.addProperty("evaluationError", ignored);
    }
    return status;
  }

  private static Attributes requestedAttributes(JsonObject spec) {
    return at(spec, "resourceAttributes") instanceof JsonObject wanted
        ? Attributes.of(text(wanted, "verb"), text(wanted, "group"), text(wanted, "resource"))
            .ofSubresource(text(wanted, "subresource"))
            .inNamespace(text(wanted, "namespace"))
            .withName(text(wanted, "name"))
        : Attributes.ofPath(
            text(spec, "nonResourceAttributes", "verb"),
            text(spec, "nonResourceAttributes", "path"));
  }

  private static void validate(JsonObject review, String kind, String namespace)
      throws StatusException {
    JsonObject spec = child(review, "spec");
    JsonElement resource = at(spec, "resourceAttributes");
    JsonElement path = at(spec, "nonResourceAttributes");
    FieldErrors errors = new FieldErrors();
    if (resource instanceof JsonObject attributes) {
      validateSelector(attributes, "fieldSelector", errors);
      validateSelector(attributes, "labelSelector", errors);
    }
    if (resource == null && path == null) {
      errors.addInvalid(
          "spec.resourceAttributes",
          JsonNull.INSTANCE,
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
    if (resource != null && path instanceof JsonObject p) {
      errors.addInvalid(
          "spec.nonResourceAttributes",
          goStyle(p),
          "cannot be specified in combination with resourceAttributes");
    }
    if (!kind.startsWith("Self")
        && text(spec, "user").isEmpty()
        && strings(spec, "groups").isEmpty()) {
      errors.addInvalid("spec.user", "", "at least one of user or group must be specified");
    }
    if (kind.startsWith("Local")) {
      validateLocal(review, namespace, errors);
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid("authorization.k8s.io", "", "", errors.all());
    }
  }

  private static void validateLocal(JsonObject review, String namespace, FieldErrors errors) {
    JsonObject spec = child(review, "spec");
    if (at(spec, "nonResourceAttributes") instanceof JsonObject path) {
      errors.addInvalid(
          "spec.nonResourceAttributes", goStyle(path), "disallowed on this kind of request");
    }
    String requested = text(spec, "resourceAttributes", "namespace");
    if (at(spec, "resourceAttributes") != null && !requested.equals(namespace)) {
      errors.addInvalid(
          "spec.resourceAttributes.namespace", requested, "must match metadata.namespace");
    }
  }

  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private static JsonObject goStyle(JsonObject path) {
    return objectOf("Path", text(path, "path"), "Verb", text(path, "verb"));
  }

  private static void validateSelector(JsonObject attributes, String name, FieldErrors errors) {
    if (!(at(attributes, name) instanceof JsonObject selector)) {
      return;
    }
    String field = "spec.resourceAttributes." + name;
    String raw = text(selector, "rawSelector");
    boolean parts = at(selector, "requirements") instanceof JsonArray list && !list.isEmpty();
    if (parts && !raw.isEmpty()) {
      errors.addInvalid(
          field + ".rawSelector",
          raw,
          "may not specified at the same time as requirements"); // sic: Kubernetes' text
    } else if (!parts && raw.isEmpty()) {
      errors.addRequired(
          field + ".requirements",
          "when " + field + " is specified, requirements or rawSelector is required");
    }
    JsonArray all = at(selector, "requirements") instanceof JsonArray list ? list : new JsonArray();
    for (int i = 0; i < all.size(); i++) {
      LabelSelectors.validateRequirement(
          all.get(i).getAsJsonObject(),
          field + ".requirements[" + i + "]",
          name.equals("labelSelector"),
          errors);
    }
  }

  private static String describeIgnored(JsonObject attributes) {
    for (String name : List.of("fieldSelector", "labelSelector")) {
      if (at(attributes, name, "requirements") instanceof JsonArray list) {
        for (JsonElement one : list) {
          if (!OPERATORS.contains(text(one.getAsJsonObject(), "operator"))) {
            return "spec.resourceAttributes." + name + " ignored due to parse error";
          }
        }
      }
    }
    return "";
  }

  // Reviews are not stored: a client may set only namespace and managedFields.
  private static void requireNoMetadata(JsonObject review) throws StatusException {
    JsonObject metadata = child(review, "metadata");
    boolean empty =
        metadata.entrySet().stream()
            .allMatch(e ->
                List.of("namespace", "managedFields").contains(e.getKey())
                    || e.getValue().isJsonNull());
    if (!empty) {
      FieldErrors errors = new FieldErrors();
      errors.addInvalid("metadata", metadata, "must be empty");
      throw StatusException.invalid("authorization.k8s.io", "", "", errors.all());
    }
  }

  private JsonObject reviewRules(JsonObject review, RequestUser user) throws StatusException {
    String namespace = text(review, "spec", "namespace");
    if (namespace.isEmpty()) {
      throw StatusException.badRequest("no namespace on request");
    }
    review.add("spec", new JsonObject());
    JsonArray resources = new JsonArray();
    JsonArray paths = new JsonArray();
    for (PolicyRule rule : access.authorizer().rules(user, namespace)) {
      JsonObject entry = objectOf("verbs", list(rule.verbs()));
      if (!rule.resources().isEmpty()) {
        entry.add("apiGroups", list(rule.groups()));
        entry.add("resources", list(rule.resources()));
        if (!rule.names().isEmpty()) {
          entry.add("resourceNames", list(rule.names()));
        }
        resources.add(entry);
      } else {
        entry.add("nonResourceURLs", list(rule.paths()));
        paths.add(entry);
      }
    }
    JsonObject status = objectOf("resourceRules", resources, "nonResourceRules", paths);
    status.addProperty("incomplete", false);
    return status;
  }

  private static JsonArray list(List<String> values) {
    JsonArray list = new JsonArray();
    values.forEach(list::add);
    return list;
  }

  private static JsonObject user(RequestUser user) {
    JsonObject info = objectOf("username", user.name());
    if (!user.uid().isEmpty()) {
      info.addProperty("uid", user.uid());
    }
    info.add("groups", list(user.groups()));
    if (!user.extra().isEmpty()) {
      JsonObject extra = new JsonObject();
      user.extra().forEach((k, v) -> extra.add(k, list(v)));
      info.add("extra", extra);
    }
    return info;
  }

  private static JsonObject reviewSelf(JsonObject review, RequestUser user) {
    JsonObject metadata = new JsonObject(); // ignores the metadata that the client sent
    metadata.addProperty("creationTimestamp", CanonicalValues.formatSeconds(Instant.now()));
    review.add("metadata", metadata);
    review.remove("spec");
    return objectOf("userInfo", user(user));
  }

  private JsonObject reviewToken(JsonObject review) throws StatusException {
    String requested = text(review, "spec", "token");
    if (requested.isEmpty()) {
      throw StatusException.badRequest("token is required for TokenReview in authentication");
    }
    List<String> wanted = strings(review, "spec", "audiences");
    List<String> audiences = wanted.isEmpty() ? List.of(ServiceAccountTokens.ISSUER) : wanted;
    JsonObject status = new JsonObject();
    String error = "invalid bearer token";
    try {
      Optional<VerifiedToken> found = access.find(requested, audiences);
      if (found.isPresent()) {
        status.addProperty("authenticated", true);
        status.add("user", user(found.get().user()));
        status.add("audiences", list(found.get().audiences()));
        return status;
      }
    } catch (RefusedException e) {
      error = "[" + error + ", " + e.getMessage() + "]";
    }
    status.add("user", new JsonObject());
    status.addProperty("error", error);
    return status;
  }
}
