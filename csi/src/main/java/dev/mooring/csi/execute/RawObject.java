package dev.mooring.csi.execute;

import dev.mooring.csi.decide.SecretRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

record RawObject(Map<?, ?> members) {
  static RawObject of(Map<?, ?> members) {
    return new RawObject(members);
  }

  RawObject at(String... path) {
    Map<?, ?> current = members;
    for (String name : path) {
      current = current.get(name) instanceof Map<?, ?> inner ? inner : Map.of();
    }
    return new RawObject(current);
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  String text(String name) {
    return members.get(name) instanceof String text ? text : "";
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  List<String> list(String name) {
    return members.get(name) instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }

  List<RawObject> objects(String name) {
    return members.get(name) instanceof List<?> list
        ? list.stream()
            .filter(Map.class::isInstance)
            .map(element -> new RawObject((Map<?, ?>) element))
            .toList()
        : List.of();
  }

  Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    members.forEach((key, value) -> {
      if (value instanceof String text) {
        texts.put(String.valueOf(key), text);
      }
    });
    return Map.copyOf(texts);
  }

  Optional<SecretRef> secretRef(String name) {
    RawObject ref = at(name);
    return ref.text("name").isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(ref.text("namespace"), ref.text("name")));
  }
}
