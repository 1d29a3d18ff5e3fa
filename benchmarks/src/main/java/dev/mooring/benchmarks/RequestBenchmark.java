package dev.mooring.benchmarks;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.ApiServer.ServerOptions;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.time.SystemTime;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PersistentVolume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Question: what does a patch of a volume cost, from the document to the decoded response, with and
 * without TLS, compared with client-java? The embedded server is in the same process; its share is
 * nearly equal. The peer replaces the volume, because client-java needs further code for patches.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start() before anything else
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RequestBenchmark {
  private static final ObjectKey VOLUME = ObjectKey.cluster("v");
  private static final String ANNOTATION = "example.com/count";

  private ApiServer tlsServer;
  private ApiServer plainServer;
  private KubeConnection tlsConnection;
  private KubeConnection plainConnection;
  private KubeCluster tlsCluster;
  private KubeCluster plainCluster;
  private CoreV1Api peer;
  private V1PersistentVolume peerVolume;
  private V1ObjectMeta peerMeta;
  private long count;

  @Setup
  public void start() throws IOException, InterruptedException, ApiException {
    tlsServer = ApiServer.start(ServerOptions.DEFAULTS.withTls());
    plainServer = ApiServer.start(ServerOptions.DEFAULTS);
    tlsConnection = connect(tlsServer);
    plainConnection = connect(plainServer);
    tlsCluster = KubeCluster.alone(tlsConnection, new SystemTime());
    plainCluster = KubeCluster.alone(plainConnection, new SystemTime());
    for (KubeCluster cluster : List.of(tlsCluster, plainCluster)) {
      requireWritten(cluster.create(Kind.VOLUME, VOLUME, makeVolume()));
    }
    peer = new CoreV1Api(new ApiClient().setBasePath(tlsServer.url()).setVerifyingSsl(false));
    peerVolume = peer.readPersistentVolume(VOLUME.name()).execute();
    peerMeta = Objects.requireNonNull(peerVolume.getMetadata());
    peerMeta.resourceVersion(null);
  }

  private static KubeConnection connect(ApiServer server) throws IOException {
    Path kubeconfig = Files.createTempFile("mooring-bench-", ".kubeconfig");
    try {
      Files.writeString(kubeconfig, server.kubeconfig());
      return KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench");
    } catch (KubeConfigException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      Files.delete(kubeconfig);
    }
  }

  private static Document makeVolume() {
    return Document.empty()
        .set("0", "metadata", "annotations", ANNOTATION)
        .set("1Gi", "spec", "capacity", "storage")
        .set(List.of("ReadWriteOnce"), "spec", "accessModes")
        .set("example.com", "spec", "csi", "driver")
        .set("handle", "spec", "csi", "volumeHandle");
  }

  private static Volume requireWritten(WriteResult<Volume> result) {
    if (result instanceof WriteResult.Written<Volume>(Volume volume)) {
      return volume;
    }
    throw new IllegalStateException("the volume is not written: " + result);
  }

  private Volume patch(KubeCluster cluster) throws InterruptedException {
    Document patch =
        Document.empty().set(Long.toString(++count), "metadata", "annotations", ANNOTATION);
    return requireWritten(cluster.patch(Kind.VOLUME, VOLUME, patch));
  }

  @Benchmark
  public Volume tls() throws InterruptedException {
    return patch(tlsCluster);
  }

  @Benchmark
  public Volume plain() throws InterruptedException {
    return patch(plainCluster);
  }

  @Benchmark
  public V1PersistentVolume tlsPeer() throws ApiException {
    peerMeta.putAnnotationsItem(ANNOTATION, Long.toString(++count));
    return peer.replacePersistentVolume(VOLUME.name(), peerVolume).execute();
  }

  @TearDown(Level.Trial)
  public void stop() throws IOException {
    tlsConnection.close();
    plainConnection.close();
    tlsServer.close();
    plainServer.close();
  }
}
