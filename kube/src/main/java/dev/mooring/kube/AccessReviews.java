package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mooring.cluster.RbacRule;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Asks an API server what this process may do there. Thread-safe; blocks. */
public final class AccessReviews {
  public enum Answer {
    ALLOWED,
    DENIED,
    UNKNOWN
  }

  private static final Kind<Resource> REVIEW =
      new Kind<>(
          "authorization.k8s.io",
          "v1",
          "selfsubjectaccessreviews",
          "SelfSubjectAccessReview",
          false,
          Resource.class);

  private final KubeConnection connection;
  private final Gson gson = new Gson();

  public AccessReviews(KubeConnection connection) {
    this.connection = connection.unlimited();
  }

  public Answer check(RbacRule right) {
    Map<String, Object> body =
        Map.of(
            "apiVersion", REVIEW.apiVersion(),
            "kind", REVIEW.kind(),
            "spec", Map.of("resourceAttributes", makeAttributes(right)));
    try (ApiResponse response =
        connection.post(
            ApiPath.ofKind(REVIEW), gson.toJson(body).getBytes(StandardCharsets.UTF_8))) {
      return response.isSuccessful() ? parseAnswer(response.readText()) : Answer.UNKNOWN;
    } catch (IOException | JsonParseException | IllegalStateException e) {
      return Answer.UNKNOWN;
    }
  }

  private static Answer parseAnswer(String body) {
    JsonObject review = JsonParser.parseString(body).getAsJsonObject();
    JsonElement status = review.get("status");
    JsonElement allowed = status == null ? null : status.getAsJsonObject().get("allowed");
    if (allowed == null) {
      return Answer.UNKNOWN;
    }
    return allowed.getAsBoolean() ? Answer.ALLOWED : Answer.DENIED;
  }

  private static Map<String, String> makeAttributes(RbacRule right) {
    RbacRule.Target target = right.target();
    int slash = target.resource().indexOf('/');
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("verb", right.verb().toString());
    attributes.put("group", target.group());
    attributes.put(
        "resource", slash < 0 ? target.resource() : target.resource().substring(0, slash));
    attributes.put("subresource", slash < 0 ? "" : target.resource().substring(slash + 1));
    attributes.put("namespace", target.namespace());
    attributes.put("name", target.name());
    attributes.values().removeIf(String::isEmpty);
    return attributes;
  }
}
