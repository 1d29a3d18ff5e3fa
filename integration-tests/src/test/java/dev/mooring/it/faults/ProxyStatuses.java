package dev.mooring.it.faults;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;

/** Error statuses as a kube-apiserver sends them. */
final class ProxyStatuses {
  private ProxyStatuses() {}

  static JsonObject of(int code, String reason, String message) {
    JsonObject status = new JsonObject();
    status.addProperty("kind", "Status");
    status.addProperty("apiVersion", "v1");
    status.add("metadata", new JsonObject());
    status.addProperty("status", "Failure");
    status.addProperty("message", message);
    status.addProperty("reason", reason);
    status.addProperty("code", code);
    return status;
  }

  /** Details equal those of "too large resource version". */
  static JsonObject versionTooLarge() {
    JsonObject status =
        of(504, "Timeout", "Timeout: Too large resource version: 999999999, current: 17");
    JsonObject cause = new JsonObject();
    cause.addProperty("reason", "ResourceVersionTooLarge");
    cause.addProperty("message", "Too large resource version");
    JsonArray causes = new JsonArray();
    causes.add(cause);
    JsonObject details = new JsonObject();
    details.add("causes", causes);
    details.addProperty("retryAfterSeconds", 1);
    status.add("details", details);
    return status;
  }

  static JsonObject retryAfter(JsonObject status, int seconds) {
    JsonObject details = new JsonObject();
    details.addProperty("retryAfterSeconds", seconds);
    status.add("details", details);
    return status;
  }

  /** Returns a watch event as JSON. */
  static byte[] encodeEvent(String type, JsonObject object) {
    JsonObject event = new JsonObject();
    event.addProperty("type", type);
    event.add("object", object);
    return (event + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
