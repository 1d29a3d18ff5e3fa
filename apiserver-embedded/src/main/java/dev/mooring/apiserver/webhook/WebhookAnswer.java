package dev.mooring.apiserver.webhook;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * The answer of a webhook.
 *
 * @param result the Status that explains a refusal; empty if there is none
 * @param patch the operations of a JSON patch; empty for none
 */
record WebhookAnswer(boolean isAllowed, JsonObject result, JsonArray patch, List<String> warnings) {
  private static final String VERSION = "admission.k8s.io/v1";

  static WebhookAnswer read(JsonObject review, String uid, boolean mayPatch)
      throws WebhookException {
    if (!(review.get("response") instanceof JsonObject response)) {
      throw new WebhookException("webhook response was absent");
    }
    if (!textAt(response, "uid").equals(uid)) {
      throw new WebhookException(
          "expected response.uid=\"%s\", got \"%s\"".formatted(uid, textAt(response, "uid")));
    }
    String version = textAt(review, "apiVersion");
    String kind = textAt(review, "kind");
    if (!version.equals(VERSION) || !kind.equals("AdmissionReview")) {
      throw new WebhookException(
          "expected webhook response of %s, Kind=AdmissionReview, got %s, Kind=%s"
              .formatted(VERSION, version, kind));
    }
    checkPatch(textAt(response, "patch"), textAt(response, "patchType"), mayPatch);
    JsonObject result =
        response.get("status") instanceof JsonObject status ? status : new JsonObject();
    return new WebhookAnswer(
        flagAt(response, "allowed"),
        result,
        parsePatch(textAt(response, "patch")),
        stringsAt(response, "warnings"));
  }

  private static void checkPatch(String patch, String patchType, boolean mayPatch)
      throws WebhookException {
    if (!mayPatch && !patch.isEmpty()) {
      throw new WebhookException("validating webhook may not return response.patch");
    }
    if (!mayPatch && !patchType.isEmpty()) {
      throw new WebhookException("validating webhook may not return response.patchType");
    }
    if (!patch.isEmpty() && patchType.isEmpty()) {
      throw new WebhookException("webhook returned response.patch but not response.patchType");
    }
    if (patch.isEmpty() && !patchType.isEmpty()) {
      throw new WebhookException("webhook returned response.patchType but not response.patch");
    }
    if (!patchType.isEmpty() && !patchType.equals("JSONPatch")) {
      throw new WebhookException("unsupported patch type \"" + patchType + "\"");
    }
  }

  private static JsonArray parsePatch(String encodedPatch) throws WebhookException {
    try {
      String patch =
          new String(Base64.getMimeDecoder().decode(encodedPatch), StandardCharsets.UTF_8);
      return patch.isBlank() ? new JsonArray() : JsonParser.parseString(patch).getAsJsonArray();
    } catch (IllegalArgumentException | IllegalStateException | JsonParseException e) {
      throw new WebhookException("webhook returned an invalid response.patch: " + e.getMessage());
    }
  }
}
