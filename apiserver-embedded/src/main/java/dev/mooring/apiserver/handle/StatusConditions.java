package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import java.time.Instant;

public final class StatusConditions {
  private StatusConditions() {}

  public static void setCondition(JsonObject object, String type, String value) {
    setCondition(object, type, value, "", "");
  }

  /** Sets a condition of the object; omits reason and message if they are "". */
  public static void setCondition(
      JsonObject object, String type, String value, String reason, String message) {
    JsonObject status = getOrAddChild(object, "status");
    JsonArray conditions =
        status.get("conditions") instanceof JsonArray list ? list : new JsonArray();
    JsonObject condition = new JsonObject();
    for (JsonElement conditionElement : conditions) {
      if (textAt(conditionElement.getAsJsonObject(), "type").equals(type)) {
        condition = conditionElement.getAsJsonObject();
      }
    }
    if (!condition.has("type")) {
      condition.addProperty("type", type);
      conditions.add(condition);
    }
    if (!textAt(condition, "status").equals(value)) {
      condition.addProperty("status", value);
      condition.addProperty("lastTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
    }
    if (!reason.isEmpty()) {
      condition.addProperty("reason", reason);
      condition.addProperty("message", message);
    }
    if (!condition.has("lastProbeTime")
        && object.has("spec")
        && object.getAsJsonObject("spec").has("containers")) {
      condition.add("lastProbeTime", JsonNull.INSTANCE);
    }
    status.add("conditions", conditions);
  }
}
