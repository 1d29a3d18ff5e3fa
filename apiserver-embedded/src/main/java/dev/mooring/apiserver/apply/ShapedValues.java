package dev.mooring.apiserver.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.apply.ValueShape.DeducedShape;
import dev.mooring.apiserver.apply.ValueShape.ListShape;
import dev.mooring.apiserver.apply.ValueShape.MapShape;
import dev.mooring.apiserver.apply.ValueShape.ScalarShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the fields, the difference and the merge of values under a shape. Never changes trees.
 */
final class ShapedValues {
  record ValueDifference(FieldSet removed, FieldSet modified, FieldSet added) {
    FieldSet changed() {
      return modified.union(added);
    }
  }

  private ShapedValues() {}

  static FieldSet collectFields(ValueShape shape, JsonElement value) {
    FieldSet set = new FieldSet();
    collectFields(shape, value, set);
    return set;
  }

  private static void collectFields(ValueShape shape, JsonElement value, FieldSet into) {
    switch (ListElements.resolveShape(shape, value)) {
      case ListShape list -> {
        if (list.isAtomic()) {
          into.setMember();
        } else if (value instanceof JsonArray array) {
          for (JsonElement one : array) {
            FieldSet below = into.getOrAddChild(ListElements.findKey(list, one));
            collectFields(list.element(), one, below);
            below.setMember();
          }
        }
      }
      case MapShape mapping -> {
        if (mapping.isAtomic()) {
          into.setMember();
        } else if (value instanceof JsonObject object) {
          for (Map.Entry<String, JsonElement> member : object.entrySet()) {
            String element = FieldSet.toFieldKey(member.getKey());
            FieldSet below = into.getOrAddChild(element);
            collectFields(shape.below(element), member.getValue(), below);
            boolean empty =
                member.getValue().isJsonNull()
                    || member.getValue() instanceof JsonObject o && o.isEmpty();
            if (empty || mapping.declared(member.getKey()) == null) {
              below.setMember();
            }
          }
        }
      }
      default -> into.setMember();
    }
  }

  static ValueDifference compare(ValueShape shape, JsonElement old, JsonElement fresh) {
    ValueDifference result = new ValueDifference(new FieldSet(), new FieldSet(), new FieldSet());
    compare(
        shape, old, fresh, new DifferencePositions(result.removed, result.modified, result.added));
    return result;
  }

  private static void compare(
      ValueShape shape,
      @Nullable JsonElement old,
      @Nullable JsonElement fresh,
      DifferencePositions at) {
    if (old != null && old == fresh) {
      return;
    }
    ValueShape now =
        ListElements.resolveShape(shape, fresh == null || fresh.isJsonNull() ? old : fresh);
    ValueShape then =
        ListElements.resolveShape(shape, old == null || old.isJsonNull() ? fresh : old);
    boolean isLeaf;
    if (now.getClass() != then.getClass()) {
      isLeaf = true;
      addLeaf(old, fresh, at);
    } else {
      isLeaf = walk(now, old, fresh, at);
    }
    if (!isLeaf) {
      if (old == null) {
        at.added().setMember();
      } else if (fresh == null) {
        at.removed().setMember();
      }
    }
  }

  private static boolean walk(
      ValueShape shape,
      @Nullable JsonElement old,
      @Nullable JsonElement fresh,
      DifferencePositions at) {
    boolean nothing = ListElements.isNothing(old) && ListElements.isNothing(fresh);
    switch (shape) {
      case ListShape list when !list.isAtomic() && !nothing -> {
        Map<String, JsonElement> left = ListElements.indexElements(list, old);
        Map<String, JsonElement> right = ListElements.indexElements(list, fresh);
        Set<String> all = new LinkedHashSet<>(left.keySet());
        all.addAll(right.keySet());
        for (String element : all) {
          compare(
              list.element(),
              left.get(element),
              right.get(element),
              new DifferencePositions(at, element));
        }
        return false;
      }
      case MapShape mapping when !mapping.isAtomic() && !nothing -> {
        compareMembers(mapping, old, fresh, at);
        return false;
      }
      default -> {
        addLeaf(old, fresh, at);
        return true;
      }
    }
  }

