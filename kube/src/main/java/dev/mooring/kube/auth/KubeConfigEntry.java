package dev.mooring.kube.auth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

record KubeConfigEntry(String description, Map<?, ?> members) {
  String getText(String name) {
    Object value = members.get(name);
    return value == null || value instanceof Map || value instanceof List ? "" : value.toString();
  }

  boolean getFlag(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  boolean has(String name) {
    return members.get(name) != null;
  }

  KubeConfigEntry getEntry(String name) {
    return new KubeConfigEntry(
        description + ": " + name, members.get(name) instanceof Map<?, ?> m ? m : Map.of());
  }

  List<String> getTexts(String name) {
    return toTexts(members.get(name));
  }

  private static List<String> toTexts(@Nullable Object value) {
    List<String> texts = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(element -> texts.add(String.valueOf(element)));
    }
    return List.copyOf(texts);
  }

  Map<String, List<String>> toLists() {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    members.forEach((name, value) -> lists.put(String.valueOf(name), toTexts(value)));
    return lists;
  }

  List<KubeConfigEntry> getEntries(String name) {
    List<KubeConfigEntry> entries = new ArrayList<>();
    if (members.get(name) instanceof List<?> list) {
      for (Object element : list) {
        entries.add(
            new KubeConfigEntry(
                description + ": " + name, element instanceof Map<?, ?> m ? m : Map.of()));
      }
    }
    return List.copyOf(entries);
  }

  @Override
  public String toString() {
    return description;
  }
}
