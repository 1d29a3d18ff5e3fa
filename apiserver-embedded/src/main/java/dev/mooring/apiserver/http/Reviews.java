package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer.Decision;
import dev.mooring.apiserver.access.Rule;
import dev.mooring.apiserver.access.ServiceAccountTokens;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Protobuf;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Values;
import dev.mooring.apiserver.kinds.Causes;
import dev.mooring.apiserver.kinds.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who am I, what may I do, what may they do, whose token is this. */
final class Reviews {
  static final List<String> GROUPS = List.of("authentication.k8s.io", "authorization.k8s.io");
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

  private final Access access;

  Reviews(Access access) {
    this.access = access;
  }

  static Map<String, String> resources(String group) {
    return switch (group) {
      case "authorization.k8s.io" -> AUTHORIZATION;
      case "authentication.k8s.io" -> AUTHENTICATION;
      default -> Map.of();
    };
  }

  static boolean isNamespaced(String plural) {
    return plural.equals("localsubjectaccessreviews");
  }

  void serve(Exchange exchange, RequestInfo info, User user) throws IOException, Problem {
    String group = info.attributes().group();
    String kind = resources(group).get(info.attributes().resource());
    if (kind == null
        || !info.version().equals("v1")
        || isNamespaced(info.attributes().resource()) == info.namespace().isEmpty()) {
      throw Problem.noSuchPage();
    }
    if (!exchange.method().equals("POST") || !info.name().isEmpty()) {
      throw Problem.methodNotAllowed();
    }
    Form form = Form.of(exchange.accept());
    JsonObject review = read(exchange, kind);
    JsonObject status =
        switch (kind) {
          case "TokenReview" -> token(review);
          case "SelfSubjectReview" -> self(review, user);
          case "SelfSubjectRulesReview" -> rules(review, user);
          default -> access(review, kind, user, info.namespace());
        };
    review.add("status", status);
    review.addProperty("kind", kind);
    review.addProperty("apiVersion", group + "/v1");
    if (form.encoding() == Form.Encoding.PROTOBUF) {
      byte[] message = Protobuf.encode(review, Schema.message(kind));
      exchange.answer(201, form.encoding().type(), Protobuf.envelope(group + "/v1", kind, message));
    } else {
      exchange.answer(201, "application/json", (review + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private static JsonObject read(Exchange exchange, String kind) throws IOException, Problem {
    JsonObject review = exchange.tree(new ArrayList<>(), kind);
    if (review == null) {
      throw Problem.badRequest("empty body");
    }
    try {
      JsonObject read =
          JsonBodies.conform(review, Schema.message(kind), new ArrayList<>()).object();
      if (kind.equals("SelfSubjectReview")) {
        read.remove("spec");
      }
      return read;
    } catch (BadBodyException e) {
      throw Problem.badRequest(
          kind + " in version \"v1\" cannot be handled as a " + kind + ": " + e.getMessage());
    }
  }

  private JsonObject access(JsonObject review, String kind, User user, String namespace)
      throws Problem {
    validate(review, kind, namespace);
    User about =
        kind.startsWith("Self")
            ? user
            : new User(
                text(review, "spec", "user"),
                text(review, "spec", "uid"),
                strings(review, "spec", "groups"),
                Map.of());
    JsonObject spec = child(review, "spec");
    Attributes asked;
    if (at(spec, "resourceAttributes") instanceof JsonObject wanted) {
      asked =
          new Attributes(
              text(wanted, "verb"),
              text(wanted, "group"),
              text(wanted, "resource"),
              text(wanted, "subresource"),
              text(wanted, "namespace"),
              text(wanted, "name"),
              "");
    } else {
      asked =
          Attributes.ofPath(
              text(spec, "nonResourceAttributes", "verb"),
              text(spec, "nonResourceAttributes", "path"));
    }
    Decision decision = access.authorizer().decide(about, asked);
    JsonObject status = new JsonObject();
    status.addProperty("allowed", decision.allowed());
    if (!decision.reason().isEmpty()) {
      status.addProperty("reason", decision.reason());
    }
    return status;
  }

  private static void validate(JsonObject review, String kind, String namespace) throws Problem {
    JsonObject spec = child(review, "spec");
    JsonElement resource = at(spec, "resourceAttributes");
    JsonElement path = at(spec, "nonResourceAttributes");
    Causes causes = new Causes();
    if (resource == null && path == null) {
      causes.invalid(
          "spec.resourceAttributes",
          JsonNull.INSTANCE,
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
    if (resource != null && path instanceof JsonObject p) {
      causes.invalid(
          "spec.nonResourceAttributes",
          "{\"Path\":\"" + text(p, "path") + "\",\"Verb\":\"" + text(p, "verb") + "\"}",
          "cannot be specified in combination with resourceAttributes");
    }
    if (!kind.startsWith("Self")
        && text(spec, "user").isEmpty()
        && strings(spec, "groups").isEmpty()) {
      causes.invalid("spec.user", "", "at least one of user or group must be specified");
    }
    if (kind.startsWith("Local")) {
      String own = text(review, "metadata", "namespace");
      if (!own.isEmpty() && !own.equals(namespace)) {
        throw Problem.badRequest(
            "the namespace of the provided object does not match the namespace sent on the request");
      }
      if (path != null) {
        causes.invalid("spec.nonResourceAttributes", path, "disallowed on this kind of request");
      }
      String asked = text(spec, "resourceAttributes", "namespace");
      if (resource != null && !asked.equals(namespace)) {
        causes.invalid("spec.resourceAttributes.namespace", asked, "must match metadata.namespace");
      }
    }
    if (!causes.isEmpty()) {
      throw Problem.invalid("authorization.k8s.io", "", "", causes.all());
    }
  }

  private JsonObject rules(JsonObject review, User user) throws Problem {
    String namespace = text(review, "spec", "namespace");
    if (namespace.isEmpty()) {
      throw Problem.badRequest("no namespace on request");
    }
    review.add("spec", new JsonObject());
    JsonArray resources = new JsonArray();
    JsonArray paths = new JsonArray();
    for (Rule rule : access.authorizer().rules(user, namespace)) {
      JsonObject entry = new JsonObject();
      entry.add("verbs", list(rule.verbs()));
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
    JsonObject status = new JsonObject();
    status.add("resourceRules", resources);
    status.add("nonResourceRules", paths);
    status.addProperty("incomplete", false);
    return status;
  }

  private static JsonArray list(List<String> values) {
    JsonArray list = new JsonArray();
    values.forEach(list::add);
    return list;
  }

  private static JsonObject user(User user) {
    JsonObject info = new JsonObject();
    info.addProperty("username", user.name());
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

  private static JsonObject self(JsonObject review, User user) {
    child(review, "metadata").addProperty("creationTimestamp", Values.seconds(Instant.now()));
    JsonObject status = new JsonObject();
    status.add("userInfo", user(user));
    return status;
  }

  private JsonObject token(JsonObject review) throws Problem {
    String asked = text(review, "spec", "token");
    if (asked.isEmpty()) {
      throw Problem.badRequest("token is required for TokenReview in authentication");
    }
    List<String> wanted = strings(review, "spec", "audiences");
    List<String> audiences = wanted.isEmpty() ? List.of(ServiceAccountTokens.ISSUER) : wanted;
    Optional<User> found = access.find(asked, audiences);
    JsonObject status = new JsonObject();
    if (found.isPresent()) {
      status.addProperty("authenticated", true);
      status.add("user", user(found.get()));
      status.add("audiences", list(audiences));
    } else {
      status.add("user", new JsonObject());
      status.addProperty("error", "invalid bearer token");
    }
    return status;
  }
}
