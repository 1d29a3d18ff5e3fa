package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates and authorizes users of Mooring's own endpoints at an API server. Thread-safe;
 * blocks for at most ten seconds.
 */
public final class SubjectReviews {
  public record User(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {}

  public static final Kind<Resource> TOKENS =
      new Kind<>(
          "authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false, Resource.class);

  public static final Kind<Resource> ACCESS =
      new Kind<>(
          "authorization.k8s.io",
          "v1",
          "subjectaccessreviews",
          "SubjectAccessReview",
          false,
          Resource.class);

  private static final Duration MAX_CALL = Duration.ofSeconds(10);

  private final KubeConnection connection;
  private final Gson gson = new Gson();

  public SubjectReviews(KubeConnection connection) {
    this.connection = connection.within(() -> MAX_CALL);
  }

  /**
   * Authenticates a token.
   *
   * @return empty if the server rejects the token
   * @throws IOException if the server does not answer; the message states the reason
   */
  public Optional<User> authenticate(String token) throws IOException {
    JsonObject status = postReview(TOKENS, Map.of("token", token));
    if (!(status.get("authenticated") instanceof JsonElement authenticated)
        || !authenticated.getAsBoolean()) {
      return Optional.empty();
    }
    JsonObject user = status.getAsJsonObject("user");
    Map<String, List<String>> extra = new LinkedHashMap<>();
    if (user.get("extra") instanceof JsonObject extraJson) {
      extraJson.entrySet().forEach(e -> extra.put(e.getKey(), toTexts(e.getValue())));
    }
    return Optional.of(
        new User(
            getText(user, "username"), getText(user, "uid"), toTexts(user.get("groups")), extra));
  }

  /**
   * Returns whether a user may access a non-resource path.
   *
   * @param verb HTTP method in lower case
   * @param path for example {@code /metrics}
   * @throws IOException if the server does not answer; the message states the reason
   */
  public boolean isAllowed(User user, String verb, String path) throws IOException {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("user", user.name());
    spec.put("uid", user.uid());
    spec.put("groups", user.groups());
    spec.put("extra", user.extra());
    spec.put("nonResourceAttributes", Map.of("path", path, "verb", verb));
    return postReview(ACCESS, spec).get("allowed") instanceof JsonElement allowed
        && allowed.getAsBoolean();
  }

  private JsonObject postReview(Kind<?> review, Map<String, ?> spec) throws IOException {
    Map<String, Object> body =
        Map.of("apiVersion", review.apiVersion(), "kind", review.kind(), "spec", spec);
    try (ApiResponse response =
        connection.post(
            ApiPath.ofKind(review), gson.toJson(body).getBytes(StandardCharsets.UTF_8))) {
      if (!response.isSuccessful()) {
        throw new IOException(
            "the API server answers " + response.code() + " to a " + review.kind());
      }
      JsonElement responseJson = JsonParser.parseString(response.readText());
      return responseJson.getAsJsonObject().getAsJsonObject("status");
    } catch (JsonParseException | IllegalStateException | ClassCastException e) {
      throw new IOException("the API server's answer to a " + review.kind() + " is none", e);
    }
  }

  private static String getText(JsonObject object, String name) {
    return object.has(name) ? object.get(name).getAsString() : "";
  }

  private static List<String> toTexts(JsonElement list) {
    List<String> texts = new ArrayList<>();
    if (list instanceof JsonArray array) {
      array.forEach(e -> texts.add(e.getAsString()));
    }
    return texts;
  }
}
