package dev.mooring.kube.auth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

record KubeConfigEntry(String what, Map<?, ?> members) {
  String text(String name) {
    Object value = members.get(name);
    return value == null || value instanceof Map || value instanceof List ? "" : value.toString();
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  boolean has(String name) {
    return members.get(name) != null;
  }

  KubeConfigEntry at(String name) {
    return new KubeConfigEntry(
        what + ": " + name, members.get(name) instanceof Map<?, ?> m ? m : Map.of());
  }

  List<String> texts(String name) {
    return texts(members.get(name));
  }

  private static List<String> texts(@Nullable Object value) {
    List<String> texts = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(each -> texts.add(String.valueOf(each)));
    }
    return List.copyOf(texts);
  }

  Map<String, List<String>> lists() {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    members.forEach((name, value) -> lists.put(String.valueOf(name), texts(value)));
    return lists;
  }

  List<KubeConfigEntry> entries(String name) {
    List<KubeConfigEntry> entries = new ArrayList<>();
    if (members.get(name) instanceof List<?> list) {
      for (Object each : list) {
        entries.add(
            new KubeConfigEntry(what + ": " + name, each instanceof Map<?, ?> m ? m : Map.of()));
      }
    }
    return List.copyOf(entries);
  }

  @Override
  public String toString() {
    return what;
  }
}
