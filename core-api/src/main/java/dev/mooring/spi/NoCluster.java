package dev.mooring.spi;

import dev.mooring.model.Node;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class NoCluster implements PluginCluster {
  private static <T> Attempt<T> rejected() {
    return Attempt.rejected(
        "plugins may not read nodes or run pods; set --plugin-pods-namespace=NAMESPACE");
  }

  @Override
  public String namespace() {
    return "";
  }

  @Override
  public Attempt<Optional<Node>> node(String name) {
    return rejected();
  }

  @Override
  public Attempt<List<Node>> nodes() {
    return rejected();
  }

  @Override
  public Attempt<List<Volume>> volumes() {
    return rejected();
  }

  @Override
  public Attempt<Optional<Map<String, Object>>> pod(String name) {
    return rejected();
  }

  @Override
  public Attempt<Creation> create(String name, Map<String, Object> pod) {
    return rejected();
  }

  @Override
  public Attempt<Deletion> delete(String name, Uid uid) {
    return rejected();
  }
}
