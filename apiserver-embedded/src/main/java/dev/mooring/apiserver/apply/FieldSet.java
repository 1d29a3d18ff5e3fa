package dev.mooring.apiserver.apply;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths into an object, as a tree. Path elements are written as in fieldsV1: {@code
 * f:name} for a member, {@code k:{"name":"c"}} for an element of a list with keys, {@code v:"x"}
 * for an element of a set. Not thread-safe.
 */
public final class FieldSet {
  private final Map<String, FieldSet> children = new TreeMap<>();
  private boolean member;

  public static String toFieldKey(String name) {
    return "f:" + name;
  }

  FieldSet getOrAddChild(String element) {
    return children.computeIfAbsent(element, e -> new FieldSet());
  }

  @Nullable FieldSet findChild(String element) {
    return children.get(element);
  }

  Map<String, FieldSet> getChildren() {
    return children;
  }

  boolean isMember() {
    return member;
  }

  void setMember() {
    member = true;
  }

  public FieldSet with(String... names) {
    FieldSet here = this;
    for (String name : names) {
      here = here.getOrAddChild(toFieldKey(name));
    }
    here.member = true;
    return this;
  }

  public boolean isEmpty() {
    if (member) {
      return false;
    }
    for (FieldSet one : children.values()) {
      if (!one.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private FieldSet removeEmptyNodes() {
    for (Iterator<FieldSet> all = children.values().iterator(); all.hasNext(); ) {
      if (all.next().isEmpty()) {
        all.remove();
      }
    }
    return this;
  }

  public FieldSet union(FieldSet other) {
    FieldSet result = new FieldSet();
    result.member = member || other.member;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      result.children.put(e, counterpart == null ? s : s.union(counterpart));
    });
    other.children.forEach(result.children::putIfAbsent);
    return result;
  }

  public FieldSet difference(FieldSet other) {
    FieldSet result = new FieldSet();
    result.member = member && !other.member;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      result.children.put(e, counterpart == null ? s : s.difference(counterpart));
    });
    return result.removeEmptyNodes();
  }

  /** Returns the paths that are neither in {@code other} nor below one of its paths. */
  public FieldSet without(FieldSet other) {
    FieldSet result = new FieldSet();
    if (other.member) {
      return result;
    }
    result.member = member;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      result.children.put(e, counterpart == null ? s : s.without(counterpart));
    });
    return result.removeEmptyNodes();
  }

  public FieldSet only(String name) {
    FieldSet result = new FieldSet();
    FieldSet kept = children.get(toFieldKey(name));
    if (kept != null) {
      result.children.put(toFieldKey(name), kept);
    }
    return result;
  }

  public FieldSet intersection(FieldSet other) {
    FieldSet result = new FieldSet();
    result.member = member && other.member;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      if (counterpart != null) {
        result.children.put(e, s.intersection(counterpart));
      }
    });
    return result.removeEmptyNodes();
  }

  /** Adds every struct on the way to a path of the set. */
  FieldSet withStructs(ValueShape shape) {
    FieldSet result = new FieldSet();
    result.member = member;
    children.forEach((element, set) -> {
      ValueShape child = shape.below(element);
      FieldSet part = set.withStructs(child);
      if (!part.children.isEmpty()
          && element.startsWith("f:")
          && shape instanceof ValueShape.MapShape mapping
          && mapping.declared(element.substring(2)) != null) {
        part.member = true;
      }
      result.children.put(element, part);
    });
    return result;
  }

  public List<String> listPaths() {
    List<String> all = new ArrayList<>();
    collect("", all);
    return all;
  }

  private void collect(String path, List<String> into) {
    if (member) {
      into.add(path);
    }
    children.forEach((e, s) -> s.collect(path + toReadable(e), into));
  }

  static String toReadable(String element) {
    String text = element.substring(2);
    if (element.startsWith("f:")) {
      return "." + text;
    }
    if (element.startsWith("v:")) {
      return "[=" + text + "]";
    }
    List<String> keys = new ArrayList<>();
    JsonParser.parseString(text)
        .getAsJsonObject()
        .entrySet()
        .forEach(k -> keys.add(k.getKey() + "=" + k.getValue()));
    return "[" + String.join(",", keys) + "]";
  }

  public JsonObject toJson() {
    JsonObject object = new JsonObject();
    if (member && !children.isEmpty()) {
      object.add(".", new JsonObject());
    }
    children.forEach((e, s) -> object.add(e, s.toJson()));
    return object;
  }

  /** Returns the set that fieldsV1 describes; null if it is malformed. */
  public static @Nullable FieldSet fromJson(JsonElement fields) {
    return fields instanceof JsonObject object ? read(object, true) : null;
  }

  private static @Nullable FieldSet read(JsonObject object, boolean isRoot) {
    FieldSet set = new FieldSet();
    set.member = !isRoot && object.isEmpty();
    for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
      if (entry.getKey().equals(".")) {
        set.member = !isRoot;
        continue;
      }
      if (!entry.getKey().matches("(?s)[fkvi]:.*")
          || !(entry.getValue() instanceof JsonObject nested)) {
        return null;
      }
      FieldSet part = read(nested, false);
      if (part == null) {
        return null;
      }
      set.children.put(entry.getKey(), part);
    }
    return set;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet set && set.member == member && set.children.equals(children);
  }

  @Override
  public int hashCode() {
    return children.hashCode() + (member ? 1 : 0);
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
