package dev.mooring.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.client.Fabric8Clients.FirstWatchExpiry;
import dev.mooring.it.client.Fabric8Clients.HttpLibrary;
import dev.mooring.testkit.TestWait;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Uses the embedded server through fabric8's client, which watches by WebSocket. */
class Fabric8ClientTest {
  @TempDir private static Path folder;
  private static ApiServer server;

  private static Path auditLog() {
    return folder.resolve("audit.log");
  }

  @BeforeAll
  static void start() throws IOException {
    server =
        ApiServer.start(
            new ApiServer.ServerOptions(0, "tok", null).withTls().withAuditLog(auditLog()));
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static final class Changes implements ResourceEventHandler<ConfigMap> {
    private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();

    @Override
    public void onAdd(ConfigMap object) {
      changes.add("added " + object.getMetadata().getName());
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap after) {
      boolean isResync =
          before
              .getMetadata()
              .getResourceVersion()
              .equals(after.getMetadata().getResourceVersion());
      boolean isTerminating = after.getMetadata().getDeletionTimestamp() != null;
      changes.add(
          (isResync ? "repeated " : isTerminating ? "terminating " : "updated ")
              + after.getMetadata().getName());
    }

    @Override
    public void onDelete(ConfigMap object, boolean isFinalStateUnknown) {
      changes.add("deleted " + object.getMetadata().getName());
    }

    String takeNext() throws InterruptedException {
      return String.valueOf(changes.poll(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS));
    }
  }

  private static ConfigMap configMap(String name, String... finalizers) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withFinalizers(finalizers)
        .endMetadata()
        .build();
  }

  /** Creates a namespace that no other test uses. */
  private static String createNamespace(KubernetesClient client, String test, HttpLibrary library) {
    String name = test + "-" + library.name().toLowerCase();
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    return name;
  }

  @ParameterizedTest
  @EnumSource(HttpLibrary.class)
  void informer_objectWithFinalizer_deliversItsLife(HttpLibrary library) throws Exception {
    try (KubernetesClient client = Fabric8Clients.connect(server, library)) {
      String namespace = createNamespace(client, "life", library);
      var configMaps = client.configMaps().inNamespace(namespace);
      configMaps.resource(configMap("before")).create();
      Changes changes = new Changes();
      try (SharedIndexInformer<ConfigMap> informer = configMaps.inform(changes)) {
        assertThat(changes.takeNext()).isEqualTo("added before");
        configMaps.resource(configMap("held", "example.com/hold")).create();
        assertThat(changes.takeNext()).isEqualTo("added held");
        configMaps
            .withName("held")
            .edit(object -> new ConfigMapBuilder(object).addToData("k", "v").build());
        assertThat(changes.takeNext()).isEqualTo("updated held");
        configMaps.withName("held").delete();
        assertThat(changes.takeNext()).isEqualTo("terminating held");
        configMaps
            .withName("held")
            .edit(object ->
                new ConfigMapBuilder(object).editMetadata().withFinalizers().endMetadata().build());
        assertThat(changes.takeNext()).isEqualTo("deleted held");
        assertThat(informer.isWatching()).isTrue();
      }
      // otherwise the client has fallen back to a watch without WebSocket
      assertThat(AuditEvent.read(auditLog()))
          .filteredOn(
              event -> event.verb().equals("watch") && event.uri().contains("/" + namespace + "/"))
          .extracting(AuditEvent::code)
          .containsOnly(101);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpLibrary.class)
  void informer_versionExpired_listsAgain(HttpLibrary library) throws Exception {
    FirstWatchExpiry expiry = new FirstWatchExpiry("configmaps");
    try (KubernetesClient client = Fabric8Clients.connect(server, library, expiry)) {
      var configMaps = client.configMaps().inNamespace(createNamespace(client, "expired", library));
      Changes changes = new Changes();
      try (SharedIndexInformer<ConfigMap> informer = configMaps.inform(changes)) {
        TestWait.until("second watch", () -> expiry.countWatches() == 2);
        assertThat(expiry.countLists()).isEqualTo(2);
        configMaps.resource(configMap("late")).create();
        assertThat(changes.takeNext()).isEqualTo("added late");
        assertThat(informer.getStore().list()).hasSize(1);
      }
    }
  }

  @Test
  void informer_resyncPeriod_repeatsObjects() throws Exception {
    try (KubernetesClient client = Fabric8Clients.connect(server, HttpLibrary.JDK)) {
      var configMaps =
          client.configMaps().inNamespace(createNamespace(client, "resync", HttpLibrary.JDK));
      configMaps.resource(configMap("same")).create();
      Changes changes = new Changes();
      try (SharedIndexInformer<ConfigMap> informer = configMaps.inform(changes, 1)) {
        assertThat(changes.takeNext()).isEqualTo("added same");
        assertThat(changes.takeNext()).isEqualTo("repeated same");
        assertThat(informer.isWatching()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpLibrary.class)
  void watch_versionExpired_endsAsGone(HttpLibrary library) throws Exception {
    try (KubernetesClient client = Fabric8Clients.connect(server, library)) {
      CompletableFuture<WatcherException> end = new CompletableFuture<>();
      Watcher<ConfigMap> watcher =
          new Watcher<>() {
            @Override
            public void eventReceived(Action action, ConfigMap object) {}

            @Override
            public void onClose(WatcherException error) {
              end.complete(error);
            }
          };
      try (Watch watch =
          client
              .configMaps()
              .inNamespace("default")
              .watch(new ListOptionsBuilder().withResourceVersion("1").build(), watcher)) {
        assertThat(watch).isNotNull();
        assertThat(end.get(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS).isHttpGone()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpLibrary.class)
  void log_pod_isRefusedWithReason(HttpLibrary library) {
    try (KubernetesClient client = Fabric8Clients.connect(server, library)) {
      String namespace = createNamespace(client, "log", library);
      client
          .pods()
          .inNamespace(namespace)
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName("p")
                  .endMetadata()
                  .withNewSpec()
                  .addNewContainer()
                  .withName("c")
                  .withImage("i")
                  .endContainer()
                  .endSpec()
                  .build())
          .create();
      assertThatThrownBy(() -> client.pods().inNamespace(namespace).withName("p").getLog())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("pods/log is not supported");
      assertThatThrownBy(
              () -> client.pods().inNamespace(namespace).withName("p").exec("ls").exitCode().get())
          .isInstanceOf(KubernetesClientException.class);
    }
  }
}
