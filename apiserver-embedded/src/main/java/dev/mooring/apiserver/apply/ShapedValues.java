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
    FieldSet getModifiedOrAdded() {
      return modified.union(added);
    }
  }

  private ShapedValues() {}

  static FieldSet collectFields(ValueShape shape, JsonElement value) {
    FieldSet set = new FieldSet();
    collectFields(shape, value, set);
    return set;
  }

  private static void collectFields(ValueShape shape, JsonElement value, FieldSet target) {
    switch (ListElements.resolveShape(shape, value)) {
      case ListShape list -> {
        if (list.isAtomic()) {
          target.setMember();
        } else if (value instanceof JsonArray array) {
          for (JsonElement element : array) {
            FieldSet child = target.getOrAddChild(ListElements.makePathElement(list, element));
            collectFields(list.element(), element, child);
            child.setMember();
          }
        }
      }
      case MapShape mapping -> {
        if (mapping.isAtomic()) {
          target.setMember();
        } else if (value instanceof JsonObject object) {
          for (Map.Entry<String, JsonElement> member : object.entrySet()) {
            String element = FieldSet.toFieldKey(member.getKey());
            FieldSet child = target.getOrAddChild(element);
            collectFields(shape.getShapeBelow(element), member.getValue(), child);
            boolean isEmptyMember =
                member.getValue().isJsonNull()
                    || member.getValue() instanceof JsonObject o && o.isEmpty();
            if (isEmptyMember || mapping.findDeclaredShape(member.getKey()) == null) {
              child.setMember();
            }
          }
        }
      }
      default -> target.setMember();
    }
  }

  static ValueDifference compare(ValueShape shape, JsonElement old, JsonElement current) {
    ValueDifference result = new ValueDifference(new FieldSet(), new FieldSet(), new FieldSet());
    compare(
        shape,
        old,
        current,
        new DifferencePositions(result.removed, result.modified, result.added));
    return result;
  }

  private static void compare(
      ValueShape shape,
      @Nullable JsonElement old,
      @Nullable JsonElement current,
      DifferencePositions positions) {
    if (old != null && old == current) {
      return;
    }
    ValueShape currentShape =
        ListElements.resolveShape(shape, current == null || current.isJsonNull() ? old : current);
    ValueShape oldShape =
        ListElements.resolveShape(shape, old == null || old.isJsonNull() ? current : old);
    boolean isLeaf;
    if (currentShape.getClass() != oldShape.getClass()) {
      isLeaf = true;
      addLeaf(old, current, positions);
    } else {
      isLeaf = compareChildren(currentShape, old, current, positions);
    }
    if (!isLeaf) {
      if (old == null) {
        positions.getOrAddAdded().setMember();
      } else if (current == null) {
        positions.getOrAddRemoved().setMember();
      }
    }
  }

  private static boolean compareChildren(
      ValueShape shape,
      @Nullable JsonElement old,
      @Nullable JsonElement current,
      DifferencePositions positions) {
    boolean areBothEmpty = ListElements.isNullOrEmpty(old) && ListElements.isNullOrEmpty(current);
    switch (shape) {
      case ListShape list when !list.isAtomic() && !areBothEmpty -> {
        Map<String, JsonElement> oldElements = ListElements.indexElements(list, old);
        Map<String, JsonElement> currentElements = ListElements.indexElements(list, current);
        Set<String> elements = new LinkedHashSet<>(oldElements.keySet());
        elements.addAll(currentElements.keySet());
        for (String element : elements) {
          compare(
              list.element(),
              oldElements.get(element),
              currentElements.get(element),
              new DifferencePositions(positions, element));
        }
        return false;
      }
      case MapShape mapping when !mapping.isAtomic() && !areBothEmpty -> {
        compareMembers(mapping, old, current, positions);
        return false;
      }
      default -> {
        addLeaf(old, current, positions);
        return true;
      }
    }
  }

  private static void compareMembers(
      MapShape mapping,
      @Nullable JsonElement old,
      @Nullable JsonElement current,
      DifferencePositions positions) {
    JsonObject oldObject = old instanceof JsonObject o ? o : new JsonObject();
    JsonObject currentObject = current instanceof JsonObject o ? o : new JsonObject();
    for (Map.Entry<String, JsonElement> member : oldObject.entrySet()) {
      String element = FieldSet.toFieldKey(member.getKey());
      compare(
          mapping.getShapeBelow(element),
          member.getValue(),
          currentObject.get(member.getKey()),
          new DifferencePositions(positions, element));
    }
    for (Map.Entry<String, JsonElement> member : currentObject.entrySet()) {
      if (!oldObject.has(member.getKey())) {
        String element = FieldSet.toFieldKey(member.getKey());
        compare(
            mapping.getShapeBelow(element),
            null,
            member.getValue(),
            new DifferencePositions(positions, element));
      }
    }
  }

  private static void addLeaf(
      @Nullable JsonElement old, @Nullable JsonElement current, DifferencePositions positions) {
    if (old == null) {
      positions.getOrAddAdded().setMember();
    } else if (current == null) {
      positions.getOrAddRemoved().setMember();
    } else if (!ListElements.isEqual(old, current)) {
      positions.getOrAddModified().setMember();
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
        JsonObject liveObject = live instanceof JsonObject o ? o : new JsonObject();
        liveObject.entrySet().forEach(m -> merged.add(m.getKey(), m.getValue()));
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          ValueShape memberShape = mapping.getShapeBelow(FieldSet.toFieldKey(member.getKey()));
          merged.add(
              member.getKey(),
              merge(memberShape, liveObject.get(member.getKey()), member.getValue()));
        }
        yield merged;
      }
      default -> config;
    };
  }

  /** Removes the fields from the value; returns null if nothing else remains. */
  static @Nullable JsonElement removeFields(ValueShape shape, JsonElement value, FieldSet paths) {
    return switch (ListElements.resolveShape(shape, value)) {
      case ListShape list when value instanceof JsonArray array -> {
        if (list.isAtomic() || array.isEmpty()) {
          yield null;
        }
        yield removeElements(list, array, paths);
      }
      case MapShape mapping when value instanceof JsonObject object -> {
        if (mapping.isAtomic() || object.isEmpty()) {
          yield null;
        }
        yield removeMembers(mapping, object, paths);
      }
      default -> value;
    };
  }

  private static @Nullable JsonElement removeElements(
      ListShape list, JsonArray array, FieldSet paths) {
    JsonArray remaining = new JsonArray();
    boolean isTouched = false;
    for (JsonElement element : array) {
      FieldSet elementPaths = paths.findChild(ListElements.makePathElement(list, element));
      if (elementPaths != null && elementPaths.isMember()) {
        continue;
      }
      isTouched |= elementPaths != null;
      remaining.add(
          elementPaths == null ? element : removeBelow(list.element(), element, elementPaths));
    }
    return remaining.isEmpty() && !isTouched ? null : remaining;
  }

  private static @Nullable JsonElement removeMembers(
      MapShape mapping, JsonObject object, FieldSet paths) {
    JsonObject remaining = new JsonObject();
    boolean isTouched = false;
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      String element = FieldSet.toFieldKey(member.getKey());
      FieldSet memberPaths = paths.findChild(element);
      if (memberPaths != null && memberPaths.isMember()) {
        continue;
      }
      isTouched |= memberPaths != null;
      remaining.add(
          member.getKey(),
          memberPaths == null
              ? member.getValue()
              : removeBelow(mapping.getShapeBelow(element), member.getValue(), memberPaths));
    }
    return remaining.isEmpty() && !isTouched ? null : remaining;
  }

  private static JsonElement removeBelow(ValueShape shape, JsonElement value, FieldSet paths) {
    JsonElement remaining = removeFields(shape, value, paths);
    if (remaining != null) {
      return remaining;
    }
    return value instanceof JsonArray
        ? new JsonArray()
        : value instanceof JsonObject ? new JsonObject() : JsonNull.INSTANCE;
  }

  static List<String> findErrors(ValueShape shape, JsonElement value) {
    List<String> errors = new ArrayList<>();
    findErrors(shape, value, "", errors);
    return errors;
  }

  private static void findErrors(
      ValueShape shape, JsonElement value, String path, List<String> errors) {
    if (value.isJsonNull()) {
      return;
    }
    switch (ListElements.resolveShape(shape, value)) {
      case ListShape list -> {
        if (!(value instanceof JsonArray array)) {
          errors.add(path + ": expected list, got " + getTypeName(value));
          return;
        }
        findItemErrors(list, array, path, errors);
      }
      case MapShape mapping -> {
        if (!(value instanceof JsonObject object)) {
          errors.add(path + ": expected map, got " + getTypeName(value));
          return;
        }
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          String memberPath = path + "." + member.getKey();
          if (mapping.findDeclaredShape(member.getKey()) == null
              && mapping.undeclaredShape() == null) {
            errors.add(memberPath + ": field not declared in schema");
          } else {
            findErrors(
                mapping.getShapeBelow(FieldSet.toFieldKey(member.getKey())),
                member.getValue(),
                memberPath,
                errors);
          }
        }
      }
      case ScalarShape scalar -> findScalarErrors(scalar, value, path, errors);
      case DeducedShape any -> {}
    }
  }

  private static void findItemErrors(
      ListShape list, JsonArray array, String path, List<String> errors) {
    Set<String> uniqueElements = new HashSet<>();
    for (int i = 0; i < array.size(); i++) {
      JsonElement item = array.get(i);
      if (list.isAtomic()) {
        findErrors(list.element(), item, path + "[" + i + "]", errors);
        continue;
      }
      if (!list.keys().isEmpty() && !(item instanceof JsonObject)) {
        errors.add(
            "%s: element %s: associative list without keys has an element that's a map type"
                .formatted(path, i));
        continue;
      }
      if (list.isStrict()
          && item instanceof JsonObject object
          && !list.keys().isEmpty()
          && list.keys().stream().noneMatch(object::has)
          && list.defaults().stream().allMatch(String::isEmpty)) {
        errors.add(
            "%s: element %s: associative list with keys has an element that omits all key fields %s (and doesn't have default values for any key fields)"
                .formatted(path, i, list.keys()));
        continue;
      }
      String element = ListElements.makePathElement(list, item);
      if (!uniqueElements.add(element)) {
        errors.add(path + ": duplicate entries for key " + FieldSet.formatElement(element));
      }
      findErrors(list.element(), item, path + FieldSet.formatElement(element), errors);
    }
  }

  private static void findScalarErrors(
      ScalarShape scalar, JsonElement value, String path, List<String> errors) {
    JsonPrimitive primitive = value instanceof JsonPrimitive p ? p : null;
    boolean isMatch =
        switch (scalar.kind()) {
          case STRING -> primitive != null && primitive.isString();
          case NUMBER -> primitive != null && primitive.isNumber();
          case BOOLEAN -> primitive != null && primitive.isBoolean();
          case ANY -> primitive != null;
        };
    if (!isMatch) {
      String expected =
          switch (scalar.kind()) {
            case STRING -> "string";
            case NUMBER -> "numeric (int or float)";
            case BOOLEAN -> "boolean";
            case ANY -> "any scalar";
          };
      errors.add(path + ": expected " + expected + ", got " + getTypeName(value));
    }
  }

  private static String getTypeName(JsonElement value) {
    if (value.isJsonObject()) {
      return "map";
    }
    if (value.isJsonArray()) {
      return "list";
    }
    JsonPrimitive primitive = value.getAsJsonPrimitive();
    return primitive.isString() ? "string" : primitive.isBoolean() ? "boolean" : "int";
  }
}
