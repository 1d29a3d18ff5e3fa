package dev.mooring.it.explain;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.RestApi;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Creates the objects of a case in a cluster. */
final class CaseObjects {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final RestApi api;

  CaseObjects(RestApi api) {
    this.api = api;
  }

  /**
   * Creates or deletes the objects in order. {@code $uid} is the uid of claim default/c, {@code
   * $now} the current time.
   */
  void create(JsonArray objects) throws Exception {
    for (JsonElement element : objects) {
      JsonObject object = element.getAsJsonObject();
      if (object.has("delete")) {
        String kind = object.get("delete").getAsString();
        String namespace = RestApi.isNamespaced(kind) ? "default" : "";
        api.delete(kind, namespace, object.get("name").getAsString(), -1);
      } else {
        api.create(substituteVariables(object));
      }
    }
  }

  private static String currentTime() {
    return MICROS.format(Instant.now());
  }

  private JsonObject substituteVariables(JsonObject object) throws Exception {
    String text = object.toString().replace("$now", currentTime());
    if (!text.contains("$uid")) {
      return JsonParser.parseString(text).getAsJsonObject();
    }
    String uid =
        api.get("PersistentVolumeClaim", "default", "c")
            .getAsJsonObject("metadata")
            .get("uid")
            .getAsString();
    return JsonParser.parseString(text.replace("$uid", uid)).getAsJsonObject();
  }
}
