package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mooring.junit.EmbeddedKubernetes;
import dev.mooring.junit.KubernetesServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.Operator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes(crds = "greetings.yaml")
class GreetingTest {
  private static Operator operator;

  @BeforeAll
  static void start(KubernetesServer server, KubernetesClient client) {
    operator =
        new Operator(settings -> settings.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(
        new GreetingReconciler(), settings -> settings.settingNamespace(server.namespace()));
    operator.start();
  }

  @AfterAll
  static void stop() {
    operator.stop();
  }

  private static Greeting greeting(String name) {
    Greeting greeting = new Greeting();
    greeting.getMetadata().setName("first");
    greeting.setSpec(new Greeting.Spec());
    greeting.getSpec().name = name;
    return greeting;
  }

  @Test
  void greeting_created_getsStatusAndEnds(KubernetesClient client) {
    client.resource(greeting("Ada")).create();
    Greeting greeted =
        client
            .resources(Greeting.class)
            .withName("first")
            .waitUntilCondition(g -> g.getStatus() != null, 30, TimeUnit.SECONDS);
    assertEquals("Hello, Ada", greeted.getStatus().text);
    assertTrue(greeted.hasFinalizer("greetings.example.com/finalizer"));

    client.resource(greeted).delete();

    client.resource(greeted).waitUntilCondition(Objects::isNull, 30, TimeUnit.SECONDS);
  }

  @Test
  void greeting_withoutName_isRefused(KubernetesClient client) {
    assertThrows(KubernetesClientException.class, () -> client.resource(greeting("")).create());
  }
}
