package dev.mooring.apiserver.kinds.access;

import static dev.mooring.apiserver.codec.JsonBodies.at;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import java.util.List;

public final class AccountStrategy implements KindStrategy {
  private static final String MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

  @Override
  public void prepareCreate(JsonObject object) {
    keepSecretNames(object);
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    keepSecretNames(object);
  }

  private static void keepSecretNames(JsonObject object) {
    if (at(object, "secrets") instanceof JsonArray secrets) {
      for (JsonElement secret : secrets) {
        secret.getAsJsonObject().keySet().retainAll(List.of("name"));
      }
    }
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return at(object, "metadata", "annotations", MOUNTABLE) == null
        ? List.of()
        : List.of(
            "metadata.annotations["
                + MOUNTABLE
                + "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets");
  }
}
