package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests claims whose selected node is deleted before provisioning. */
class NodeDeletedTest {
  private static final int RACES = 1_000;
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  @TempDir private Path folder;
  private SharedCluster cluster;

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  private void createLateBindingClass() throws Exception {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "late"}, "provisioner": "example.com/somebody", "volumeBindingMode": "WaitForFirstConsumer"}
        """);
  }

  private void createNode(String name) throws Exception {
    cluster.create(KindCatalogue.NODES, "{\"metadata\": {\"name\": \"" + name + "\"}}");
  }

  private void selectNode(String claim, String node) throws StatusException {
    cluster.editClaim(
        claim,
        current -> {
          JsonObject metadata = current.getAsJsonObject("metadata");
          if (!metadata.has("annotations")) {
            metadata.add("annotations", new JsonObject());
          }
          metadata.getAsJsonObject("annotations").addProperty(SELECTED_NODE, node);
        });
  }

  private List<String> claimsWithSelectedNode() {
    List<String> names = new ArrayList<>();
    cluster
        .handlers()
        .store(KindCatalogue.CLAIMS)
        .list("")
        .objects()
        .forEach(claim -> {
          if (!JsonBodies.textAt(claim.tree(), "metadata", "annotations", SELECTED_NODE)
              .isEmpty()) {
            names.add(JsonBodies.textAt(claim.tree(), "metadata", "name"));
          }
        });
    return names;
  }

  @Test
  void selectedNode_deletedConcurrently_isUnselected() throws Exception {
    cluster = new SharedCluster(folder, "none");
    createLateBindingClass();
    for (int i = 0; i < RACES; i++) {
      createNode("n-" + i);
      cluster.createClaim("c-" + i, "late", "");
    }
    CyclicBarrier barrier = new CyclicBarrier(2);
    Thread scheduler =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < RACES; i++) {
                try {
                  barrier.await();
                  selectNode("c-" + i, "n-" + i);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    for (int i = 0; i < RACES; i++) {
      barrier.await();
      cluster.handlers().delete(KindCatalogue.NODES, "", "n-" + i, WriteOptions.PLAIN);
    }
    scheduler.join();
    cluster.awaitCondition(
        "no claim has a selected node", () -> claimsWithSelectedNode().isEmpty());
  }

  @Test
  void selectedNode_existing_isKept() throws Exception {
    cluster = new SharedCluster(folder, "none");
    createLateBindingClass();
    createNode("n");
    cluster.createClaim("c", "late", "");
    selectNode("c", "n");
    cluster.awaitCondition(
        "claim waits for its provisioner", () -> cluster.hasEvent("c", "ExternalProvisioning", ""));
    assertThat(claimsWithSelectedNode()).containsExactly("c");
  }

  @Test
  void compatKcm_deletedNode_staysSelected() throws Exception {
    cluster = new SharedCluster(folder);
    createLateBindingClass();
    cluster.createClaim("c", "late", "");
    selectNode("c", "gone");
    cluster.awaitCondition(
        "claim waits for its provisioner", () -> cluster.hasEvent("c", "ExternalProvisioning", ""));
    assertThat(claimsWithSelectedNode()).containsExactly("c");
  }
}
