package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that the embedded server keeps the identifying fields of in-tree volumes in protobuf. */
class InTreeSourcesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "awsElasticBlockStore, volumeID",
    "cinder, volumeID",
    "portworxVolume, volumeID",
    "gcePersistentDisk, pdName",
    "vsphereVolume, volumePath",
    "flexVolume, driver"
  })
  void inTreeSource_protobuf_keepsIdentity(String type, String identityField) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        SystemTime time = new SystemTime();
        KubeConnection connection =
            KubeConnection.ofFiles(
                List.of(Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig())),
                "",
                "test")) {
      server
          .handlers()
          .create(
              KindCatalogue.VOLUMES,
              "",
              JsonParser.parseString(
                      """
                      {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "%s": {"%s": "it"}}}
                      """
                          .formatted(type, identityField))
                  .getAsJsonObject(),
              WriteOptions.PLAIN);
      KubeCluster cluster = KubeCluster.alone(connection, time);
      assertThat(cluster.read(Kind.VOLUME, ObjectKey.cluster("v")))
          .isInstanceOfSatisfying(
              ReadResult.Found.class,
              found ->
                  assertThat(((Volume) found.object()).source())
                      .isEqualTo(new VolumeSource(type, Map.of(identityField, "it"))));
    }
  }
}
