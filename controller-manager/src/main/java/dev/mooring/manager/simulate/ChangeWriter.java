package dev.mooring.manager.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.handle.WriteOptions.PropagationPolicy;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.patch.JsonPatches;
import dev.mooring.apiserver.simulate.NodeFailure;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes changes to the copy, as a user or a node would. */
final class ChangeWriter {
  private final ObjectHandlers handlers;

  ChangeWriter(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  /**
   * Checks that the objects of the changes exist, before the first change is written.
   *
   * @throws IOException if an object exists neither in the copy nor in a manifest
   */
  void requireTargets(List<ClusterChange> changes) throws IOException {
    Set<String> applied = new HashSet<>();
    for (ClusterChange change : changes) {
      switch (change) {
        case ClusterChange.ApplyManifest(CopiedObject object) -> applied.add(object.title());
        case ClusterChange.DeleteObject(ResourceType type, String namespace, String name) ->
            require("--delete", type, namespace, name, applied);
        case ClusterChange.DrainNode(String node) ->
            require("--drain", KindCatalogue.NODES, "", node, applied);
        case ClusterChange.FailNode(String node) ->
            require("--fail", KindCatalogue.NODES, "", node, applied);
        case ClusterChange.RestoreNode _, ClusterChange.RemoveFinalizer _ -> {} // not of a user
        case ClusterChange.ScaleWorkload(ResourceType type, String namespace, String name, int _) ->
            require("--scale", type, namespace, name, applied);
      }
    }
  }

  private void require(
      String flag, ResourceType type, String namespace, String name, Set<String> applied)
      throws IOException {
    String title = type.singular() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    if (handlers.store(type).get(ObjectHandlers.makeKey(type, namespace, name)) == null
        && !applied.contains(title)) {
      throw new IOException(
          "%s: the copy has no %s: check the name%s"
              .formatted(flag, title, type.namespaced() ? " and -n NAMESPACE" : ""));
    }
  }

  /**
   * @throws IOException if the object does not exist or the server refuses the change; the message
   *     is one line with the remedy
   */
  void write(ClusterChange change) throws IOException {
    switch (change) {
      case ClusterChange.ApplyManifest(CopiedObject object) -> apply(object);
      case ClusterChange.DeleteObject(ResourceType type, String namespace, String name) ->
          attempt(
              "--delete",
              type.singular() + "/" + name,
              () ->
                  handlers.delete(
                      type,
                      namespace,
                      name,
                      WriteOptions.PLAIN.withPropagation(PropagationPolicy.BACKGROUND)));
      case ClusterChange.DrainNode(String node) -> drain(node);
      case ClusterChange.FailNode(String node) ->
          attempt("--fail", node, () -> new NodeFailure(handlers, node).start());
      case ClusterChange.RestoreNode(String node) ->
          attempt("restored node", node, () -> new NodeFailure(handlers, node).end());
      case ClusterChange.RemoveFinalizer removal -> removeFinalizer(removal);
      case ClusterChange.ScaleWorkload(ResourceType type, String namespace, String name, int n) ->
          attempt(
              "--scale",
              type.singular() + "/" + name,
              () ->
                  handlers.update(
                      type,
                      namespace,
                      name,
                      WriteOptions.PLAIN,
                      current -> {
                        getOrAddChild(current, "spec").addProperty("replicas", n);
                        return current;
                      }));
    }
  }

  @FunctionalInterface
  private interface ObjectWrite {
    void run() throws StatusException;
  }

  private static void attempt(String flag, String value, ObjectWrite write) throws IOException {
    try {
      write.run();
    } catch (StatusException e) {
      throw new IOException(
          e.code() == 404
              ? "%s %s: not found in the copy: check the name and -n NAMESPACE"
                  .formatted(flag, value)
              : "%s %s: the API server would refuse it: %s".formatted(flag, value, e.getMessage()),
          e);
    }
  }

  private void apply(CopiedObject object) throws IOException {
    String key = ObjectHandlers.makeKey(object.type(), object.namespace(), object.name());
    boolean isNew = handlers.store(object.type()).get(key) == null;
    attempt(
        "-f " + object.origin(),
        object.title(),
        () -> {
          if (isNew) {
            handlers.create(object.type(), object.namespace(), object.tree(), WriteOptions.PLAIN);
          } else {
            handlers.update(
                object.type(),
                object.namespace(),
                object.name(),
                WriteOptions.PLAIN,
                current -> JsonPatches.merge(current, object.tree()));
          }
        });
  }

  private void removeFinalizer(ClusterChange.RemoveFinalizer removal) throws IOException {
    attempt(
        "removed finalizer",
        removal.name(),
        () ->
            handlers.update(
                removal.type(),
                removal.namespace(),
                removal.name(),
                WriteOptions.PLAIN,
                current -> {
                  JsonArray rest = new JsonArray();
                  stringsAt(current, "metadata", "finalizers").stream()
                      .filter(name -> !name.equals(removal.finalizer()))
                      .forEach(rest::add);
                  getOrAddChild(current, "metadata").add("finalizers", rest);
                  return current;
                }));
  }

  private void drain(String node) throws IOException {
    attempt(
        "--drain",
        node,
        () ->
            handlers.update(
                KindCatalogue.NODES,
                "",
                node,
                WriteOptions.PLAIN,
                current -> {
                  getOrAddChild(current, "spec").addProperty("unschedulable", true);
                  return current;
                }));
    for (StoredObject pod : handlers.store(KindCatalogue.PODS).list("").objects()) {
      if (textAt(pod.tree(), "spec", "nodeName").equals(node) && !isOfDaemonSet(pod.tree())) {
        attempt(
            "--drain",
            node,
            () ->
                handlers.delete(
                    KindCatalogue.PODS,
                    textAt(pod.tree(), "metadata", "namespace"),
                    textAt(pod.tree(), "metadata", "name"),
                    WriteOptions.PLAIN));
      }
    }
  }

  private static boolean isOfDaemonSet(JsonObject pod) {
    return valueAt(pod, "metadata", "ownerReferences") instanceof JsonArray owners
        && owners.asList().stream()
            .map(owner -> textAt(owner.getAsJsonObject(), "kind"))
            .anyMatch(List.of("DaemonSet", "Node")::contains);
  }
}
