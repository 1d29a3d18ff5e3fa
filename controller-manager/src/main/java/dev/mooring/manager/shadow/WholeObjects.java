package dev.mooring.manager.shadow;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.manager.shadow.pairing.FactKey;
import dev.mooring.manager.shadow.pairing.ObjectFacts;
import dev.mooring.manager.shadow.pairing.ObservedChange;
import dev.mooring.manager.shadow.pairing.PairedDifference;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the complete objects of a difference from the server. */
final class WholeObjects {
  private static final Gson GSON = new Gson();
  private static final List<Kind<?>> KINDS =
      List.of(Kind.VOLUME, Kind.CLAIM, Kind.ATTACHMENT, Kind.NODE, Kind.ATTRIBUTES_CLASS);

  private static final String ATTACHED = "status.volumesAttached[";
  private static final String ANNOTATIONS = "metadata.annotations[";
  private static final Set<String> BINDING_PROPERTIES =
      Set.of(
          ObjectFacts.CLAIM_REF,
          "metadata.annotations[pv.kubernetes.io/bind-completed]",
          "metadata.annotations[pv.kubernetes.io/bound-by-controller]",
          "metadata.annotations[volume.beta.kubernetes.io/storage-provisioner]",
          "metadata.annotations[volume.kubernetes.io/storage-provisioner]");

  private final LiveReader reader;
  private final SharedInformers informers;

  WholeObjects(LiveReader reader, SharedInformers informers) {
    this.reader = reader;
    this.informers = informers;
  }

  /** Returns whether another actor made the change, or may have made it. */
  boolean isForeign(PairedDifference finding) throws InterruptedException {
    if (finding.change().isEmpty()) {
      return false;
    }
    ObservedChange change = finding.change().get();
    Optional<JsonObject> object = read(change.kind(), change.key());
    return object.isPresent()
        && (isReleasedByHand(finding.facts())
            || isOverwritten(object.get(), finding.facts())
            || FieldManagers.areForeign(object.get(), finding.facts().keySet()));
  }

  // Then managedFields name the last writer only.
  private static boolean isOverwritten(JsonObject object, Map<FactKey, String> facts) {
    return facts.entrySet().stream()
        .anyMatch(fact -> {
          String property = fact.getKey().property();
          String[] path =
              property.equals(ObjectFacts.PHASE)
                  ? new String[] {"status", "phase"}
                  : property.startsWith(ANNOTATIONS)
                      ? new String[] {
                        "metadata",
                        "annotations",
                        property.substring(ANNOTATIONS.length(), property.length() - 1)
                      }
                      : new String[0];
          return path.length > 0 && !textAt(object, path).equals(fact.getValue())
              || property.startsWith(ATTACHED)
                  && isAttached(object, property) == fact.getValue().isEmpty();
        });
  }

  private static boolean isAttached(JsonObject node, String property) {
    String volume = property.substring(ATTACHED.length(), property.length() - 1);
    return node.get("status") instanceof JsonObject status
        && status.get("volumesAttached") instanceof JsonArray entries
        && entries.asList().stream()
            .anyMatch(entry ->
                entry instanceof JsonObject members && textAt(members, "name").equals(volume));
  }

  // No field records who removed a part of a binding. Administrators do it to reuse a volume.
  private static boolean isReleasedByHand(Map<FactKey, String> facts) {
    return facts.entrySet().stream()
        .filter(fact -> BINDING_PROPERTIES.contains(fact.getKey().property()))
        .anyMatch(
            fact -> fact.getValue().isEmpty() || fact.getValue().endsWith(ObjectFacts.RESERVED));
  }

  private Optional<JsonObject> read(String kindName, ObjectKey key) throws InterruptedException {
    for (Kind<?> kind : KINDS) {
      if (kind.kind().equals(kindName)) {
        return read(kind, key);
      }
    }
    return Optional.empty();
  }

  private Optional<JsonObject> read(Kind<?> kind, ObjectKey key) throws InterruptedException {
    ReadResult<Map<String, Object>> result = reader.readWhole(kind, key);
    return result
        .toOptional()
        .map(members -> {
          JsonObject object = GSON.toJsonTree(members).getAsJsonObject();
          object.addProperty("apiVersion", kind.apiVersion());
          object.addProperty("kind", kind.kind());
          return object;
        });
  }

  List<JsonObject> before(PairedDifference finding) throws InterruptedException {
    Set<FactKey> seen = new LinkedHashSet<>();
    List<JsonObject> objects = new ArrayList<>();
    for (FactKey fact : relatedObjects(finding).toList()) {
      if (seen.add(fact)) {
        Optional<JsonObject> object = read(fact.kind(), fact.object());
        if (object.isPresent()) {
          revert(finding, fact, object.get());
          objects.add(object.get());
          addClass(object.get(), objects);
          addPods(fact, objects);
        }
      }
    }
    return objects;
  }

  private static Stream<FactKey> relatedObjects(PairedDifference finding) {
    Stream<FactKey> ofIntent =
        finding.intent().stream()
            .flatMap(intent ->
                Stream.of(intent.changes(), intent.context())
                    .flatMap(WholeObjects::relatedObjects));
    Stream<FactKey> ofChange =
        finding.change().stream()
            .flatMap(change ->
                Stream.of(change.before(), change.after()).flatMap(WholeObjects::relatedObjects));
    return Stream.concat(ofChange, ofIntent);
  }

  private static Stream<FactKey> relatedObjects(Map<FactKey, String> facts) {
    return facts.entrySet().stream()
        .flatMap(fact -> {
          FactKey object = new FactKey(fact.getKey().kind(), fact.getKey().object(), "");
          return fact.getKey().property().equals(ObjectFacts.VOLUME) && !fact.getValue().isEmpty()
              ? Stream.of(
                  object, new FactKey(Kind.VOLUME.kind(), ObjectKey.cluster(fact.getValue()), ""))
              : Stream.of(object);
        });
  }

  private void addClass(JsonObject object, List<JsonObject> objects) throws InterruptedException {
    String name = textAt(object, "spec", "storageClassName");
    boolean isKnown =
        objects.stream()
            .anyMatch(known ->
                textAt(known, "kind").equals(Kind.STORAGE_CLASS.kind())
                    && textAt(known, "metadata", "name").equals(name));
    if (!name.isEmpty() && !isKnown) {
      read(Kind.STORAGE_CLASS, ObjectKey.cluster(name)).ifPresent(objects::addFirst);
    }
  }

  private void addPods(FactKey object, List<JsonObject> objects) {
    if (object.kind().equals(Kind.CLAIM.kind())) {
      informers
          .find(Kind.POD)
          .ifPresent(pods ->
              pods.snapshot()
                  .objects()
                  .forEach(pod -> {
                    if (pod.key().namespace().equals(object.object().namespace())
                        && pod.claims().contains(object.object().name())) {
                      objects.add(PodSketch.of(pod));
                    }
                  }));
    }
  }

  static String textAt(JsonObject object, String... path) {
    @Nullable JsonElement current = object;
    for (String member : path) {
      current = current instanceof JsonObject parent ? parent.get(member) : null;
    }
    return current instanceof JsonPrimitive value ? value.getAsString() : "";
  }

  private static void revert(PairedDifference finding, FactKey object, JsonObject members) {
    finding
        .change()
        .filter(
            change -> change.kind().equals(object.kind()) && change.key().equals(object.object()))
        .ifPresent(change -> new ObjectReversal(members).revert(change));
  }
}
