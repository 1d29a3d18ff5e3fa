package dev.mooring.apiserver.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values under a shape: their fields, their difference, their merge. Trees are never changed. */
final class Typed {
  /**
   * What makes one value another.
   *
   * @param removed what only the old one has
   * @param modified what both have, and differently
   * @param added what only the new one has
   */
  record Comparison(FieldSet removed, FieldSet modified, FieldSet added) {
    FieldSet changed() {
      return modified.union(added);
    }
  }

  private Typed() {}

  /** Every field that the value has. */
  static FieldSet fields(Shape shape, JsonElement value) {
    FieldSet set = new FieldSet();
    fields(shape, value, set);
    return set;
  }

  private static void fields(Shape shape, JsonElement value, FieldSet into) {
    switch (Elements.settle(shape, value)) {
      case Shape.Listing list -> {
        if (list.isAtomic()) {
          into.setMember();
        } else if (value instanceof JsonArray array) {
          for (JsonElement one : array) {
            FieldSet below = into.under(Elements.of(list, one));
            fields(list.element(), one, below);
            below.setMember();
          }
        }
      }
      case Shape.Mapping mapping -> {
        if (mapping.isAtomic()) {
          into.setMember();
        } else if (value instanceof JsonObject object) {
          for (Map.Entry<String, JsonElement> member : object.entrySet()) {
            String element = FieldSet.field(member.getKey());
            FieldSet below = into.under(element);
            fields(shape.below(element), member.getValue(), below);
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

  /** What makes the old value the new one. */
  static Comparison compare(Shape shape, JsonElement old, JsonElement fresh) {
    Comparison result = new Comparison(new FieldSet(), new FieldSet(), new FieldSet());
    compare(shape, old, fresh, new Places(result.removed, result.modified, result.added));
    return result;
  }

  /** Where the walk is in each of the three sets; made only when something is to be noted there. */
  private static final class Places {
    private final @Nullable Places parent;
    private final String element;
    private @Nullable FieldSet removed;
    private @Nullable FieldSet modified;
    private @Nullable FieldSet added;

    Places(FieldSet removed, FieldSet modified, FieldSet added) {
      this.parent = null;
      this.element = "";
      this.removed = removed;
      this.modified = modified;
      this.added = added;
    }

    Places(Places parent, String element) {
      this.parent = parent;
      this.element = element;
    }

    FieldSet removed() {
      if (removed == null) {
        removed = parent == null ? new FieldSet() : parent.removed().under(element);
      }
      return removed;
    }

    FieldSet modified() {
      if (modified == null) {
        modified = parent == null ? new FieldSet() : parent.modified().under(element);
      }
      return modified;
    }

    FieldSet added() {
      if (added == null) {
        added = parent == null ? new FieldSet() : parent.added().under(element);
      }
      return added;
    }
  }

  private static void compare(
      Shape shape, @Nullable JsonElement old, @Nullable JsonElement fresh, Places at) {
    if (old != null && old == fresh) {
      return;
    }
    Shape now = Elements.settle(shape, fresh == null || fresh.isJsonNull() ? old : fresh);
    Shape then = Elements.settle(shape, old == null || old.isJsonNull() ? fresh : old);
    boolean isLeaf;
    if (now.getClass() != then.getClass()) {
      isLeaf = true;
      leaf(old, fresh, at);
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
      Shape shape, @Nullable JsonElement old, @Nullable JsonElement fresh, Places at) {
    boolean nothing = Elements.isNothing(old) && Elements.isNothing(fresh);
    switch (shape) {
      case Shape.Listing list when !list.isAtomic() && !nothing -> {
        Map<String, JsonElement> left = Elements.index(list, old);
        Map<String, JsonElement> right = Elements.index(list, fresh);
        Set<String> all = new LinkedHashSet<>(left.keySet());
        all.addAll(right.keySet());
        for (String element : all) {
          compare(list.element(), left.get(element), right.get(element), new Places(at, element));
        }
        return false;
      }
      case Shape.Mapping mapping when !mapping.isAtomic() && !nothing -> {
        members(mapping, old, fresh, at);
        return false;
      }
      default -> {
        leaf(old, fresh, at);
        return true;
      }
    }
  }

  private static void members(
      Shape.Mapping mapping, @Nullable JsonElement old, @Nullable JsonElement fresh, Places at) {
    JsonObject left = old instanceof JsonObject o ? o : new JsonObject();
    JsonObject right = fresh instanceof JsonObject o ? o : new JsonObject();
    for (Map.Entry<String, JsonElement> member : left.entrySet()) {
      String element = FieldSet.field(member.getKey());
      compare(
          mapping.below(element),
          member.getValue(),
          right.get(member.getKey()),
          new Places(at, element));
    }
    for (Map.Entry<String, JsonElement> member : right.entrySet()) {
      if (!left.has(member.getKey())) {
        String element = FieldSet.field(member.getKey());
        compare(mapping.below(element), null, member.getValue(), new Places(at, element));
      }
    }
  }

  private static void leaf(@Nullable JsonElement old, @Nullable JsonElement fresh, Places at) {
    if (old == null) {
      at.added().setMember();
    } else if (fresh == null) {
      at.removed().setMember();
    } else if (!Elements.same(old, fresh)) {
      at.modified().setMember();
    }
  }

  /** The live value with what the configuration says. */
  static JsonElement merge(Shape shape, @Nullable JsonElement live, @Nullable JsonElement config) {
    if (config == null || config.isJsonNull() && Elements.hasMembers(shape)) {
      return live == null ? JsonNull.INSTANCE : live;
    }
    return switch (Elements.settle(shape, config)) {
      case Shape.Listing list when !list.isAtomic() && config instanceof JsonArray array ->
          Weave.of(
              Elements.index(list, live instanceof JsonArray a ? a : new JsonArray()),
              Elements.index(list, array),
              (left, right) -> merge(list.element(), left, right));
      case Shape.Mapping mapping
          when !mapping.isAtomic() && config instanceof JsonObject object -> {
        JsonObject merged = new JsonObject();
        JsonObject before = live instanceof JsonObject o ? o : new JsonObject();
        before.entrySet().forEach(m -> merged.add(m.getKey(), m.getValue()));
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          Shape below = mapping.below(FieldSet.field(member.getKey()));
          merged.add(member.getKey(), merge(below, before.get(member.getKey()), member.getValue()));
        }
        yield merged;
      }
      default -> config;
    };
  }

  /** The value without those fields; null if nothing of it is left that was not taken. */
  static @Nullable JsonElement remove(Shape shape, JsonElement value, FieldSet gone) {
    return switch (Elements.settle(shape, value)) {
      case Shape.Listing list when value instanceof JsonArray array -> {
        if (list.isAtomic() || array.isEmpty()) {
          yield null;
        }
        yield remove(list, array, gone);
      }
      case Shape.Mapping mapping when value instanceof JsonObject object -> {
        if (mapping.isAtomic() || object.isEmpty()) {
          yield null;
        }
        yield remove(mapping, object, gone);
      }
      default -> value;
    };
  }

  private static @Nullable JsonElement remove(Shape.Listing list, JsonArray array, FieldSet gone) {
    JsonArray left = new JsonArray();
    boolean touched = false;
    for (JsonElement one : array) {
      FieldSet below = gone.at(Elements.of(list, one));
      if (below != null && below.isMember()) {
        continue;
      }
      touched |= below != null;
      left.add(below == null ? one : rest(list.element(), one, below));
    }
    return left.isEmpty() && !touched ? null : left;
  }

  private static @Nullable JsonElement remove(
      Shape.Mapping mapping, JsonObject object, FieldSet gone) {
    JsonObject left = new JsonObject();
    boolean touched = false;
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      String element = FieldSet.field(member.getKey());
      FieldSet below = gone.at(element);
      if (below != null && below.isMember()) {
        continue;
      }
      touched |= below != null;
      left.add(
          member.getKey(),
          below == null
              ? member.getValue()
              : rest(mapping.below(element), member.getValue(), below));
    }
    return left.isEmpty() && !touched ? null : left;
  }

  private static JsonElement rest(Shape shape, JsonElement value, FieldSet gone) {
    JsonElement left = remove(shape, value, gone);
    if (left != null) {
      return left;
    }
    return value instanceof JsonArray
        ? new JsonArray()
        : value instanceof JsonObject ? new JsonObject() : JsonNull.INSTANCE;
  }

  /** What is wrong with the value under its shape, each with its path; duplicates too. */
  static List<String> errors(Shape shape, JsonElement value) {
    List<String> all = new ArrayList<>();
    errors(shape, value, "", all);
    return all;
  }

  private static void errors(Shape shape, JsonElement value, String path, List<String> all) {
    if (value.isJsonNull()) {
      return;
    }
    switch (Elements.settle(shape, value)) {
      case Shape.Listing list -> {
        if (!(value instanceof JsonArray array)) {
          all.add(path + ": expected list, got " + named(value));
          return;
        }
        items(list, array, path, all);
      }
      case Shape.Mapping mapping -> {
        if (!(value instanceof JsonObject object)) {
          all.add(path + ": expected map, got " + named(value));
          return;
        }
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          String below = path + "." + member.getKey();
          if (mapping.declared(member.getKey()) == null && mapping.others() == null) {
            all.add(below + ": field not declared in schema");
          } else {
            errors(mapping.below(FieldSet.field(member.getKey())), member.getValue(), below, all);
          }
        }
      }
      case Shape.Scalar scalar -> scalar(scalar, value, path, all);
      case Shape.Deduced any -> {}
    }
  }

  private static void items(Shape.Listing list, JsonArray array, String path, List<String> all) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < array.size(); i++) {
      JsonElement one = array.get(i);
      if (list.isAtomic()) {
        errors(list.element(), one, path + "[" + i + "]", all);
        continue;
      }
      if (!list.keys().isEmpty() && !(one instanceof JsonObject)) {
        all.add(
            path
                + ": element "
                + i
                + ": associative list without keys has an element that's a map type");
        continue;
      }
      if (list.isStrict()
          && one instanceof JsonObject object
          && !list.keys().isEmpty()
          && list.keys().stream().noneMatch(object::has)
          && list.defaults().stream().allMatch(String::isEmpty)) {
        all.add(
            path
                + ": element "
                + i
                + ": associative list with keys has an element that omits all key fields "
                + list.keys()
                + " (and doesn't have default values for any key fields)");
        continue;
      }
      String element = Elements.of(list, one);
      if (!seen.add(element)) {
        all.add(path + ": duplicate entries for key " + FieldSet.readable(element));
      }
      errors(list.element(), one, path + FieldSet.readable(element), all);
    }
  }

  private static void scalar(
      Shape.Scalar scalar, JsonElement value, String path, List<String> all) {
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
      all.add(path + ": expected " + expected + ", got " + named(value));
    }
  }

  private static String named(JsonElement value) {
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
