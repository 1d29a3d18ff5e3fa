package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.intercept.ReceivedRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes(crds = "crds/widgets.yaml")
class JavaOperatorExampleTest {
  private final KubernetesClient client;
  private final KubernetesServer server;
  private Operator operator;

  JavaOperatorExampleTest(KubernetesClient client, KubernetesServer server) {
    this.client = client;
    this.server = server;
  }

  @BeforeEach
  void start() {
    operator = new Operator(c -> c.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(
        new WidgetReconciler(),
        settings ->
            settings
                .settingNamespace(server.namespace())
                .withRetry(new GenericRetry().setInitialInterval(10)));
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  @Test
  void operator_conflictThenRestart_writesStatusOnce() throws InterruptedException {
    server.failNext("patch", "widgets/status", 409);
    client.resource(Widget.ofSize("w", 3)).create();
    client
        .resource(Widget.ofSize("w", 3))
        .waitUntilCondition(w -> w != null && w.getStatus() != null, 30, TimeUnit.SECONDS);
    server.awaitRest();
    assertThat(server.requests())
        .filteredOn(ReceivedRequest::isWrite)
        .extracting(request -> request.verb() + " " + request.resource())
        .containsExactly("create widgets", "patch widgets/status", "patch widgets/status");

    stop();
    server.forgetRequests();
    start();
    server.awaitRest();
    assertThat(server.requests()).isNotEmpty().noneMatch(ReceivedRequest::isWrite);
  }
}
