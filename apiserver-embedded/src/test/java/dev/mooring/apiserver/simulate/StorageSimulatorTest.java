package dev.mooring.apiserver.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StorageSimulatorTest {
  private static final String NAMESPACE = "default";

  private ApiServer server;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void create(ResourceType type, String json) throws Exception {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    server.handlers().create(type, type.namespaced() ? NAMESPACE : "", object, WriteOptions.PLAIN);
  }

  private void createClaim(String name, String size) throws Exception {
    create(
        KindCatalogue.CLAIMS,
        "{'metadata': {'name': '%s', 'annotations': {'volume.kubernetes.io/storage-provisioner': 'd'}}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'fast', 'resources': {'requests': {'storage': '%s'}}}}"
            .formatted(name, size));
  }

  private void createClass() throws Exception {
    create(KindCatalogue.CLASSES, "{'metadata': {'name': 'fast'}, 'provisioner': 'd'}");
  }

  private static void await(StorageSimulator storage) {
    Awaitility.await().atMost(Duration.ofMinutes(3)).until(storage::isAtRest);
  }

  @Test
  void claim_ofSimulatedProvisioner_getsOneVolume() throws Exception {
    createClass();
    createClaim("data", "1Gi");
    try (StorageSimulator storage = StorageSimulator.start(server.handlers())) {
      await(storage);
      assertThat(server.handlers().store(KindCatalogue.VOLUMES).size()).isEqualTo(1);
      assertThat(storage.destroyedData()).isEmpty();
    }
  }

  @Test
  void claims_moreThanStatedCapacity_areNotAllProvisioned() throws Exception {
    createClass();
    create(
        KindCatalogue.CSI_DRIVERS,
        "{'metadata': {'name': 'd'}, 'spec': {'storageCapacity': true}}");
    create(
        KindCatalogue.CAPACITIES,
        "{'metadata': {'name': 'c'}, 'storageClassName': 'fast', 'capacity': '5Gi'}");
    for (int i = 0; i < 3; i++) {
      createClaim("data-" + i, "2Gi");
    }
    try (StorageSimulator storage = StorageSimulator.start(server.handlers())) {
      await(storage);
      assertThat(server.handlers().store(KindCatalogue.VOLUMES).size()).isEqualTo(2);
    }
  }
}
