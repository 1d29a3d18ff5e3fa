package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
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
import okhttp3.Response;

/**
 * Asks a server whose a token is, and what its user may do: for those who ask us. Thread-safe;
 * blocks, for ten seconds at most.
 */
public final class SubjectReviews {
  /**
   * Somebody whom the server knows.
   *
   * @param name the user's name
   * @param uid the user's UID, {@code ""} for none
   * @param groups the user's groups
   * @param extra what else the server is to be told of the user
   */
  public record User(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {}

  /** A token's review; nothing of it is kept. */
  public static final Kind<Resource> TOKENS =
      new Kind<>(
          "authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false, Resource.class);

  /** The review of what somebody may do. */
  public static final Kind<Resource> ACCESS =
      new Kind<>(
          "authorization.k8s.io",
          "v1",
          "subjectaccessreviews",
          "SubjectAccessReview",
          false,
          Resource.class);

  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final KubeConnection connection;
  private final Gson gson = new Gson();

  /** At the server of that connection, whether or not this process leads. */
  public SubjectReviews(KubeConnection connection) {
    this.connection = connection.within(() -> LONGEST);
  }

  /**
   * Whose a token is.
   *
   * @return empty if the server does not know it
   * @throws IOException if the server does not say; the message says why
   */
  public Optional<User> user(String token) throws IOException {
    JsonObject status = status(TOKENS, Map.of("token", token));
    if (!(status.get("authenticated") instanceof JsonElement known) || !known.getAsBoolean()) {
      return Optional.empty();
    }
    JsonObject user = status.getAsJsonObject("user");
    Map<String, List<String>> extra = new LinkedHashMap<>();
    if (user.get("extra") instanceof JsonObject more) {
      more.entrySet().forEach(e -> extra.put(e.getKey(), texts(e.getValue())));
    }
    return Optional.of(
        new User(text(user, "username"), text(user, "uid"), texts(user.get("groups")), extra));
  }

  /**
   * Whether somebody may do that to what is no resource.
   *
   * @param verb a method of HTTP, in lower case
   * @param path such as {@code /metrics}
   * @throws IOException if the server does not say; the message says why
   */
  public boolean allowed(User user, String verb, String path) throws IOException {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("user", user.name());
    spec.put("uid", user.uid());
    spec.put("groups", user.groups());
    spec.put("extra", user.extra());
    spec.put("nonResourceAttributes", Map.of("path", path, "verb", verb));
    return status(ACCESS, spec).get("allowed") instanceof JsonElement allowed
        && allowed.getAsBoolean();
  }

  private JsonObject status(Kind<?> review, Map<String, ?> spec) throws IOException {
    Map<String, Object> body =
        Map.of("apiVersion", review.apiVersion(), "kind", review.kind(), "spec", spec);
    try (Response answer =
        connection.post(ApiPath.all(review), gson.toJson(body).getBytes(StandardCharsets.UTF_8))) {
      if (!answer.isSuccessful()) {
        throw new IOException("the API server answers " + answer.code() + " to a " + review.kind());
      }
      JsonElement whole = JsonParser.parseString(answer.body().string());
      return whole.getAsJsonObject().getAsJsonObject("status");
    } catch (JsonParseException | IllegalStateException | ClassCastException e) {
      throw new IOException("the API server's answer to a " + review.kind() + " is none", e);
    }
  }

  private static String text(JsonObject object, String name) {
    return object.has(name) ? object.get(name).getAsString() : "";
  }

  private static List<String> texts(JsonElement list) {
    List<String> all = new ArrayList<>();
    if (list instanceof JsonArray array) {
      array.forEach(e -> all.add(e.getAsString()));
    }
    return all;
  }
}
