package dev.mooring.manager.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.manager.danger.ClusterContents;
import dev.mooring.manager.danger.OwningWorkload;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decodes copied objects into the records that the controllers use. */
public final class ClusterContentsReader {
  private static final Set<String> WORKLOADS =
      Set.of(
          "statefulsets",
          "deployments",
          "replicasets",
          "daemonsets",
          "replicationcontrollers",
          "jobs",
          "cronjobs");

  private final List<Claim> claims = new ArrayList<>();
  private final List<Volume> volumes = new ArrayList<>();
  private final List<Pod> pods = new ArrayList<>();
  private final List<StorageClass> classes = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private final Map<Uid, Set<Uid>> owners = new HashMap<>();
  private final Map<Uid, OwningWorkload> workloads = new HashMap<>();

  private ClusterContentsReader() {}

  /**
   * @throws IOException if an object is invalid; the message is one line with the remedy
   */
  public static ClusterContents read(List<CopiedObject> objects) throws IOException {
    ClusterContentsReader reader = new ClusterContentsReader();
    for (CopiedObject object : objects) {
      reader.add(object);
    }
    return new ClusterContents(
        reader.claims,
        reader.volumes,
        reader.pods,
        reader.classes,
        reader.nodes.stream().sorted().toList(),
        reader.owners,
        reader.topmostWorkloads());
  }

  private void add(CopiedObject object) throws IOException {
    ResourceType type = object.type();
    addOwners(object.tree());
    if (type.equals(KindCatalogue.CLAIMS)) {
      claims.add(decode(Kind.CLAIM, object));
    } else if (type.equals(KindCatalogue.VOLUMES)) {
      volumes.add(decode(Kind.VOLUME, object));
    } else if (type.equals(KindCatalogue.PODS)) {
      pods.add(decode(Kind.POD, object));
    } else if (type.equals(KindCatalogue.CLASSES)) {
      classes.add(decode(Kind.STORAGE_CLASS, object));
    } else if (type.equals(KindCatalogue.NODES)) {
      nodes.add(JsonBodies.textAt(object.tree(), "metadata", "name"));
    } else if (WORKLOADS.contains(type.plural())) {
      Uid uid = uid(object.tree());
      ObjectKey key =
          ObjectKey.of(
              JsonBodies.textAt(object.tree(), "metadata", "namespace"),
              JsonBodies.textAt(object.tree(), "metadata", "name"));
      workloads.put(uid, new OwningWorkload(type.kind(), key, uid));
    }
  }

  private static Uid uid(JsonObject object) {
    return Uid.of(JsonBodies.textAt(object, "metadata", "uid"));
  }

  private void addOwners(JsonObject object) {
    if (JsonBodies.valueAt(object, "metadata", "ownerReferences") instanceof JsonArray references) {
      Set<Uid> found = new HashSet<>();
      for (JsonElement reference : references) {
        found.add(Uid.of(JsonBodies.textAt(reference.getAsJsonObject(), "uid")));
      }
      owners.put(uid(object), Set.copyOf(found));
    }
  }

  private Map<Uid, OwningWorkload> topmostWorkloads() {
    Map<Uid, OwningWorkload> topmost = new HashMap<>();
    workloads.forEach((uid, workload) -> topmost.put(uid, topmost(workload)));
    return topmost;
  }

  private OwningWorkload topmost(OwningWorkload workload) {
    OwningWorkload top = workload;
    for (int level = 0; level < 5; level++) { // owners of invalid objects may form a circle
      OwningWorkload current = top;
      top =
          owners.getOrDefault(current.uid(), Set.of()).stream()
              .map(workloads::get)
              .filter(owner -> owner != null)
              .findFirst()
              .orElse(current);
    }
    return top;
  }

  private static <T extends Resource> T decode(Kind<T> kind, CopiedObject object)
      throws IOException {
    try {
      T decoded =
          BodyDecoder.decodeObject(
              kind,
              new ByteArrayInputStream(object.tree().toString().getBytes(StandardCharsets.UTF_8)),
              false);
      if (!decoded.key().flaw().isEmpty()) {
        throw new IOException(decoded.key().flaw());
      }
      return decoded;
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "%s: %s %s is invalid: %s: correct the manifest"
              .formatted(
                  object.origin(),
                  object.type().singular(),
                  JsonBodies.textAt(object.tree(), "metadata", "name"),
                  String.valueOf(e.getMessage()).lines().findFirst().orElse("")),
          e);
    }
  }
}
