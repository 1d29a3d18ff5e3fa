package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.Values;
import dev.mooring.apiserver.kinds.Causes;
import dev.mooring.apiserver.kinds.Problem;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who am I, what may I do: one administrator, who holds the token, and nobody else. */
final class Reviews {
  static final List<String> GROUPS = List.of("authentication.k8s.io", "authorization.k8s.io");
  private static final Map<String, String> AUTHORIZATION =
      new TreeMap<>(
          Map.of(
              "selfsubjectaccessreviews",
              "SelfSubjectAccessReview",
              "subjectaccessreviews",
              "SubjectAccessReview"));
  private static final Map<String, String> AUTHENTICATION =
      new TreeMap<>(
          Map.of("tokenreviews", "TokenReview", "selfsubjectreviews", "SelfSubjectReview"));

  private Reviews() {}

  static Map<String, String> resources(String group) {
    return switch (group) {
      case "authorization.k8s.io" -> AUTHORIZATION;
      case "authentication.k8s.io" -> AUTHENTICATION;
      default -> Map.of();
    };
  }

  static void serve(Exchange exchange, String group, String plural, String token)
      throws IOException, Problem {
    String kind = resources(group).get(plural);
    if (kind == null || !exchange.method().equals("POST")) {
      throw kind == null ? Problem.noSuchPath() : Problem.methodNotAllowed();
    }
    JsonObject review = exchange.tree(new java.util.ArrayList<>(), kind);
    if (review == null) {
      throw Problem.badRequest("empty body");
    }
    JsonObject status =
        switch (kind) {
          case "TokenReview" -> token(text(review, "spec", "token"), token);
          case "SelfSubjectReview" -> self(review);
          default -> access(review, kind);
        };
    review.add("status", status);
    exchange.json(201, review);
  }

  private static JsonObject access(JsonObject review, String kind) throws Problem {
    if (at(review, "spec", "resourceAttributes") == null
        && at(review, "spec", "nonResourceAttributes") == null) {
      Causes causes = new Causes();
      causes.invalid(
          "spec.resourceAttributes",
          JsonNull.INSTANCE,
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
      throw Problem.invalid("authorization.k8s.io", "", "", causes.all());
    }
    JsonObject status = new JsonObject();
    status.addProperty(
        "allowed", kind.startsWith("Self") || text(review, "spec", "user").equals("admin"));
    return status;
  }

  private static JsonObject user() {
    JsonObject user = new JsonObject();
    user.addProperty("username", "admin");
    user.addProperty("uid", "admin");
    JsonArray groups = new JsonArray();
    groups.add("system:masters");
    groups.add("system:authenticated");
    user.add("groups", groups);
    return user;
  }

  private static JsonObject self(JsonObject review) {
    review
        .getAsJsonObject("metadata")
        .addProperty("creationTimestamp", Values.seconds(Instant.now()));
    JsonObject status = new JsonObject();
    status.add("userInfo", user());
    return status;
  }

  private static JsonObject token(String asked, String token) throws Problem {
    if (asked.isEmpty()) {
      throw Problem.badRequest("token is required for TokenReview in authentication");
    }
    JsonObject status = new JsonObject();
    if (asked.equals(token)) {
      status.addProperty("authenticated", true);
      status.add("user", user());
      JsonArray audiences = new JsonArray();
      audiences.add("https://kubernetes.default.svc");
      status.add("audiences", audiences);
    } else {
      status.add("user", new JsonObject());
      status.addProperty("error", "invalid bearer token");
    }
    return status;
  }
}
