package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Objects that a case sends. Responses about pods and nodes are compared only in the fields that
 * were sent.
 */
final class SentObjects {
  private SentObjects() {}

  static List<JsonObject> requests(JsonObject testCase) {
    List<JsonObject> all = new ArrayList<>();
    for (JsonElement exchange : testCase.getAsJsonArray("exchanges")) {
      collect(exchange.getAsJsonObject(), all);
    }
    return all;
  }

  private static void collect(JsonObject exchange, List<JsonObject> into) {
    if (exchange.get("request") instanceof JsonObject request) {
      into.add(request);
    }
    if (exchange.get("watch") instanceof JsonObject watch
        && watch.get("while") instanceof JsonArray meanwhile) {
      meanwhile.forEach(e -> collect(e.getAsJsonObject(), into));
    }
  }

  static JsonObject fields(JsonObject testCase, String kind) {
    JsonObject tree = new JsonObject();
    tree.add("spec", new JsonObject());
    tree.add("status", new JsonObject());
    for (JsonObject request : requests(testCase)) {
      if (!request.has("body") || !request.get("path").getAsString().contains("/" + kind + "s")) {
        continue;
      }
      if (request.get("body") instanceof JsonArray operations) {
        for (JsonElement one : operations) {
          JsonObject operation = one.getAsJsonObject();
          JsonElement nested =
              operation.has("value") ? tree(operation.get("value")) : new JsonObject();
          String[] path = operation.get("path").getAsString().substring(1).split("/");
          for (int i = path.length - 1; i >= 0; i--) {
            if (!path[i].matches("\\d+") && !path[i].equals("-")) {
              JsonObject outer = new JsonObject();
              outer.add(path[i], nested);
              nested = outer;
            }
          }
          merge(tree, only(nested.getAsJsonObject()));
        }
      } else if (request.get("body") instanceof JsonObject body) {
        merge(tree, only(tree(body)));
      }
    }
    return tree;
  }

  private static JsonObject only(JsonObject tree) {
    JsonObject kept = new JsonObject();
    for (String name : List.of("spec", "status")) {
      if (tree.has(name)) {
        kept.add(name, tree.get(name));
      }
    }
    return kept;
  }

  private static JsonObject tree(JsonElement value) {
    JsonObject tree = new JsonObject();
    if (value instanceof JsonObject object) {
      object.entrySet().forEach(e -> tree.add(e.getKey(), tree(e.getValue())));
    } else if (value instanceof JsonArray list) {
      list.forEach(e -> merge(tree, tree(e)));
    }
    return tree;
  }

  private static void merge(JsonObject into, JsonObject from) {
    for (Map.Entry<String, JsonElement> member : from.entrySet()) {
      if (into.get(member.getKey()) instanceof JsonObject present) {
        merge(present, member.getValue().getAsJsonObject());
      } else {
        into.add(member.getKey(), member.getValue());
      }
    }
  }

  static JsonElement project(JsonElement value, JsonObject fields) {
    if (fields.isEmpty()) {
      return value;
    }
    if (value instanceof JsonArray list) {
      JsonArray out = new JsonArray();
      list.forEach(e -> out.add(project(e, fields)));
      return out;
    }
    if (value instanceof JsonObject object) {
      JsonObject out = new JsonObject();
      object.entrySet().stream()
          .filter(e -> fields.has(e.getKey()))
          .forEach(
              e -> out.add(e.getKey(), project(e.getValue(), fields.getAsJsonObject(e.getKey()))));
      return out;
    }
    return value;
  }
}
