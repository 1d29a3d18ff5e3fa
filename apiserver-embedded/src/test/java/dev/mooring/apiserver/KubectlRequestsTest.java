package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends the requests of kubectl's commands, in kubectl's order. */
@Timeout(20)
class KubectlRequestsTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String TEMPLATE =
      "{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}";

  private final ApiServer server = NamespacesTest.start();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Client client = new Client(http, server.url(), "tok");

  @AfterEach
  void stop() throws IOException {
    http.shutdownNow();
    server.close();
  }

  private void createDeployment() throws Exception {
    Client.Answer answer =
        client.post(
            DEPLOYMENTS,
            "{'metadata':{'name':'web'},'spec':{'replicas':2,'selector':{'matchLabels':{'app':'web'}},"
                + "'template':"
                + TEMPLATE
                + "}}");
    assertThat(answer.code()).isEqualTo(201);
  }

  private void createPod() throws Exception {
    Client.Answer answer =
        client.post(
            PODS, "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
    assertThat(answer.code()).isEqualTo(201);
  }

  /** Opens the watch of one object that follows the list of it. */
  private BufferedReader watchAfterList(String path, String name) throws Exception {
    String query = "?fieldSelector=metadata.name%3D" + name;
    Client.Answer list = client.get(path + query);
    assertThat(list.body().getAsJsonArray("items")).hasSize(1);
    URI uri =
        URI.create(
            server.url()
                + path
                + query
                + "&watch=true&resourceVersion="
                + list.at("metadata", "resourceVersion"));
    return new BufferedReader(
        new InputStreamReader(
            http.send(
                    HttpRequest.newBuilder(uri).header("Authorization", "Bearer tok").build(),
                    HttpResponse.BodyHandlers.ofInputStream())
                .body(),
            StandardCharsets.UTF_8));
  }

  private static JsonObject readEvent(BufferedReader watch) throws IOException {
    return JsonParser.parseString(watch.readLine()).getAsJsonObject();
  }

  @Test
  void getAll_category_listsTablesOfItsResources() throws Exception {
    createPod();
    createDeployment();
    client.post(
        "/apis/batch/v1/namespaces/default/cronjobs",
        "{'metadata':{'name':'c'},'spec':{'schedule':'* * * * *','jobTemplate':{'spec':{'template':{'spec':"
            + "{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}}}");
    TreeMap<String, Integer> rows = new TreeMap<>();
    for (String version :
        new String[] {"/api/v1", "/apis/apps/v1", "/apis/batch/v1", "/apis/autoscaling/v2"}) {
      for (JsonElement element : client.get(version).body().getAsJsonArray("resources")) {
        JsonObject resource = element.getAsJsonObject();
        if (resource.has("categories")
            && resource.get("categories").toString().contains("\"all\"")) {
          String name = resource.get("name").getAsString();
          Client.Answer table =
              client.get(version + "/namespaces/default/" + name, "Accept", TABLE);
          assertThat(table.at("kind")).isEqualTo("Table");
          rows.put(name, table.body().getAsJsonArray("rows").size());
        }
      }
    }
    assertThat(rows)
        .containsOnlyKeys(
            "pods",
            "replicationcontrollers",
            "services",
            "daemonsets",
            "deployments",
            "replicasets",
            "statefulsets",
            "cronjobs",
            "jobs",
            "horizontalpodautoscalers")
        .containsEntry("pods", 1)
        .containsEntry("deployments", 1)
        .containsEntry("cronjobs", 1)
        .containsEntry("services", 0);
  }

  @Test
  void explain_kind_isDescribedByTheDocumentOfItsGroup() throws Exception {
    String url =
        client
            .get("/openapi/v3")
            .body()
            .getAsJsonObject("paths")
            .getAsJsonObject("apis/apps/v1")
            .get("serverRelativeURL")
            .getAsString();
    JsonObject schemas =
        client.get(url).body().getAsJsonObject("components").getAsJsonObject("schemas");
    JsonObject deployment = schemas.getAsJsonObject("io.k8s.api.apps.v1.Deployment");
    assertThat(deployment.getAsJsonArray("x-kubernetes-group-version-kind").toString())
        .isEqualTo("[{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"}]");
    assertThat(
            schemas
                .getAsJsonObject("io.k8s.api.apps.v1.DeploymentSpec")
                .getAsJsonObject("properties")
                .getAsJsonObject("replicas")
                .get("type")
                .getAsString())
        .isEqualTo("integer");
    assertThat(
            schemas.getAsJsonObject("io.k8s.api.apps.v1.DeploymentSpec").get("required").toString())
        .isEqualTo("[\"selector\",\"template\"]");
    assertThat(
            schemas
                .getAsJsonObject("io.k8s.api.apps.v1.DeploymentStrategy")
                .getAsJsonObject("properties")
                .getAsJsonObject("type")
                .get("enum")
                .toString())
        .isEqualTo("[\"Recreate\",\"RollingUpdate\"]");
  }

  @Test
  void scale_replicationController_selectorIsALineOfLabels() throws Exception {
    String path = "/api/v1/namespaces/default/replicationcontrollers";
    client.post(path, "{'metadata':{'name':'r'},'spec':{'template':" + TEMPLATE + "}}");
    Client.Answer scale = client.merge(path + "/r/scale", "{'spec':{'replicas':3}}");
    assertThat(scale.at("status", "selector")).isEqualTo("app=web");
    assertThat(client.get(path + "/r").at("spec", "replicas")).isEqualTo("3");
    assertThat(client.get(path + "/r").at("metadata", "generation")).isEqualTo("2");
  }

  @Test
  void certificateApprove_request_changesConditionsOnly() throws Exception {
    String path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    client.post(
        path,
        "{'metadata':{'name':'c'},'spec':{'request':'eA==','signerName':'example.com/s','usages':['client auth']}}");
    Client.Answer approved =
        client.merge(
            path + "/c/approval",
            "{'spec':{'signerName':'x/y'},'status':{'conditions':[{'type':'Approved','status':'True','reason':'r'}]}}");
    assertThat(approved.code()).isEqualTo(200);
    assertThat(approved.at("spec", "signerName")).isEqualTo("example.com/s");
    assertThat(approved.at("status", "conditions")).contains("\"type\":\"Approved\"");
    Client.Answer table = client.get(path, "Accept", TABLE);
    assertThat(table.at("rows")).contains("\"admin\",\"<none>\",\"Approved\"");
  }

  @Test
  void wait_condition_isDeliveredToTheWatchOfTheObject() throws Exception {
    createPod();
    try (BufferedReader watch = watchAfterList(PODS, "p")) {
      client.post(
          PODS, "{'metadata':{'name':'other'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
      client.merge(
          PODS + "/p/status", "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}");
      JsonObject ready = readEvent(watch);
      assertThat(ready.get("type").getAsString()).isEqualTo("MODIFIED");
      assertThat(ready.getAsJsonObject("object").getAsJsonObject("status").toString())
          .contains("\"type\":\"Ready\",\"status\":\"True\"");
      client.delete(PODS + "/p?gracePeriodSeconds=0");
      JsonObject event = readEvent(watch);
      while (!event.get("type").getAsString().equals("DELETED")) {
        event = readEvent(watch);
      }
      assertThat(
              event.getAsJsonObject("object").getAsJsonObject("metadata").get("name").getAsString())
          .isEqualTo("p");
    }
  }

  @Test
  void rolloutStatus_deployment_comparesGenerations() throws Exception {
    createDeployment();
    try (BufferedReader watch = watchAfterList(DEPLOYMENTS, "web")) {
      client.merge(DEPLOYMENTS + "/web", "{'spec':{'replicas':3}}");
      JsonObject scaled = readEvent(watch).getAsJsonObject("object");
      assertThat(scaled.getAsJsonObject("metadata").get("generation").getAsInt()).isEqualTo(2);
      assertThat(scaled.getAsJsonObject("status").has("observedGeneration")).isFalse();

      client.merge(
          DEPLOYMENTS + "/web/status",
          "{'status':{'observedGeneration':2,'replicas':3,'updatedReplicas':3}}");
      JsonObject updated = readEvent(watch).getAsJsonObject("object");
      assertThat(updated.getAsJsonObject("metadata").get("generation").getAsInt()).isEqualTo(2);
      assertThat(updated.getAsJsonObject("status").get("observedGeneration").getAsInt())
          .isEqualTo(2);
    }
  }
}
