package dev.mooring.apiserver.http.authorize;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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

  private static final Map<String, String> AUTHORIZATION_KINDS =
      new TreeMap<>(
          Map.of(
              "localsubjectaccessreviews", "LocalSubjectAccessReview",
              "selfsubjectaccessreviews", "SelfSubjectAccessReview",
              "selfsubjectrulesreviews", "SelfSubjectRulesReview",
              "subjectaccessreviews", "SubjectAccessReview"));
  private static final Map<String, String> AUTHENTICATION_KINDS =
      new TreeMap<>(
          Map.of("tokenreviews", "TokenReview", "selfsubjectreviews", "SelfSubjectReview"));

  private final AccessControl access;

  public ReviewHandler(AccessControl access) {
    this.access = access;
  }

  public static Map<String, String> getKinds(String group) {
    return switch (group) {
      case "authorization.k8s.io" -> AUTHORIZATION_KINDS;
      case "authentication.k8s.io" -> AUTHENTICATION_KINDS;
      default -> Map.of();
    };
  }

  public static boolean isNamespaced(String plural) {
    return plural.equals("localsubjectaccessreviews");
  }

  public void serve(RequestExchange exchange, RequestInfo info, RequestUser user)
      throws IOException, StatusException {
    String group = info.attributes().group();
    String kind = getKinds(group).get(info.attributes().resource());
    if (kind == null
        || !info.version().equals("v1")
        || isNamespaced(info.attributes().resource()) == info.namespace().isEmpty()) {
      throw StatusException.pageNotFound();
    }
    if (!info.name().isEmpty()) {
      throw StatusException.pathNotFound();
    }
    if (!exchange.method().equals("POST")) {
      throw StatusException.methodNotAllowed();
    }
    AnswerForm form = AnswerForm.negotiatePlain(exchange.getAccept());
    // validates the query; dryRun has no effect because nothing is stored
    RequestBodies.readOptions(exchange, "");
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
    exchange.sendAnswer(201, form.encoding(), review);
  }

  private static void setNamespace(JsonObject review, String namespace) throws StatusException {
    JsonObject metadata = getOrAddChild(review, "metadata");
    if (namespace.isEmpty()) {
      metadata.remove("namespace");
    } else {
      UnstoredKind.checkNamespace(review, namespace);
      metadata.addProperty("namespace", namespace);
    }
  }

  private JsonObject reviewAccess(
      JsonObject review, String kind, RequestUser user, String namespace) throws StatusException {
    validateAccessReview(review, kind, namespace);
    requireNoMetadata(review);
    RequestUser reviewedUser =
        kind.startsWith("Self")
            ? user
            : new RequestUser(
                textAt(review, "spec", "user"),
                textAt(review, "spec", "uid"),
                stringsAt(review, "spec", "groups"),
                Map.of());
    JsonObject spec = getOrAddChild(review, "spec");
    Decision decision = access.authorizer().decide(reviewedUser, parseAttributes(spec));
    JsonObject status = newObject("allowed", decision.isAllowed());
    if (!decision.reason().isEmpty()) {
      status.addProperty("reason", decision.reason());
    }
    String evaluationError =
        valueAt(spec, "resourceAttributes") instanceof JsonObject attributes
            ? describeIgnored(attributes)
            : "";
    if (!evaluationError.isEmpty()) {
      status.addProperty("evaluationError", evaluationError);
    }
    return status;
  }

  private static Attributes parseAttributes(JsonObject spec) {
    return valueAt(spec, "resourceAttributes") instanceof JsonObject attributes
        ? Attributes.of(
                textAt(attributes, "verb"),
                textAt(attributes, "group"),
                textAt(attributes, "resource"))
            .withSubresource(textAt(attributes, "subresource"))
            .inNamespace(textAt(attributes, "namespace"))
            .withName(textAt(attributes, "name"))
        : Attributes.ofPath(
            textAt(spec, "nonResourceAttributes", "verb"),
            textAt(spec, "nonResourceAttributes", "path"));
  }

  private static void validateAccessReview(JsonObject review, String kind, String namespace)
      throws StatusException {
    JsonObject spec = getOrAddChild(review, "spec");
    JsonElement resource = valueAt(spec, "resourceAttributes");
    JsonElement path = valueAt(spec, "nonResourceAttributes");
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
          formatPath(p),
          "cannot be specified in combination with resourceAttributes");
    }
    if (!kind.startsWith("Self")
        && textAt(spec, "user").isEmpty()
        && stringsAt(spec, "groups").isEmpty()) {
      errors.addInvalid("spec.user", "", "at least one of user or group must be specified");
    }
    if (kind.startsWith("Local")) {
      validateLocal(review, namespace, errors);
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid("authorization.k8s.io", "", "", errors.getCauses());
    }
  }

  private static void validateLocal(JsonObject review, String namespace, FieldErrors errors) {
    JsonObject spec = getOrAddChild(review, "spec");
    if (valueAt(spec, "nonResourceAttributes") instanceof JsonObject path) {
      errors.addInvalid(
          "spec.nonResourceAttributes", formatPath(path), "disallowed on this kind of request");
    }
    String requested = textAt(spec, "resourceAttributes", "namespace");
    if (valueAt(spec, "resourceAttributes") != null && !requested.equals(namespace)) {
      errors.addInvalid(
          "spec.resourceAttributes.namespace", requested, "must match metadata.namespace");
    }
  }

  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private static JsonObject formatPath(JsonObject path) {
    return newObject("Path", textAt(path, "path"), "Verb", textAt(path, "verb"));
  }

  private static void validateSelector(JsonObject attributes, String name, FieldErrors errors) {
    if (!(valueAt(attributes, name) instanceof JsonObject selector)) {
      return;
    }
    String field = "spec.resourceAttributes." + name;
    String raw = textAt(selector, "rawSelector");
    boolean hasRequirements =
        valueAt(selector, "requirements") instanceof JsonArray list && !list.isEmpty();
    if (hasRequirements && !raw.isEmpty()) {
      errors.addInvalid(
          field + ".rawSelector",
          raw,
          "may not specified at the same time as requirements"); // sic: Kubernetes' text
    } else if (!hasRequirements && raw.isEmpty()) {
      errors.addRequired(
          field + ".requirements",
          "when " + field + " is specified, requirements or rawSelector is required");
    }
    JsonArray requirements =
        valueAt(selector, "requirements") instanceof JsonArray list ? list : new JsonArray();
    for (int i = 0; i < requirements.size(); i++) {
      LabelSelectors.validateRequirement(
          requirements.get(i).getAsJsonObject(),
          field + ".requirements[" + i + "]",
          name.equals("labelSelector"),
          errors);
    }
  }

  private static String describeIgnored(JsonObject attributes) {
    for (String name : List.of("fieldSelector", "labelSelector")) {
      if (valueAt(attributes, name, "requirements") instanceof JsonArray list) {
        for (JsonElement element : list) {
          if (!OPERATORS.contains(textAt(element.getAsJsonObject(), "operator"))) {
            return "spec.resourceAttributes." + name + " ignored due to parse error";
          }
        }
      }
    }
    return "";
  }

  // Reviews are not stored: a client may set only namespace and managedFields.
  private static void requireNoMetadata(JsonObject review) throws StatusException {
    JsonObject metadata = getOrAddChild(review, "metadata");
    boolean isEmptyMetadata =
        metadata.entrySet().stream()
            .allMatch(e ->
                List.of("namespace", "managedFields").contains(e.getKey())
                    || e.getValue().isJsonNull());
    if (!isEmptyMetadata) {
      FieldErrors errors = new FieldErrors();
      errors.addInvalid("metadata", metadata, "must be empty");
      throw StatusException.invalid("authorization.k8s.io", "", "", errors.getCauses());
    }
  }

  private JsonObject reviewRules(JsonObject review, RequestUser user) throws StatusException {
    String namespace = textAt(review, "spec", "namespace");
    if (namespace.isEmpty()) {
      throw StatusException.badRequest("no namespace on request");
    }
    review.add("spec", new JsonObject());
    JsonArray resources = new JsonArray();
    JsonArray paths = new JsonArray();
    for (PolicyRule rule : access.authorizer().findRules(user, namespace)) {
      JsonObject entry = newObject("verbs", toArray(rule.verbs()));
      if (!rule.resources().isEmpty()) {
        entry.add("apiGroups", toArray(rule.groups()));
        entry.add("resources", toArray(rule.resources()));
        if (!rule.names().isEmpty()) {
          entry.add("resourceNames", toArray(rule.names()));
        }
        resources.add(entry);
      } else {
        entry.add("nonResourceURLs", toArray(rule.paths()));
        paths.add(entry);
      }
    }
    JsonObject status = newObject("resourceRules", resources, "nonResourceRules", paths);
    status.addProperty("incomplete", false);
    return status;
  }

  private static JsonArray toArray(List<String> values) {
    JsonArray list = new JsonArray();
    values.forEach(list::add);
    return list;
  }

  private static JsonObject reviewSelf(JsonObject review, RequestUser user) {
    JsonObject metadata = new JsonObject(); // ignores the metadata that the client sent
    metadata.addProperty("creationTimestamp", CanonicalValues.formatSeconds(Instant.now()));
    review.add("metadata", metadata);
    review.remove("spec");
    return newObject("userInfo", user.describe());
  }

  private JsonObject reviewToken(JsonObject review) throws StatusException {
    String token = textAt(review, "spec", "token");
    if (token.isEmpty()) {
      throw StatusException.badRequest("token is required for TokenReview in authentication");
    }
    List<String> requestedAudiences = stringsAt(review, "spec", "audiences");
    List<String> audiences =
        requestedAudiences.isEmpty() ? List.of(ServiceAccountTokens.ISSUER) : requestedAudiences;
    JsonObject status = new JsonObject();
    String error = "invalid bearer token";
    try {
      Optional<VerifiedToken> verifiedToken = access.findTokenOwner(token, audiences);
      if (verifiedToken.isPresent()) {
        status.addProperty("authenticated", true);
        status.add("user", verifiedToken.get().user().describe());
        status.add("audiences", toArray(verifiedToken.get().audiences()));
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
