package dev.mooring.populator;

import com.sun.net.httpserver.HttpServer;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Populator.SourceKind;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A cluster with two classes, directories as volumes, and one populator. */
final class PopulationFixture implements AutoCloseable {
  static final String NAMESPACE = "populators";
  static final ObjectKey CLAIM = ObjectKey.of("default", "data");
  static final String CONTENT = "content of the page";
  private static final int ROUNDS = 40;

  final FaultyCluster server = new FaultyCluster();
  final InMemoryCluster cluster = server.cluster();
  final SimTime time = new SimTime();
  final SimulatedStorage storage;
  private final HttpServer web;
  private Optional<Populator> populator = Optional.empty();
  private Optional<StepwiseController> controller = Optional.empty();

  PopulationFixture(Path root) throws IOException {
    storage = new SimulatedStorage(cluster, root);
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/page",
        exchange -> {
          byte[] body = CONTENT.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    web.start();
    for (String name : List.of("fast", "slow")) {
      cluster.put(
          Kind.STORAGE_CLASS,
          TestObjects.storageClass(name).provisioner("example.com/" + name).build());
    }
  }

  String url(String path) {
    return "http://127.0.0.1:" + web.getAddress().getPort() + path;
  }

  /** Starts a controller, as a new process after a crash would. */
  void start(Populator newPopulator) throws InterruptedException {
    if (controller.isPresent()) {
      controller.get().close();
    }
    populator = Optional.of(newPopulator);
    StepwiseController started =
        new StepwiseController(
            new PopulationController(
                    new PopulatorConfig(NAMESPACE, false),
                    new TestPlugin("example.com/populator").withPopulator(newPopulator).loaded(),
                    cluster.informers(),
                    TestPorts.of(server, cluster, time))
                .spec(),
            time);
    controller = Optional.of(started);
    started.start();
  }

  void restart() throws InterruptedException {
    start(populator.orElseThrow());
  }

  void createSource(SourceKind kind, String name, String field, String value) {
    cluster.create(
        new Kind<>(
            kind.group(), kind.version(), kind.plural(), kind.kind(), true, PartialObject.class),
        ObjectKey.of("default", name),
        Document.empty().set(value, "spec", field));
  }

  Claim createClaim(SourceKind kind, String source) {
    return cluster.put(
        Kind.CLAIM,
        TestObjects.claim(CLAIM.namespace(), CLAIM.name())
            .uid("11111111-1111-1111-1111-111111111111")
            .storageClass("fast")
            .dataSourceRef(new DataSourceRef(kind.group(), kind.kind(), "", source))
            .build());
  }

  /** Runs the controller and the storage until nothing changes for a while. */
  void run() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      step();
    }
  }

  /** Runs the controller only. */
  void settle() throws InterruptedException {
    controller.orElseThrow().settle();
  }

  void step() throws Exception {
    controller.orElseThrow().settle();
    storage.act();
    time.advance(Duration.ofSeconds(1));
    controller.orElseThrow().settle();
  }

  List<String> events() {
    return cluster.events().stream().map(ClusterEvent::reason).toList();
  }

  Claim claim() {
    return cluster.get(Kind.CLAIM, CLAIM);
  }

  String content() throws IOException {
    return Files.readString(
        storage.directoryOf(CLAIM).orElseThrow().resolve(SimulatedStorage.FILE));
  }

  @Override
  public void close() {
    web.stop(0);
  }
}
