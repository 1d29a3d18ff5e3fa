package dev.mooring.spi;

import dev.mooring.model.Node;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the host lets plugins see of the cluster, and do in it: nodes and volumes, and pods of their
 * own in one namespace, for work that can be done on a node only. Everything is asked of the server
 * at that moment, past every cache.
 *
 * <p>Thread-safe; blocks. To be used within calls of the host only, not before {@link
 * VolumePlugin#start} has returned. Failures are the answers to the plugin's own caller: {@link
 * Failure.Unreachable} if the server said nothing, {@link Failure.Rejected} if it refuses, or if
 * the host was not told to let plugins do this ({@code --plugin-pods-namespace}).
 */
public interface PluginCluster {
  /** One that lets plugins see and do nothing. */
  PluginCluster NONE = new NoCluster();

  /** The namespace of the plugins' pods; "" if nothing is allowed. */
  String namespace();

  /** The node of that name; empty if the server says that there is none. */
  Attempt<Optional<Node>> node(String name) throws InterruptedException;

  /** All nodes; expensive in large clusters. */
  Attempt<List<Node>> nodes() throws InterruptedException;

  /** All PersistentVolumes; expensive in large clusters. */
  Attempt<List<Volume>> volumes() throws InterruptedException;

  /**
   * A pod of that namespace, whoever made it, as the API spells it; empty if the server says that
   * there is none.
   */
  Attempt<Optional<Map<String, Object>>> pod(String name) throws InterruptedException;

  /**
   * Makes a pod.
   *
   * @param name its name: what makes it unique
   * @param pod its metadata and spec as the API spells them; name and namespace are added
   */
  Attempt<Creation> create(String name, Map<String, Object> pod) throws InterruptedException;

  /** Deletes the pod of that name if it still has that uid; done too if there is none. */
  Attempt<Deletion> delete(String name, Uid uid) throws InterruptedException;

  /** What came of making a pod. */
  enum Creation {
    /** It was made by this call. */
    MADE,
    /** There is one of that name, perhaps of an earlier life of this plugin. */
    THERE
  }

  /** What came of deleting a pod. */
  enum Deletion {
    /** There is none. */
    GONE,
    /** It is on its way, and keeps its name until it is gone. */
    GOING
  }
}
