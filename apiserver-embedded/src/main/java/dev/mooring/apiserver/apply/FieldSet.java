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
  private boolean isMember;

  public static String toFieldKey(String name) {
    return "f:" + name;
  }

  FieldSet getOrAddChild(String element) {
    return children.computeIfAbsent(element, e -> new FieldSet());
  }

  @Nullable FieldSet findChild(String element) {
    return children.get(element);
  }

  boolean isMember() {
    return isMember;
  }

  void setMember() {
    isMember = true;
  }

  public FieldSet with(String... names) {
    FieldSet node = this;
    for (String name : names) {
      node = node.getOrAddChild(toFieldKey(name));
    }
    node.isMember = true;
    return this;
  }

  public boolean isEmpty() {
    if (isMember) {
      return false;
    }
    for (FieldSet child : children.values()) {
      if (!child.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private FieldSet removeEmptyNodes() {
    for (Iterator<FieldSet> iterator = children.values().iterator(); iterator.hasNext(); ) {
      if (iterator.next().isEmpty()) {
        iterator.remove();
      }
    }
    return this;
  }

  public FieldSet union(FieldSet other) {
    FieldSet result = new FieldSet();
    result.isMember = isMember || other.isMember;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      result.children.put(e, counterpart == null ? s : s.union(counterpart));
    });
    other.children.forEach(result.children::putIfAbsent);
    return result;
  }

  public FieldSet subtract(FieldSet other) {
    FieldSet result = new FieldSet();
    result.isMember = isMember && !other.isMember;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      result.children.put(e, counterpart == null ? s : s.subtract(counterpart));
    });
    return result.removeEmptyNodes();
  }

  /** Returns the paths that are neither in {@code other} nor below one of its paths. */
  public FieldSet withoutSubtrees(FieldSet other) {
    FieldSet result = new FieldSet();
    if (other.isMember) {
      return result;
    }
    result.isMember = isMember;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      result.children.put(e, counterpart == null ? s : s.withoutSubtrees(counterpart));
    });
    return result.removeEmptyNodes();
  }

  public FieldSet restrictTo(String name) {
    FieldSet result = new FieldSet();
    FieldSet child = children.get(toFieldKey(name));
    if (child != null) {
      result.children.put(toFieldKey(name), child);
    }
    return result;
  }

  public FieldSet intersect(FieldSet other) {
    FieldSet result = new FieldSet();
    result.isMember = isMember && other.isMember;
    children.forEach((e, s) -> {
      FieldSet counterpart = other.children.get(e);
      if (counterpart != null) {
        result.children.put(e, s.intersect(counterpart));
      }
    });
    return result.removeEmptyNodes();
  }

  /** Adds every struct on the way to a path of the set. */
  FieldSet withStructs(ValueShape shape) {
    FieldSet result = new FieldSet();
    result.isMember = isMember;
    children.forEach((element, set) -> {
      ValueShape childShape = shape.getShapeBelow(element);
      FieldSet expanded = set.withStructs(childShape);
      if (!expanded.children.isEmpty()
          && element.startsWith("f:")
          && shape instanceof ValueShape.MapShape mapping
          && mapping.findDeclaredShape(element.substring(2)) != null) {
        expanded.isMember = true;
      }
      result.children.put(element, expanded);
    });
    return result;
  }

  public List<String> listPaths() {
    List<String> paths = new ArrayList<>();
    collectPaths("", paths);
    return paths;
  }

  private void collectPaths(String path, List<String> paths) {
    if (isMember) {
      paths.add(path);
    }
    children.forEach((e, s) -> s.collectPaths(path + formatElement(e), paths));
  }

  static String formatElement(String element) {
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
    if (isMember && !children.isEmpty()) {
      object.add(".", new JsonObject());
    }
    children.forEach((e, s) -> object.add(e, s.toJson()));
    return object;
  }

  /** Returns the set that fieldsV1 describes; null if it is malformed. */
  public static @Nullable FieldSet fromJson(JsonElement fields) {
    return fields instanceof JsonObject object ? parseObject(object, true) : null;
  }

  private static @Nullable FieldSet parseObject(JsonObject object, boolean isRoot) {
    FieldSet set = new FieldSet();
    set.isMember = !isRoot && object.isEmpty();
    for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
      if (entry.getKey().equals(".")) {
        set.isMember = !isRoot;
        continue;
      }
      if (!entry.getKey().matches("(?s)[fkvi]:.*")
          || !(entry.getValue() instanceof JsonObject nested)) {
        return null;
      }
      FieldSet child = parseObject(nested, false);
      if (child == null) {
        return null;
      }
      set.children.put(entry.getKey(), child);
    }
    return set;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet set
        && set.isMember == isMember
        && set.children.equals(children);
  }

  @Override
  public int hashCode() {
    return children.hashCode() + (isMember ? 1 : 0);
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
