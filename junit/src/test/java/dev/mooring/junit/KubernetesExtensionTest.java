package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.junit.EmbeddedKubernetes.ServerLifecycle;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs test classes that fail, or that share or own a server. */
class KubernetesExtensionTest {
  private static final List<String> OPENED = new ArrayList<>();

  @EmbeddedKubernetes
  static class FailingTest {
    @Test
    void fail(KubernetesClient client) {
      client
          .resource(new ConfigMapBuilder().withNewMetadata().withName("c").endMetadata().build())
          .create();
      throw new AssertionError("the test fails");
    }
  }

  @EmbeddedKubernetes
  static class FailingSetup {
    @BeforeEach
    void fail() {
      throw new AssertionError("the setup fails");
    }

    @Test
    void pass() {}
  }

  @Test
  void failure_ofTestOrSetup_publishesObjects() {
    TestClassRun run = TestClassRun.of(FailingTest.class, FailingSetup.class);
    assertThat(run.failures()).containsExactlyInAnyOrder("the test fails", "the setup fails");
    assertThat(run.reports()).hasSize(2);
    assertThat(run.reports())
        .anySatisfy(report ->
            assertThat(report.get("objects of failing-test"))
                .contains("kind: ConfigMap\n", "  name: c\n"))
        .contains(Map.of("objects of failing-setup", "none"));
  }

  private static void recordServer(KubernetesServer server) {
    OPENED.add(server.url() + " " + server.namespace());
  }

  @EmbeddedKubernetes(crds = "crds/widgets.yaml")
  static class SharedTest {
    @Test
    void record(KubernetesServer server) {
      recordServer(server);
    }
  }

  @EmbeddedKubernetes(crds = "crds/widgets.yaml", namespace = "named")
  static class NamedTest {
    @Test
    void record(KubernetesServer server) {
      recordServer(server);
    }
  }

  @EmbeddedKubernetes(lifecycle = ServerLifecycle.PER_CLASS, simulateNodes = 2)
  static class OwnServerTest {
    @Test
    void record(KubernetesServer server, KubernetesClient client) {
      recordServer(server);
      assertThat(client.nodes().list().getItems()).hasSize(2);
    }
  }

  static class FieldTest {
    @EmbeddedKubernetes static KubernetesServer kubernetes;

    @Test
    void record() {
      recordServer(kubernetes);
    }
  }

  @Test
  void annotation_onStaticField_setsServer() {
    OPENED.clear();
    assertThat(TestClassRun.of(FieldTest.class).failures()).isEmpty();
    assertThat(OPENED).singleElement().asString().endsWith(" field-test");
  }

  static class InstanceFieldTest {
    @EmbeddedKubernetes KubernetesServer kubernetes;

    @Test
    void pass() {}
  }

  @Test
  void servers_ofClasses_areSharedOrOwn() {
    OPENED.clear();
    TestClassRun run = TestClassRun.of(SharedTest.class, NamedTest.class, OwnServerTest.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.reports()).isEmpty();
    assertThat(OPENED)
        .extracting(opened -> opened.substring(opened.indexOf(' ') + 1))
        .containsExactlyInAnyOrder("shared-test", "named", "own-server-test");
    assertThat(OPENED.stream().map(opened -> opened.substring(0, opened.indexOf(' '))).distinct())
        .hasSize(2);
  }

  @EmbeddedKubernetes(crds = {"crds/widgets.yaml", "bad/other-widgets.yaml"})
  static class RepeatedDefinition {
    @Test
    void pass() {}
  }

  @EmbeddedKubernetes(simulateNodes = 1)
  static class SharedNodes {
    @Test
    void pass() {}
  }

  @EmbeddedKubernetes(tls = true, controllers = ClusterController.VOLUMES)
  static class SharedVolumes {
    @Test
    void pass() {}
  }

  @EmbeddedKubernetes(
      lifecycle = ServerLifecycle.PER_CLASS,
      controllers = ClusterController.VOLUMES)
  static class MissingControllers {
    @Test
    void pass() {}
  }

  @EmbeddedKubernetes(crds = "crds/none*.yaml")
  static class MissingFile {
    @Test
    void pass() {}
  }

  private static void assertOneFailure(Class<?> testClass, String message) {
    assertThat(TestClassRun.of(testClass).failures())
        .singleElement()
        .asString()
        .startsWith(testClass.getName() + ": " + message)
        .doesNotContain("\n");
  }

  @Test
  void options_notUsable_failWithOneLine() {
    assertOneFailure(
        RepeatedDefinition.class,
        "bad/other-widgets.yaml:2: CustomResourceDefinition widgets.example.com is already in crds/widgets.yaml:2");
    assertOneFailure(
        SharedNodes.class,
        "simulateNodes would change the server of other classes; use lifecycle = PER_CLASS");
    assertOneFailure(
        SharedVolumes.class,
        "tls, controllers = VOLUMES would change the server of other classes; use lifecycle = PER_CLASS");
    assertOneFailure(
        MissingControllers.class,
        "controllers = VOLUMES needs dev.mooring:mooring-controller-manager on the class path");
    assertOneFailure(
        InstanceFieldTest.class,
        "@EmbeddedKubernetes on the field kubernetes needs one static field of type KubernetesServer");
    assertOneFailure(MissingFile.class, "crds/none*.yaml: no such file on the class path or in /");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          syntax          | 7: found unexpected end of stream
          repeated-key    | 5: key "data" already set in map
          unknown-kind    | 5: the server has no kind Gadget in example.com/v1; for a custom resource add its definition to crds
          no-schema       | 2: CustomResourceDefinition.apiextensions.k8s.io "widgets.example.com" is invalid
          unknown-field   | 2: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dada"
          list            | 1: an object needs apiVersion and kind
          """)
  void file_notUsable_failsWithFileAndLine(String file, String message) {
    String path = "bad/" + file + ".yaml";
    try (TestServer server = TestServer.start(0, false)) {
      assertThatThrownBy(() ->
              new ManifestFiles(getClass().getClassLoader(), "default")
                  .read(path)
                  .forEach(document -> server.manifests().create(document, "default")))
          .message()
          .contains(path + ":" + message)
          .doesNotContain("\n");
    }
  }

  @Test
  void clusterScopedObject_ofSecondClass_mustBeEqual() {
    ManifestFiles files = new ManifestFiles(getClass().getClassLoader(), "default");
    ManifestDocument widgets = files.read("crds/widgets.yaml").get(0);
    ManifestDocument otherWidgets = files.read("bad/other-widgets.yaml").get(0);
    try (TestServer server = TestServer.start(0, false)) {
      server.manifests().create(widgets, "default");
      server.manifests().create(widgets, "default");
      assertThatThrownBy(() -> server.manifests().create(otherWidgets, "default"))
          .hasMessage(
              "bad/other-widgets.yaml:2: CustomResourceDefinition widgets.example.com differs from crds/widgets.yaml:2 of another class on this server; use lifecycle = PER_CLASS");
    }
  }

  @Test
  void start_portInUse_isRefused() throws Exception {
    try (ServerSocket occupiedPort = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> TestServer.start(occupiedPort.getLocalPort(), false))
          .hasMessage(
              "port %d is in use; choose another port, or 0 for a free one",
              occupiedPort.getLocalPort());
    }
  }

  @Test
  void java_tooOld_isNamed() {
    assertThatThrownBy(() -> KubernetesExtension.requireJava(17))
        .hasMessage("mooring-junit needs Java 21 or later; this JVM is Java 17");
  }
}
