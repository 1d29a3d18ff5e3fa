package dev.mooring.apiserver.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Path elements of list elements, and the shape of a value. */
final class ListElements {
  private ListElements() {}

  static String makePathElement(ValueShape.ListShape list, JsonElement value) {
    if (list.keys().isEmpty()) {
      return "v:" + value;
    }
    Map<String, JsonElement> keys = new TreeMap<>();
    for (int i = 0; i < list.keys().size(); i++) {
      String key = list.keys().get(i);
      JsonElement keyValue = value instanceof JsonObject object ? object.get(key) : null;
      String defaultValue = list.defaults().get(i);
      if (keyValue == null && !defaultValue.isEmpty()) {
        keyValue = new JsonPrimitive(defaultValue);
      }
      if (keyValue != null) {
        keys.put(key, keyValue);
      }
    }
    JsonObject element = new JsonObject();
    keys.forEach(element::add);
    return "k:" + element;
  }

  /** Indexes a list by path element, in order; of duplicates the first counts. */
  static Map<String, JsonElement> indexElements(
      ValueShape.ListShape list, @Nullable JsonElement value) {
    Map<String, JsonElement> elements = new LinkedHashMap<>();
    if (value instanceof JsonArray array) {
      for (JsonElement element : array) {
        elements.putIfAbsent(makePathElement(list, element), element);
      }
    }
    return elements;
  }

  /** Returns the shape to use for the value if the declared shape is a deduced one. */
  static ValueShape resolveShape(ValueShape shape, @Nullable JsonElement value) {
    if (!(shape instanceof ValueShape.DeducedShape deduced)) {
      return shape;
    }
    if (value instanceof JsonObject) {
      return MessageShapes.makeEntryShape(deduced, deduced.isAtomic());
    }
    if (value instanceof JsonArray) {
      return new ValueShape.ListShape(false, true, List.of(), List.of(), deduced);
    }
    return new ValueShape.ScalarShape(ValueShape.ScalarKind.ANY);
  }

  static boolean isNullOrEmpty(@Nullable JsonElement value) {
    return value == null
        || value.isJsonNull()
        || value instanceof JsonObject o && o.isEmpty()
        || value instanceof JsonArray a && a.isEmpty();
  }

  /** Compares values and ignores the notation of numbers. */
  static boolean isEqual(JsonElement left, JsonElement right) {
    if (left.equals(right)) {
      return true;
    }
    if (left instanceof JsonPrimitive a && right instanceof JsonPrimitive b) {
      return a.isNumber()
          && b.isNumber()
          && a.getAsBigDecimal().compareTo(b.getAsBigDecimal()) == 0;
    }
    if (left instanceof JsonObject a && right instanceof JsonObject b) {
      return a.size() == b.size()
          && a.entrySet().stream()
              .allMatch(e -> b.has(e.getKey()) && isEqual(e.getValue(), b.get(e.getKey())));
    }
    if (left instanceof JsonArray a && right instanceof JsonArray b && a.size() == b.size()) {
      for (int i = 0; i < a.size(); i++) {
        if (!isEqual(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    return left == JsonNull.INSTANCE && right == JsonNull.INSTANCE;
  }

  /** Returns whether the shape has members to merge; then null has no meaning. */
  static boolean hasMembers(ValueShape shape) {
    return shape instanceof ValueShape.MapShape mapping && !mapping.isAtomic()
        || shape instanceof ValueShape.ListShape list && !list.isAtomic();
  }
}