  private static void compareMembers(
      MapShape mapping,
      @Nullable JsonElement old,
      @Nullable JsonElement fresh,
      DifferencePositions at) {
    JsonObject left = old instanceof JsonObject o ? o : new JsonObject();
    JsonObject right = fresh instanceof JsonObject o ? o : new JsonObject();
    for (Map.Entry<String, JsonElement> member : left.entrySet()) {
      String element = FieldSet.toFieldKey(member.getKey());
      compare(
          mapping.below(element),
          member.getValue(),
          right.get(member.getKey()),
          new DifferencePositions(at, element));
    }
    for (Map.Entry<String, JsonElement> member : right.entrySet()) {
      if (!left.has(member.getKey())) {
        String element = FieldSet.toFieldKey(member.getKey());
        compare(
            mapping.below(element), null, member.getValue(), new DifferencePositions(at, element));
      }
    }
  }

  private static void addLeaf(
      @Nullable JsonElement old, @Nullable JsonElement fresh, DifferencePositions at) {
    if (old == null) {
      at.added().setMember();
    } else if (fresh == null) {
      at.removed().setMember();
    } else if (!ListElements.isEqual(old, fresh)) {
      at.modified().setMember();
    }
  }

  static JsonElement merge(
      ValueShape shape, @Nullable JsonElement live, @Nullable JsonElement config) {
    if (config == null || config.isJsonNull() && ListElements.hasMembers(shape)) {
      return live == null ? JsonNull.INSTANCE : live;
    }
    return switch (ListElements.resolveShape(shape, config)) {
      case ListShape list when !list.isAtomic() && config instanceof JsonArray array ->
          ListMerge.merge(
              ListElements.indexElements(list, live instanceof JsonArray a ? a : new JsonArray()),
              ListElements.indexElements(list, array),
              (left, right) -> merge(list.element(), left, right));
      case MapShape mapping when !mapping.isAtomic() && config instanceof JsonObject object -> {
        JsonObject merged = new JsonObject();
        JsonObject before = live instanceof JsonObject o ? o : new JsonObject();
        before.entrySet().forEach(m -> merged.add(m.getKey(), m.getValue()));
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          ValueShape below = mapping.below(FieldSet.toFieldKey(member.getKey()));
          merged.add(member.getKey(), merge(below, before.get(member.getKey()), member.getValue()));
        }
        yield merged;
      }
      default -> config;
    };
  }

  /** Removes the fields from the value; returns null if nothing else remains. */
  static @Nullable JsonElement remove(ValueShape shape, JsonElement value, FieldSet paths) {
    return switch (ListElements.resolveShape(shape, value)) {
      case ListShape list when value instanceof JsonArray array -> {
        if (list.isAtomic() || array.isEmpty()) {
          yield null;
        }
        yield remove(list, array, paths);
      }
      case MapShape mapping when value instanceof JsonObject object -> {
        if (mapping.isAtomic() || object.isEmpty()) {
          yield null;
        }
        yield remove(mapping, object, paths);
      }
      default -> value;
    };
  }

  private static @Nullable JsonElement remove(ListShape list, JsonArray array, FieldSet paths) {
    JsonArray left = new JsonArray();
    boolean touched = false;
    for (JsonElement one : array) {
      FieldSet below = paths.findChild(ListElements.findKey(list, one));
      if (below != null && below.isMember()) {
        continue;
      }
      touched |= below != null;
      left.add(below == null ? one : removeBelow(list.element(), one, below));
    }
    return left.isEmpty() && !touched ? null : left;
  }

  private static @Nullable JsonElement remove(MapShape mapping, JsonObject object, FieldSet paths) {
    JsonObject left = new JsonObject();
    boolean touched = false;
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      String element = FieldSet.toFieldKey(member.getKey());
      FieldSet below = paths.findChild(element);
      if (below != null && below.isMember()) {
        continue;
      }
      touched |= below != null;
      left.add(
          member.getKey(),
          below == null
              ? member.getValue()
              : removeBelow(mapping.below(element), member.getValue(), below));
    }
    return left.isEmpty() && !touched ? null : left;
  }

  private static JsonElement removeBelow(ValueShape shape, JsonElement value, FieldSet paths) {
    JsonElement left = remove(shape, value, paths);
    if (left != null) {
      return left;
    }
    return value instanceof JsonArray
        ? new JsonArray()
        : value instanceof JsonObject ? new JsonObject() : JsonNull.INSTANCE;
  }

  static List<String> findErrors(ValueShape shape, JsonElement value) {
    List<String> all = new ArrayList<>();
    findErrors(shape, value, "", all);
    return all;
  }

  private static void findErrors(
      ValueShape shape, JsonElement value, String path, List<String> all) {
    if (value.isJsonNull()) {
      return;
    }
    switch (ListElements.resolveShape(shape, value)) {
      case ListShape list -> {
        if (!(value instanceof JsonArray array)) {
          all.add(path + ": expected list, got " + nameType(value));
          return;
        }
        findItemErrors(list, array, path, all);
      }
      case MapShape mapping -> {
        if (!(value instanceof JsonObject object)) {
          all.add(path + ": expected map, got " + nameType(value));
          return;
        }
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          String below = path + "." + member.getKey();
          if (mapping.declared(member.getKey()) == null && mapping.others() == null) {
            all.add(below + ": field not declared in schema");
          } else {
            findErrors(
                mapping.below(FieldSet.toFieldKey(member.getKey())), member.getValue(), below, all);
          }
        }
      }
      case ScalarShape scalar -> findScalarErrors(scalar, value, path, all);
      case DeducedShape any -> {}
    }
  }

  private static void findItemErrors(
      ListShape list, JsonArray array, String path, List<String> all) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < array.size(); i++) {
      JsonElement one = array.get(i);
      if (list.isAtomic()) {
        findErrors(list.element(), one, path + "[" + i + "]", all);
        continue;
      }
      if (!list.keys().isEmpty() && !(one instanceof JsonObject)) {
        all.add(
            "%s: element %s: associative list without keys has an element that's a map type"
                .formatted(path, i));
        continue;
      }
      if (list.isStrict()
          && one instanceof JsonObject object
          && !list.keys().isEmpty()
          && list.keys().stream().noneMatch(object::has)
          && list.defaults().stream().allMatch(String::isEmpty)) {
        all.add(
            "%s: element %s: associative list with keys has an element that omits all key fields %s (and doesn't have default values for any key fields)"
                .formatted(path, i, list.keys()));
        continue;
      }
      String element = ListElements.findKey(list, one);
      if (!seen.add(element)) {
        all.add(path + ": duplicate entries for key " + FieldSet.toReadable(element));
      }
      findErrors(list.element(), one, path + FieldSet.toReadable(element), all);
    }
  }

  private static void findScalarErrors(
      ScalarShape scalar, JsonElement value, String path, List<String> all) {
    JsonPrimitive one = value instanceof JsonPrimitive p ? p : null;
    boolean right =
        switch (scalar.kind()) {
          case STRING -> one != null && one.isString();
          case NUMBER -> one != null && one.isNumber();
          case BOOLEAN -> one != null && one.isBoolean();
          case ANY -> one != null;
        };
    if (!right) {
      String expected =
          switch (scalar.kind()) {
            case STRING -> "string";
            case NUMBER -> "numeric (int or float)";
            case BOOLEAN -> "boolean";
            case ANY -> "any scalar";
          };
      all.add(path + ": expected " + expected + ", got " + nameType(value));
    }
  }

  private static String nameType(JsonElement value) {
    if (value.isJsonObject()) {
      return "map";
    }
    if (value.isJsonArray()) {
      return "list";
    }
    JsonPrimitive one = value.getAsJsonPrimitive();
    return one.isString() ? "string" : one.isBoolean() ? "boolean" : "int";
  }
}
