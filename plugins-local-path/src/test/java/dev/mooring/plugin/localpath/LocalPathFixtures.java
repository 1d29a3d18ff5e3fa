package dev.mooring.plugin.localpath;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.Provisioner;
import dev.mooring.testkit.FixedContext;
import dev.mooring.testkit.TestObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class LocalPathFixtures {
  private LocalPathFixtures() {}

  static Node node(String name) {
    return node(name, Map.of("kubernetes.io/hostname", name), true);
  }

  static Node node(String name, Map<String, String> labels, boolean isReady) {
    return TestObjects.node(name)
        .uid(name)
        .labels(labels)
        .ready(isReady ? "True" : "Unknown")
        .build();
  }

  static NodeAffinity affinityTo(String... hostnames) {
    return new NodeAffinity(
        List.of(
            new NodeAffinity.Term(
                List.of(
                    new LabelSelector.Requirement(
                        "kubernetes.io/hostname", "In", List.of(hostnames))),
                List.of())));
  }

  static Provisioner.Request request(
      String volume,
      String claim,
      Map<String, String> parameters,
      Map<String, String> annotations,
      @Nullable String node) {
    return request(volume, claim, parameters, annotations, node, Map.of());
  }

  static Provisioner.Request request(
      String volume,
      String claim,
      Map<String, String> parameters,
      Map<String, String> annotations,
      @Nullable String node,
      Map<String, String> classAnnotations) {
    return TestObjects.provisionRequest(volume)
        .claim(
            new Provisioner.ClaimInfo(
                ObjectKey.of("ns", claim), Uid.of("u"), Map.of("app", "web"), annotations))
        .className("local-path")
        .parameters(parameters)
        .selectedNode(node)
        .classAnnotations(classAnnotations)
        .build();
  }

  static Deleter.Request deleteRequest(
      String volume, String path, @Nullable ObjectKey claim, Map<String, String> annotations) {
    return deleteRequest(
        volume, VolumeSource.hostPath(path), claim, annotations, affinityTo("node-1"));
  }

  static Deleter.Request deleteRequest(
      String volume,
      VolumeSource source,
      @Nullable ObjectKey claim,
      Map<String, String> annotations,
      NodeAffinity affinity) {
    return new Deleter.Request(
        volume, source, Quantity.of("1Gi"), annotations, "local-path", claim, affinity);
  }

  static String config(Path base) {
    return "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\""
        + base
        + "\"]}]}";
  }

  /** Returns the plugin of a process on node-1, where the base path is mounted. */
  static LocalPathPlugin plugin(
      Path folder, String config, PluginCluster cluster, Map<String, String> settings) {
    return plugin(folder, config, cluster, settings, Map.of());
  }

  static LocalPathPlugin plugin(
      Path folder,
      String config,
      PluginCluster cluster,
      Map<String, String> settings,
      Map<String, String> environment) {
    Map<String, String> allSettings = new HashMap<>(settings);
    try {
      allSettings.put(
          "local-path-config", Files.writeString(folder.resolve("config.json"), config).toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (environment.isEmpty()) {
      allSettings.putIfAbsent("local-path-node", "node-1");
    }
    LocalPathPlugin plugin = new LocalPathPlugin(environment);
    plugin.start(new FixedContext(allSettings, cluster));
    return plugin;
  }

  static Failure failure(Attempt<?> attempt) {
    if (attempt instanceof Attempt.Failed<?>(Failure failure)) {
      return failure;
    }
    throw new AssertionError(attempt);
  }
}
