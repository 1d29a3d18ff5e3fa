package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Objects that a case sends. Responses about pods and nodes are compared only in these fields. */
final class SentObjects {
  private SentObjects() {}

  static List<JsonObject> collectRequests(JsonObject testCase) {
    List<JsonObject> allRequests = new ArrayList<>();
    for (JsonElement exchange : testCase.getAsJsonArray("exchanges")) {
      addRequests(exchange.getAsJsonObject(), allRequests);
    }
    return allRequests;
  }

  private static void addRequests(JsonObject exchange, List<JsonObject> target) {
    if (exchange.get("request") instanceof JsonObject request) {
      target.add(request);
    }
    if (exchange.get("watch") instanceof JsonObject watch
        && watch.get("while") instanceof JsonArray steps) {
      steps.forEach(step -> addRequests(step.getAsJsonObject(), target));
    }
  }

  static JsonObject collectFields(JsonObject testCase, String kind) {
    JsonObject fieldTree = new JsonObject();
    fieldTree.add("spec", new JsonObject());
    fieldTree.add("status", new JsonObject());
    for (JsonObject request : collectRequests(testCase)) {
      if (!request.has("body") || !request.get("path").getAsString().contains("/" + kind + "s")) {
        continue;
      }
      if (request.get("body") instanceof JsonArray operations) {
        for (JsonElement element : operations) {
          JsonObject operation = element.getAsJsonObject();
          JsonElement branch =
              operation.has("value") ? treeOf(operation.get("value")) : new JsonObject();
          String[] path = operation.get("path").getAsString().substring(1).split("/");
          for (int i = path.length - 1; i >= 0; i--) {
            if (!path[i].matches("\\d+") && !path[i].equals("-")) {
              JsonObject outer = new JsonObject();
              outer.add(path[i], branch);
              branch = outer;
            }
          }
          merge(fieldTree, specAndStatus(branch.getAsJsonObject()));
        }
      } else if (request.get("body") instanceof JsonObject body) {
        merge(fieldTree, specAndStatus(treeOf(body)));
      }
    }
    return fieldTree;
  }

  private static JsonObject specAndStatus(JsonObject tree) {
    JsonObject result = new JsonObject();
    for (String name : List.of("spec", "status")) {
      if (tree.has(name)) {
        result.add(name, tree.get(name));
      }
    }
    return result;
  }

  private static JsonObject treeOf(JsonElement value) {
    JsonObject tree = new JsonObject();
    if (value instanceof JsonObject object) {
      object.entrySet().forEach(member -> tree.add(member.getKey(), treeOf(member.getValue())));
    } else if (value instanceof JsonArray list) {
      list.forEach(element -> merge(tree, treeOf(element)));
    }
    return tree;
  }

  private static void merge(JsonObject target, JsonObject source) {
    for (Map.Entry<String, JsonElement> member : source.entrySet()) {
      if (target.get(member.getKey()) instanceof JsonObject child) {
        merge(child, member.getValue().getAsJsonObject());
      } else {
        target.add(member.getKey(), member.getValue());
      }
    }
  }

  static JsonElement selectFields(JsonElement value, JsonObject fields) {
    if (fields.isEmpty()) {
      return value;
    }
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      list.forEach(element -> result.add(selectFields(element, fields)));
      return result;
    }
    if (value instanceof JsonObject object) {
      JsonObject result = new JsonObject();
      object.entrySet().stream()
          .filter(member -> fields.has(member.getKey()))
          .forEach(member ->
              result.add(
                  member.getKey(),
                  selectFields(member.getValue(), fields.getAsJsonObject(member.getKey()))));
      return result;
    }
    return value;
  }
}
