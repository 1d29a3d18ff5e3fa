package dev.mooring.manager.shadow.pairing;

import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Facts that a write would change. The value of a removed fact is "". */
public final class WriteFacts {
  private final Kind<?> kind;
  private final ObjectKey key;
  private final Map<FactKey, String> before;
  private final Map<FactKey, String> changes = new TreeMap<>();

  private WriteFacts(Kind<?> kind, ObjectKey key, @Nullable Resource object) {
    this.kind = kind;
    this.key = key;
    this.before = ObjectFacts.of(object);
  }

  /**
   * Returns the facts that a merge patch changes.
   *
   * @param object cached state of the object; null if unknown
   */
  public static Map<FactKey, String> ofPatch(
      Kind<?> kind, ObjectKey key, Document patch, @Nullable Resource object) {
    WriteFacts facts = new WriteFacts(kind, key, object);
    facts.addMetadata(patch.members());
    facts.addSpec(membersOf(patch.members().get("spec")));
    facts.addStatus(membersOf(patch.members().get("status")));
    return facts.changes;
  }

  public static Map<FactKey, String> ofCreation(Kind<?> kind, ObjectKey key, Document object) {
    WriteFacts facts = new WriteFacts(kind, key, null);
    if (kind.equals(Kind.VOLUME)) {
      facts.addSpec(membersOf(object.members().get("spec")));
    }
    facts.put(ObjectFacts.EXISTS, ObjectFacts.PRESENT);
    return facts.changes;
  }

  public static Map<FactKey, String> ofDeletion(
      Kind<?> kind, ObjectKey key, @Nullable Resource object) {
    WriteFacts facts = new WriteFacts(kind, key, object);
    facts.put(ObjectFacts.EXISTS, "");
    return facts.changes;
  }

  private void put(String property, String value) {
    put(new FactKey(kind.kind(), key, property), value);
  }

  private void put(FactKey fact, String value) {
    if (!before.getOrDefault(fact, "").equals(value)) {
      changes.put(fact, value);
    }
  }

  private void addMetadata(Map<?, ?> members) {
    Map<?, ?> metadata = membersOf(members.get("metadata"));
    membersOf(metadata.get("annotations"))
        .forEach((name, value) -> {
          String annotation = String.valueOf(name);
          if (ObjectFacts.isComparable(annotation)) {
            put(ObjectFacts.annotation(annotation), textOf(value));
          }
        });
    if (metadata.containsKey("finalizers")) {
      putList(ObjectFacts.FINALIZER, namesOf(metadata.get("finalizers")));
    }
  }

  // A patch replaces a list: members of the cached list that the patch lacks are removed.
  private void putList(String property, Set<String> names) {
    names.forEach(name -> put(property + "[" + name + "]", ObjectFacts.PRESENT));
    before.keySet().stream()
        .map(FactKey::property)
        .filter(known -> known.startsWith(property + "["))
        .filter(
            known -> !names.contains(known.substring(property.length() + 1, known.length() - 1)))
        .forEach(known -> put(known, ""));
  }

  private void addSpec(Map<?, ?> spec) {
    if (spec.containsKey("claimRef")) {
      addClaimRef(spec.get("claimRef"));
    }
    if (spec.containsKey("volumeName")) {
      String volume = textOf(spec.get("volumeName"));
      put("spec.volumeName", volume);
      put(ObjectFacts.VOLUME, volume);
    }
    if (kind.equals(Kind.CLAIM) && spec.containsKey("storageClassName")) {
      put(ObjectFacts.CLASS, textOf(spec.get("storageClassName")));
    }
    addQuantity(spec, "spec");
  }

  private void addClaimRef(@Nullable Object reference) {
    Map<?, ?> members = membersOf(reference);
    String current = before.getOrDefault(new FactKey(kind.kind(), key, ObjectFacts.CLAIM_REF), "");
    if (reference == null) {
      put(ObjectFacts.CLAIM_REF, "");
    } else if (members.get("uid") == null) {
      put(ObjectFacts.CLAIM_REF, current.replaceFirst(" .*", "") + " " + ObjectFacts.RESERVED);
    } else {
      ObjectKey claim = ObjectKey.of(textOf(members.get("namespace")), textOf(members.get("name")));
      put(ObjectFacts.CLAIM_REF, claim + " " + members.get("uid"));
      put(new FactKey(Kind.CLAIM.kind(), claim, ObjectFacts.VOLUME), key.name());
    }
  }

  private void addStatus(Map<?, ?> status) {
    if (status.containsKey("phase")) {
      put(ObjectFacts.PHASE, textOf(status.get("phase")));
    }
    if (status.containsKey("accessModes")) {
      put("status.accessModes", String.join(",", listOf(status.get("accessModes"))));
    }
    if (status.containsKey("volumesAttached")) {
      putList(ObjectFacts.ATTACHED, namesOf(status.get("volumesAttached")));
    }
    addQuantity(status, "status");
  }

  private void addQuantity(Map<?, ?> parent, String path) {
    if (parent.containsKey("capacity")) {
      String text = textOf(membersOf(parent.get("capacity")).get("storage"));
      put(path + ".capacity.storage", Quantity.parse(text).map(Quantity::toString).orElse(""));
    }
  }

  private static Map<?, ?> membersOf(@Nullable Object value) {
    return value instanceof Map<?, ?> members ? members : Map.of();
  }

  private static String textOf(@Nullable Object value) {
    return Objects.toString(value, "");
  }

  private static List<String> listOf(@Nullable Object value) {
    return value instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  private static Set<String> namesOf(@Nullable Object value) {
    Set<String> names = new HashSet<>();
    if (value instanceof List<?> list) {
      for (Object element : list) {
        String name =
            element instanceof Map<?, ?> entry ? textOf(entry.get("name")) : textOf(element);
        if (!ObjectFacts.isOwn(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
