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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests claims whose selected node is deleted before provisioning. */
@Timeout(300)
class NodeDeletedTest {
  private static final int RACES = 1_000;
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  @TempDir private Path folder;
  private SharedCluster cluster;

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  private void lateClass() throws Exception {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "late"}, "provisioner": "example.com/somebody", "volumeBindingMode": "WaitForFirstConsumer"}
        """);
  }

  private void node(String name) throws Exception {
    cluster.create(KindCatalogue.NODES, "{\"metadata\": {\"name\": \"" + name + "\"}}");
  }

  private void choose(String claim, String node) throws StatusException {
    cluster.edit(
        claim,
        current -> {
          JsonObject metadata = current.getAsJsonObject("metadata");
          if (!metadata.has("annotations")) {
            metadata.add("annotations", new JsonObject());
          }
          metadata.getAsJsonObject("annotations").addProperty(SELECTED_NODE, node);
        });
  }

  private List<String> withNodes() {
    List<String> chosen = new ArrayList<>();
    cluster
        .handlers()
        .store(KindCatalogue.CLAIMS)
        .list("")
        .objects()
        .forEach(claim -> {
          if (!JsonBodies.textAt(claim.tree(), "metadata", "annotations", SELECTED_NODE)
              .isEmpty()) {
            chosen.add(JsonBodies.textAt(claim.tree(), "metadata", "name"));
          }
        });
    return chosen;
  }

  @Test
  void selectedNode_deletedConcurrently_isCleared() throws Exception {
    cluster = new SharedCluster(folder, "none");
    lateClass();
    for (int i = 0; i < RACES; i++) {
      node("n-" + i);
      cluster.claim("c-" + i, "late", "");
    }
    CyclicBarrier together = new CyclicBarrier(2);
    Thread scheduler =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < RACES; i++) {
                try {
                  together.await();
                  choose("c-" + i, "n-" + i);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    for (int i = 0; i < RACES; i++) {
      together.await();
      cluster.handlers().delete(KindCatalogue.NODES, "", "n-" + i, WriteOptions.PLAIN);
    }
    scheduler.join();
    cluster.until("no claim has a selected node", () -> withNodes().isEmpty());
  }

  @Test
  void selectedNode_existing_isKept() throws Exception {
    cluster = new SharedCluster(folder, "none");
    lateClass();
    node("n");
    cluster.claim("c", "late", "");
    choose("c", "n");
    cluster.until("node is chosen again", () -> cluster.hasEvent("c", "ExternalProvisioning", ""));
    assertThat(withNodes()).containsExactly("c");
  }

  @Test
  void compatKcm_deletedNode_staysSelected() throws Exception {
    cluster = new SharedCluster(folder);
    lateClass();
    cluster.claim("c", "late", "");
    choose("c", "gone");
    cluster.until("node is chosen again", () -> cluster.hasEvent("c", "ExternalProvisioning", ""));
    assertThat(withNodes()).containsExactly("c");
  }
}
