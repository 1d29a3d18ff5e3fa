package dev.mooring.manager.plugin;

import dev.mooring.model.Node;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.PluginCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cluster access that becomes available after the plugins have started. Thread-safe. */
final class LateCluster implements PluginCluster {
  private volatile PluginCluster cluster = PluginCluster.NONE;

  void setTarget(PluginCluster target) {
    cluster = target;
  }

  @Override
  public String namespace() {
    return cluster.namespace();
  }

  @Override
  public Attempt<Optional<Node>> node(String name) throws InterruptedException {
    return cluster.node(name);
  }

  @Override
  public Attempt<List<Node>> nodes() throws InterruptedException {
    return cluster.nodes();
  }

  @Override
  public Attempt<List<Volume>> volumes() throws InterruptedException {
    return cluster.volumes();
  }

  @Override
  public Attempt<Optional<Map<String, Object>>> pod(String name) throws InterruptedException {
    return cluster.pod(name);
  }

  @Override
  public Attempt<Creation> create(String name, Map<String, Object> pod)
      throws InterruptedException {
    return cluster.create(name, pod);
  }

  @Override
  public Attempt<Deletion> delete(String name, Uid uid) throws InterruptedException {
    return cluster.delete(name, uid);
  }
}
