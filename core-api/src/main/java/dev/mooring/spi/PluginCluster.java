package dev.mooring.spi;

import dev.mooring.model.Node;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Access of a plugin to the cluster: it reads nodes and volumes, and runs pods in one namespace for
 * work that requires a node. Every call reads from or writes to the API server; no cache is
 * involved.
 *
 * <p>Thread-safe; calls block. Use it only within calls from the host, after {@link
 * VolumePlugin#start} has returned. A plugin can return the failures to its caller unchanged:
 * {@link Failure.Unreachable} if the API server does not answer, {@link Failure.Rejected} if it
 * refuses or if the host grants plugins no access (see {@code --plugin-pods-namespace}).
 */
public interface PluginCluster {
  /** Rejects every call. */
  PluginCluster NONE = new NoCluster();

  /** Returns the namespace of the plugins' pods; "" if the host grants no access. */
  String namespace();

  /** Returns the node; empty if the API server reports that it does not exist. */
  Attempt<Optional<Node>> node(String name) throws InterruptedException;

  /** Lists all nodes. Expensive in large clusters. */
  Attempt<List<Node>> nodes() throws InterruptedException;

  /** Lists all PersistentVolumes. Expensive in large clusters. */
  Attempt<List<Volume>> volumes() throws InterruptedException;

  /**
   * Returns any pod in {@link #namespace}, whichever client created it, as decoded JSON of the API;
   * empty if the API server reports that it does not exist.
   */
  Attempt<Optional<Map<String, Object>>> pod(String name) throws InterruptedException;

  /**
   * Creates a pod.
   *
   * @param name unique name of the pod
   * @param pod metadata and spec as JSON of the API; the host adds name and namespace
   */
  Attempt<Creation> create(String name, Map<String, Object> pod) throws InterruptedException;

  /** Deletes the pod if it has that uid. Succeeds if the pod does not exist. */
  Attempt<Deletion> delete(String name, Uid uid) throws InterruptedException;

  /** Result of creating a pod. */
  enum Creation {
    /** This call created the pod. */
    CREATED,
    /** A pod of that name exists. An earlier run of the plugin may have created it. */
    EXISTS
  }

  /** Result of deleting a pod. */
  enum Deletion {
    /** The pod does not exist. */
    ABSENT,
    /** The API server is deleting the pod; the name stays in use until that ends. */
    TERMINATING
  }
}
