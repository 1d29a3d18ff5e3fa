package dev.mooring.manager.simulate;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.manager.danger.DangerAct;
import dev.mooring.manager.danger.DangerAct.ActKind;
import dev.mooring.manager.danger.DangerAct.RestoreStyle;
import dev.mooring.manager.danger.OwningWorkload;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import java.util.ArrayList;
import java.util.List;

/** Acts as changes of a simulation, which runs the controllers themselves. */
public final class SimulatedActs {
  private static final List<String> BINDING =
      List.of("pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller");

  private final List<CopiedObject> objects;

  public SimulatedActs(List<CopiedObject> objects) {
    this.objects = objects;
  }

  public List<ClusterChange> changes(List<DangerAct> acts) {
    List<ClusterChange> changes = new ArrayList<>();
    acts.forEach(act -> changes.addAll(changes(act)));
    return changes;
  }

  private List<ClusterChange> changes(DangerAct act) {
    return switch (act) {
      case DangerAct.DeleteObject(ActKind kind, ObjectKey key) -> List.of(delete(type(kind), key));
      case DangerAct.DeleteWorkload(OwningWorkload workload) ->
          List.of(delete(find(workload).type(), workload.key()));
      case DangerAct.DeleteNamespace(String name) ->
          List.of(delete(KindCatalogue.NAMESPACES, ObjectKey.cluster(name)));
      case DangerAct.SetPolicy(String volume, ReclaimPolicy policy) ->
          List.of(setPolicy(volume, policy));
      case DangerAct.LoseNode(String name) -> List.of(new ClusterChange.FailNode(name));
      case DangerAct.RestoreNode(String name) -> List.of(new ClusterChange.RestoreNode(name));
      case DangerAct.RemoveFinalizer(ActKind kind, ObjectKey key, String finalizer) ->
          List.of(
              new ClusterChange.RemoveFinalizer(
                  type(kind), key.namespace(), key.name(), finalizer));
      case DangerAct.UpgradeClass(String name, ReclaimPolicy policy) ->
          List.of(
              delete(KindCatalogue.CLASSES, ObjectKey.cluster(name)),
              new ClusterChange.ApplyManifest(upgraded(name, policy)));
      case DangerAct.RestoreObject(ActKind kind, ObjectKey key, RestoreStyle style) ->
          restore(kind, key, style);
    };
  }

  private List<ClusterChange> restore(ActKind kind, ObjectKey key, RestoreStyle style) {
    List<ClusterChange> changes = new ArrayList<>();
    if (kind == ActKind.CLAIM) {
      JsonObject namespace = new JsonObject();
      JsonBodies.getOrAddChild(namespace, "metadata").addProperty("name", key.namespace());
      changes.add(
          new ClusterChange.ApplyManifest(
              new CopiedObject(KindCatalogue.NAMESPACES, namespace, "the backup")));
    }
    changes.add(new ClusterChange.ApplyManifest(restored(kind, key, style)));
    return changes;
  }

  private static ClusterChange delete(ResourceType type, ObjectKey key) {
    return new ClusterChange.DeleteObject(type, key.namespace(), key.name());
  }

  private static ResourceType type(ActKind kind) {
    return switch (kind) {
      case POD -> KindCatalogue.PODS;
      case CLAIM -> KindCatalogue.CLAIMS;
      case VOLUME -> KindCatalogue.VOLUMES;
      case CLASS -> KindCatalogue.CLASSES;
    };
  }

  private CopiedObject find(OwningWorkload workload) {
    return objects.stream()
        .filter(object -> object.type().kind().equals(workload.kind()))
        .filter(object -> key(object).equals(workload.key()))
        .findFirst()
        .orElseThrow();
  }

  private CopiedObject find(ResourceType type, ObjectKey key) {
    return objects.stream()
        .filter(object -> object.type().equals(type) && key(object).equals(key))
        .findFirst()
        .orElseThrow();
  }

  private static ObjectKey key(CopiedObject object) {
    return ObjectKey.of(
        object.type().namespaced() ? JsonBodies.textAt(object.tree(), "metadata", "namespace") : "",
        JsonBodies.textAt(object.tree(), "metadata", "name"));
  }

  private ClusterChange setPolicy(String volume, ReclaimPolicy policy) {
    JsonObject tree = new JsonObject();
    JsonBodies.getOrAddChild(tree, "metadata").addProperty("name", volume);
    JsonBodies.getOrAddChild(tree, "spec")
        .addProperty("persistentVolumeReclaimPolicy", policy.toString());
    return new ClusterChange.ApplyManifest(
        new CopiedObject(KindCatalogue.VOLUMES, tree, "the changed policy"));
  }

  private CopiedObject upgraded(String name, ReclaimPolicy policy) {
    JsonObject tree = saved(KindCatalogue.CLASSES, ObjectKey.cluster(name));
    tree.getAsJsonObject("metadata").remove("annotations");
    tree.addProperty("reclaimPolicy", policy.toString());
    return new CopiedObject(KindCatalogue.CLASSES, tree, "the new class");
  }

  private CopiedObject restored(ActKind kind, ObjectKey key, RestoreStyle style) {
    JsonObject tree = saved(type(kind), key);
    if (style == RestoreStyle.UNBOUND) {
      JsonObject annotations = JsonBodies.getOrAddChild(tree, "metadata", "annotations");
      BINDING.forEach(annotations::remove);
      if (tree.getAsJsonObject("spec").has("claimRef")) {
        JsonBodies.getOrAddChild(tree, "spec", "claimRef").remove("uid");
      }
    }
    return new CopiedObject(type(kind), tree, "the backup");
  }

  private JsonObject saved(ResourceType type, ObjectKey key) {
    JsonObject tree = find(type, key).tree().deepCopy();
    JsonObject metadata = tree.getAsJsonObject("metadata");
    List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp")
        .forEach(metadata::remove);
    tree.remove("status");
    return tree;
  }
}
