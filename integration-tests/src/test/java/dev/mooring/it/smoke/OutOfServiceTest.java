package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.testkit.PluginJarBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failover beside kube-controller-manager, with a plugin that proves that machines are off. */
class OutOfServiceTest {
  /** A node is off while a file of its name exists. */
  private static final String MEMBERS =
      """
      @Override
      public Optional<NodeFencing> fencing() {
        return Optional.of(new NodeFencing() {
          @Override
          public Verdict assess(String node) {
            return java.nio.file.Files.exists(java.nio.file.Path.of("FOLDER", node))
                ? new Verdict.Dead("the power supply of " + node + " is off")
                : new Verdict.Unproven("it has power");
          }

          @Override
          public Scope scope() {
            return Scope.MACHINE;
          }
        });
      }
      """;

  private static final String UNREACHABLE =
      "{\"key\":\"node.kubernetes.io/unreachable\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-11-28T21:00:00Z\"}";

  @TempDir private Path folder;
  private SharedCluster cluster;
  private Path plugins;
  private Path off;

  @BeforeEach
  void start() throws Exception {
    plugins = Files.createDirectory(folder.resolve("plugins"));
    off = Files.createDirectory(folder.resolve("off"));
    cluster = SharedCluster.withoutManager(folder);
    createNode("cut-off");
    createNode("n1");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private void createNode(String name) throws StatusException {
    cluster.create(
        KindCatalogue.NODES,
        "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {\"taints\": [%s]}}"
            .formatted(name, UNREACHABLE));
    report(name, "Unknown", "boot-1");
  }

  private void report(String node, String ready, String bootId) throws StatusException {
    JsonObject status =
        JsonParser.parseString(
                "{\"conditions\": [{\"type\": \"Ready\", \"status\": \"%s\"}], \"nodeInfo\": {\"bootID\": \"%s\"}}"
                    .formatted(ready, bootId))
            .getAsJsonObject();
    cluster
        .handlers()
        .update(
            KindCatalogue.NODES,
            "",
            node,
            WriteOptions.STATUS,
            current -> {
              current.add("status", status);
              return current;
            });
  }

  private JsonObject node(String name) {
    try {
      return cluster.handlers().get(KindCatalogue.NODES, "", name).tree();
    } catch (StatusException e) {
      throw new AssertionError(e);
    }
  }

  private String taints(String node) {
    return String.valueOf(JsonBodies.valueAt(node(node), "spec", "taints"));
  }

  @Test
  void node_provenOff_isTaintedUntilItsNextStart() throws Exception {
    PluginJarBuilder.at(plugins.resolve("power.jar"))
        .withPlugin(
            "com.example.Power", "example.com/power", MEMBERS.replace("FOLDER", off.toString()))
        .write();
    cluster.startManager(plugins, "--mode=beside", "--failover=evidence");
    Files.createFile(off.resolve("n1"));
    cluster.awaitCondition("taint", () -> taints("n1").contains("out-of-service"));
    assertThat(taints("n1"))
        .contains("\"value\":\"mooring\"", "\"timeAdded\":\"2026-11-28T21:00:00Z\"");
    assertThat(node("n1").toString()).contains("boot boot-1 at", "the power supply of n1 is off");
    cluster.awaitCondition(
        "event", () -> cluster.hasEvent("n1", "OutOfServiceTaintAdded", "power supply of n1"));
    assertThat(taints("cut-off")).as("taints without a proof").doesNotContain("out-of-service");

    report("n1", "True", "boot-1");
    cluster.awaitCondition(
        "event", () -> cluster.hasEvent("n1", "OutOfServiceTaintKept", "Restart the node"));
    report("n1", "Unknown", "boot-1");
    Files.delete(off.resolve("n1"));
    report("n1", "True", "boot-2");
    cluster.awaitCondition("no taint", () -> !taints("n1").contains("out-of-service"));
    assertThat(taints("n1")).contains("\"timeAdded\":\"2026-11-28T21:00:00Z\"");
    assertThat(node("n1").toString()).doesNotContain("mooring.dev/out-of-service");
    cluster.awaitCondition(
        "event", () -> cluster.hasEvent("n1", "OutOfServiceTaintRemoved", "started again"));
  }
}
