package dev.mooring.apiserver.kinds.access;

import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import java.util.List;

public final class AccountStrategy implements KindStrategy {
  private static final String MOUNTABLE_SECRETS_ANNOTATION =
      "kubernetes.io/enforce-mountable-secrets";

  @Override
  public void prepareCreate(JsonObject object) {
    removeSecretDetails(object);
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    removeSecretDetails(object);
  }

  // Only the names of secrets are stored.
  private static void removeSecretDetails(JsonObject object) {
    if (valueAt(object, "secrets") instanceof JsonArray secrets) {
      for (JsonElement secret : secrets) {
        secret.getAsJsonObject().keySet().retainAll(List.of("name"));
      }
    }
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return valueAt(object, "metadata", "annotations", MOUNTABLE_SECRETS_ANNOTATION) == null
        ? List.of()
        : List.of(
            "metadata.annotations["
                + MOUNTABLE_SECRETS_ANNOTATION
                + "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets");
  }
}
