package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.simulate.SimulatedObjects.numberAt;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.handle.WriteOptions.PropagationPolicy;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ControllerSimulatorTest {
  private static final String DEPLOYMENT =
      """
      {"metadata": {"name": "web"},
       "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}},
                     "spec": {"containers": [{"name": "c", "image": "web:1"}]}}}}
      """;
  private static final String STATEFUL_SET =
      """
      {"metadata": {"name": "db"},
       "spec": {"replicas": 2, "serviceName": "db", "selector": {"matchLabels": {"app": "db"}},
        "template": {"metadata": {"labels": {"app": "db"}},
                     "spec": {"containers": [{"name": "c", "image": "db:1"}]}},
        "volumeClaimTemplates": [{"metadata": {"name": "data"},
          "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "",
                   "resources": {"requests": {"storage": "1Gi"}}}}]}}
      """;

  private ApiServer server;
  private ObjectHandlers handlers;
  private NodeSimulator nodes;
  private ControllerSimulator controllers;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    handlers = server.handlers();
    nodes = NodeSimulator.start(handlers, 2);
    controllers = ControllerSimulator.start(handlers, EnumSet.allOf(SimulatedController.class), "");
  }

  @AfterEach
  void stop() throws IOException {
    controllers.close();
    nodes.close();
    server.close();
  }

  private JsonObject create(ResourceType type, String namespace, String tree)
      throws StatusException {
    JsonObject object = JsonParser.parseString(tree).getAsJsonObject();
    return handlers.create(type, namespace, object, WriteOptions.PLAIN).tree();
  }

  private JsonObject read(ResourceType type, String name) {
    StoredObject object = handlers.store(type).get("default/" + name);
    return object == null ? new JsonObject() : object.tree();
  }

  private List<JsonObject> list(ResourceType type) {
    return handlers.store(type).list("default/").objects().stream()
        .map(StoredObject::tree)
        .toList();
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      long version = handlers.store(KindCatalogue.PODS).version();
      handlers.store(KindCatalogue.PODS).awaitVersion(version + 1, 50, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isRolledOut(int replicas) {
    JsonObject web = read(KindCatalogue.DEPLOYMENTS, "web");
    return numberAt(web, "status", "observedGeneration") == numberAt(web, "metadata", "generation")
        && numberAt(web, "status", "updatedReplicas") == replicas
        && numberAt(web, "status", "replicas") == replicas
        && numberAt(web, "status", "availableReplicas") == replicas;
  }

  private void setImage(ResourceType type, String name, String image) throws StatusException {
    handlers.update(
        type,
        "default",
        name,
        WriteOptions.PLAIN,
        current -> {
          SimulatedObjects.objectsAt(current, "spec", "template", "spec", "containers")
              .getFirst()
              .addProperty("image", image);
          return current;
        });
  }

  @Test
  void deployment_newImage_isRolledOutToAllPods() throws Exception {
    create(KindCatalogue.DEPLOYMENTS, "default", DEPLOYMENT);
    await(() -> isRolledOut(3));
    setImage(KindCatalogue.DEPLOYMENTS, "web", "web:2");
    await(() -> isRolledOut(3) && list(KindCatalogue.PODS).size() == 3);

    assertThat(list(KindCatalogue.PODS))
        .allMatch(pod ->
            SimulatedObjects.objectsAt(pod, "spec", "containers")
                .getFirst()
                .get("image")
                .getAsString()
                .equals("web:2"));
    assertThat(list(KindCatalogue.REPLICA_SETS))
        .extracting(
            set -> textAt(set, "metadata", "annotations", "deployment.kubernetes.io/revision"))
        .containsExactlyInAnyOrder("1", "2");
  }

  @Test
  void deployment_deleted_collectorDeletesItsPods() throws Exception {
    create(KindCatalogue.DEPLOYMENTS, "default", DEPLOYMENT);
    await(() -> isRolledOut(3));

    handlers.delete(KindCatalogue.DEPLOYMENTS, "default", "web", WriteOptions.PLAIN);

    await(() -> list(KindCatalogue.REPLICA_SETS).isEmpty() && list(KindCatalogue.PODS).isEmpty());
  }

  @Test
  void deployment_deletedInForeground_endsAfterItsDependents() throws Exception {
    create(KindCatalogue.DEPLOYMENTS, "default", DEPLOYMENT);
    await(() -> isRolledOut(3));

    handlers.delete(
        KindCatalogue.DEPLOYMENTS,
        "default",
        "web",
        WriteOptions.PLAIN.withPropagation(PropagationPolicy.FOREGROUND));
    assertThat(read(KindCatalogue.DEPLOYMENTS, "web").has("metadata")).isTrue();

    await(() -> list(KindCatalogue.DEPLOYMENTS).isEmpty());
    assertThat(list(KindCatalogue.REPLICA_SETS)).isEmpty();
  }

  @Test
  void statefulSet_created_hasClaimAndPodPerOrdinal() throws Exception {
    create(KindCatalogue.STATEFUL_SETS, "default", STATEFUL_SET);

    await(() -> read(KindCatalogue.PODS, "db-0").has("metadata"));
    assertThat(read(KindCatalogue.CLAIMS, "data-db-0").has("metadata")).isTrue();
    // db-0 waits for its claim, so db-1 must not exist
    assertThat(read(KindCatalogue.PODS, "db-1").has("metadata")).isFalse();
    bindClaim("data-db-0");
    await(() -> read(KindCatalogue.CLAIMS, "data-db-1").has("metadata"));
    bindClaim("data-db-1");
    await(() -> numberAt(read(KindCatalogue.STATEFUL_SETS, "db"), "status", "readyReplicas") == 2);
  }

  private void bindClaim(String name) throws StatusException {
    handlers.update(
        KindCatalogue.CLAIMS,
        "default",
        name,
        WriteOptions.STATUS,
        claim -> {
          getOrAddChild(claim, "status").addProperty("phase", "Bound");
          return claim;
        });
  }

  @Test
  void statefulSet_deletedAsOrphan_recreatedSetAdoptsItsPods() throws Exception {
    JsonObject set = create(KindCatalogue.STATEFUL_SETS, "default", STATEFUL_SET);
    await(() -> read(KindCatalogue.PODS, "db-0").has("metadata"));
    String pod = textAt(read(KindCatalogue.PODS, "db-0"), "metadata", "uid");

    handlers.delete(
        KindCatalogue.STATEFUL_SETS,
        "default",
        "db",
        WriteOptions.PLAIN.withPropagation(PropagationPolicy.ORPHAN));
    await(() -> list(KindCatalogue.STATEFUL_SETS).isEmpty());
    assertThat(SimulatedObjects.findController(read(KindCatalogue.PODS, "db-0"))).isEmpty();
    JsonObject next = create(KindCatalogue.STATEFUL_SETS, "default", STATEFUL_SET);

    String uid = textAt(next, "metadata", "uid");
    assertThat(uid).isNotEqualTo(textAt(set, "metadata", "uid"));
    await(() -> SimulatedObjects.findController(read(KindCatalogue.PODS, "db-0")).equals(uid));
    assertThat(textAt(read(KindCatalogue.PODS, "db-0"), "metadata", "uid")).isEqualTo(pod);
  }

  private JsonObject createJob(String restartSettings) throws StatusException {
    return create(
        KindCatalogue.find("batch", "v1", "jobs").orElseThrow(),
        "default",
        """
        {"metadata": {"name": "import"},
         "spec": {"completions": 3, "parallelism": 2, "backoffLimit": 1,
          "template": {"metadata": {%s},
                       "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}
        """
            .formatted(restartSettings));
  }

  private JsonObject awaitEndOfJob() throws InterruptedException {
    ResourceType jobs = KindCatalogue.find("batch", "v1", "jobs").orElseThrow();
    await(() -> {
      String conditions = String.valueOf(valueAt(read(jobs, "import"), "status", "conditions"));
      return conditions.contains("\"Complete\"") || conditions.contains("\"Failed\"");
    });
    return read(jobs, "import");
  }

  @Test
  void job_podsSucceed_completes() throws Exception {
    createJob("");
    JsonObject job = awaitEndOfJob();

    assertThat(numberAt(job, "status", "succeeded")).isEqualTo(3);
    assertThat(numberAt(job, "status", "failed")).isZero();
    assertThat(textAt(job, "status", "completionTime")).isNotEmpty();
    assertThat(list(KindCatalogue.PODS))
        .hasSize(3)
        .allMatch(pod -> textAt(pod, "status", "phase").equals("Succeeded"));
  }

  @Test
  void job_podsFailBeyondLimit_fails() throws Exception {
    createJob("\"annotations\": {\"mooring.dev/exit-code\": \"3\"}");
    JsonObject job = awaitEndOfJob();

    assertThat(numberAt(job, "status", "failed")).isGreaterThan(1);
    assertThat(String.valueOf(valueAt(job, "status", "conditions")))
        .contains("\"Failed\"", "BackoffLimitExceeded")
        .doesNotContain("Complete");
  }

  @Test
  void daemonSet_twoNodes_runsOnEach() throws Exception {
    ResourceType daemonSets = KindCatalogue.find("apps", "v1", "daemonsets").orElseThrow();
    create(daemonSets, "default", DEPLOYMENT.replace("\"replicas\": 3,", ""));

    await(() -> numberAt(read(daemonSets, "web"), "status", "numberReady") == 2);
    assertThat(list(KindCatalogue.PODS))
        .extracting(pod -> textAt(pod, "spec", "nodeName"))
        .containsExactlyInAnyOrder("node-1", "node-2");
    setImage(daemonSets, "web", "web:2");
    await(() ->
        numberAt(read(daemonSets, "web"), "status", "updatedNumberScheduled") == 2
            && numberAt(read(daemonSets, "web"), "status", "numberReady") == 2);
  }

  @Test
  void namespace_deleted_endsWithItsObjects() throws Exception {
    create(KindCatalogue.NAMESPACES, "", "{\"metadata\": {\"name\": \"shop\"}}");
    await(() -> handlers.store(KindCatalogue.SERVICE_ACCOUNTS).get("shop/default") != null);
    create(KindCatalogue.CONFIG_MAPS, "shop", "{\"metadata\": {\"name\": \"c\"}}");

    handlers.delete(KindCatalogue.NAMESPACES, "", "shop", WriteOptions.PLAIN);

    await(() -> handlers.store(KindCatalogue.NAMESPACES).get("shop") == null);
    assertThat(handlers.store(KindCatalogue.CONFIG_MAPS).list("shop/").objects()).isEmpty();
  }

  @Test
  void dependent_oneOfTwoOwnersDeleted_stays() throws Exception {
    JsonObject first =
        create(KindCatalogue.CONFIG_MAPS, "default", "{\"metadata\": {\"name\": \"a\"}}");
    JsonObject second =
        create(KindCatalogue.CONFIG_MAPS, "default", "{\"metadata\": {\"name\": \"b\"}}");
    create(
        KindCatalogue.CONFIG_MAPS,
        "default",
        """
        {"metadata": {"name": "owned", "ownerReferences": [
          {"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "%s"},
          {"apiVersion": "v1", "kind": "ConfigMap", "name": "b", "uid": "%s"}]}}
        """
            .formatted(textAt(first, "metadata", "uid"), textAt(second, "metadata", "uid")));

    handlers.delete(KindCatalogue.CONFIG_MAPS, "default", "a", WriteOptions.PLAIN);
    await(() -> SimulatedObjects.listOwners(read(KindCatalogue.CONFIG_MAPS, "owned")).size() == 1);
    assertThat(SimulatedObjects.isTerminating(read(KindCatalogue.CONFIG_MAPS, "owned"))).isFalse();

    handlers.delete(KindCatalogue.CONFIG_MAPS, "default", "b", WriteOptions.PLAIN);
    await(() -> !read(KindCatalogue.CONFIG_MAPS, "owned").has("metadata"));
  }

  @Test
  void dependent_ownerOfUnservedKind_stays() throws Exception {
    create(
        KindCatalogue.CONFIG_MAPS,
        "default",
        """
        {"metadata": {"name": "owned", "ownerReferences": [
          {"apiVersion": "example.com/v1", "kind": "Gone", "name": "a", "uid": "1"}]}}
        """);
    JsonObject other =
        create(KindCatalogue.CONFIG_MAPS, "default", "{\"metadata\": {\"name\": \"a\"}}");
    create(
        KindCatalogue.CONFIG_MAPS,
        "default",
        """
        {"metadata": {"name": "last", "ownerReferences": [
          {"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "%s-gone"}]}}
        """
            .formatted(textAt(other, "metadata", "uid")));

    // one pass collects both or none
    await(() -> !read(KindCatalogue.CONFIG_MAPS, "last").has("metadata"));
    assertThat(read(KindCatalogue.CONFIG_MAPS, "owned").has("metadata")).isTrue();
  }
}
