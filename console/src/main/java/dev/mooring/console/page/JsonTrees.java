package dev.mooring.console.page;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.UnreadableKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class JsonTrees {
  private JsonTrees() {}

  static Map<String, Object> document(Object... members) {
    Map<String, Object> document = map("apiVersion", "mooring.dev/v1alpha1");
    document.putAll(map(members));
    return document;
  }

  static Map<String, Object> map(Object... members) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      map.put((String) members[i], members[i + 1]);
    }
    return map;
  }

  static Map<String, Object> summary(Explanation e) {
    return map(
        "kind", e.subject().kind().kind(),
        "namespace", e.subject().key().namespace(),
        "name", e.subject().key().name(),
        "state", e.state(),
        "since", AgeElement.timestamp(e.stateSince()),
        "reason", e.cause().code(),
        "rank", e.cause().rank().token(),
        "note", e.message(),
        "next", map("by", e.nextStep().actor().token(), "text", e.nextStep().text()));
  }

  static List<Map<String, Object>> unseen(List<UnreadableKind> unseen) {
    return unseen.stream()
        .map(u -> map("kind", u.kind().kind(), "why", u.error(), "leavesOpen", u.openQuestion()))
        .toList();
  }

  static List<Map<String, Object>> facts(List<NamedFact> facts) {
    return facts.stream()
        .map(m -> map("what", m.group(), "name", m.name(), "value", m.value()))
        .toList();
  }
}
