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

/** Path elements of a list's elements, and what a value is under its shape. */
final class Elements {
  private Elements() {}

  /** The element of a list as an element of a path. */
  static String of(Shape.Listing list, JsonElement value) {
    if (list.keys().isEmpty()) {
      return "v:" + value;
    }
    Map<String, JsonElement> keys = new TreeMap<>();
    for (int i = 0; i < list.keys().size(); i++) {
      String key = list.keys().get(i);
      JsonElement part = value instanceof JsonObject object ? object.get(key) : null;
      String byDefault = list.defaults().get(i);
      if (part == null && !byDefault.isEmpty()) {
        part = new JsonPrimitive(byDefault);
      }
      if (part != null) {
        keys.put(key, part);
      }
    }
    JsonObject element = new JsonObject();
    keys.forEach(element::add);
    return "k:" + element;
  }

  /** A list's elements by their path elements, the first of duplicates; in order. */
  static Map<String, JsonElement> index(Shape.Listing list, @Nullable JsonElement value) {
    Map<String, JsonElement> all = new LinkedHashMap<>();
    if (value instanceof JsonArray array) {
      for (JsonElement one : array) {
        all.putIfAbsent(of(list, one), one);
      }
    }
    return all;
  }

  /** What a value of any kind is to be taken for, by what it is. */
  static Shape settle(Shape shape, @Nullable JsonElement value) {
    if (!(shape instanceof Shape.Deduced deduced)) {
      return shape;
    }
    if (value instanceof JsonObject) {
      return Shapes.entries(deduced, deduced.isAtomic());
    }
    if (value instanceof JsonArray) {
      return new Shape.Listing(false, true, List.of(), List.of(), deduced);
    }
    return new Shape.Scalar(Shape.Kind.ANY);
  }

  static boolean isNothing(@Nullable JsonElement value) {
    return value == null
        || value.isJsonNull()
        || value instanceof JsonObject o && o.isEmpty()
        || value instanceof JsonArray a && a.isEmpty();
  }

  /** Whether both are the same value, whatever way numbers are written. */
  static boolean same(JsonElement one, JsonElement other) {
    if (one.equals(other)) {
      return true;
    }
    if (one instanceof JsonPrimitive a && other instanceof JsonPrimitive b) {
      return a.isNumber()
          && b.isNumber()
          && a.getAsBigDecimal().compareTo(b.getAsBigDecimal()) == 0;
    }
    if (one instanceof JsonObject a && other instanceof JsonObject b) {
      return a.size() == b.size()
          && a.entrySet().stream()
              .allMatch(e -> b.has(e.getKey()) && same(e.getValue(), b.get(e.getKey())));
    }
    if (one instanceof JsonArray a && other instanceof JsonArray b && a.size() == b.size()) {
      for (int i = 0; i < a.size(); i++) {
        if (!same(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    return one == JsonNull.INSTANCE && other == JsonNull.INSTANCE;
  }

  /** Whether there is something to merge, so that nothing is said by a null. */
  static boolean hasMembers(Shape shape) {
    return shape instanceof Shape.Mapping mapping && !mapping.isAtomic()
        || shape instanceof Shape.Listing list && !list.isAtomic();
  }
}
