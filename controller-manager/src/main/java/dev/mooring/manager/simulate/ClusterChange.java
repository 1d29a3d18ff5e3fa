package dev.mooring.manager.simulate;

import dev.mooring.apiserver.kinds.model.ResourceType;

/** An act whose consequences are simulated. */
public sealed interface ClusterChange {
  /** Creates the object, or merges it into the existing one. */
  record ApplyManifest(CopiedObject object) implements ClusterChange {}

  record DeleteObject(ResourceType type, String namespace, String name) implements ClusterChange {}

  /** Cordons the node and deletes its pods, except those of DaemonSets. */
  record DrainNode(String node) implements ClusterChange {}

  /** Stops the kubelet of the node. */
  record FailNode(String node) implements ClusterChange {}

  /** Starts the kubelet of the node again. */
  record RestoreNode(String node) implements ClusterChange {}

  record RemoveFinalizer(ResourceType type, String namespace, String name, String finalizer)
      implements ClusterChange {}

  record ScaleWorkload(ResourceType type, String namespace, String name, int replicas)
      implements ClusterChange {}
}
