package dev.mooring.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import io.kubernetes.client.Discovery;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaimList;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaimSpec;
import io.kubernetes.client.openapi.models.V1Preconditions;
import io.kubernetes.client.openapi.models.V1VolumeResourceRequirements;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.DeleteOptions;
import io.kubernetes.client.util.generic.options.ListOptions;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uses the embedded server through the official Kubernetes client for Java. */
@Timeout(60)
class JavaClientTest {
  private ApiServer server;
  private ApiClient client;
  private GenericKubernetesApi<V1PersistentVolumeClaim, V1PersistentVolumeClaimList> claims;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.start(new ApiServer.ServerOptions(0, "tok", null).withTls());
    client = Config.fromConfig(new StringReader(server.kubeconfig()));
    claims =
        new GenericKubernetesApi<>(
            V1PersistentVolumeClaim.class,
            V1PersistentVolumeClaimList.class,
            "",
            "v1",
            "persistentvolumeclaims",
            client);
  }

  @AfterEach
  void stop() throws Exception {
    client.getHttpClient().dispatcher().executorService().shutdownNow();
    server.close();
  }

  private static V1PersistentVolumeClaim claim(String name) {
    return new V1PersistentVolumeClaim()
        .metadata(new V1ObjectMeta().name(name).namespace("default"))
        .spec(
            new V1PersistentVolumeClaimSpec()
                .accessModes(List.of("ReadWriteOnce"))
                .storageClassName("")
                .resources(
                    new V1VolumeResourceRequirements()
                        .requests(Map.of("storage", new Quantity("1Gi")))));
  }

  @Test
  void genericApi_createUpdateListGet_matchKubernetes() throws Exception {
    V1PersistentVolumeClaim createdClaim =
        claims.create(claim("a")).throwsApiException().getObject();
    assertThat(createdClaim.getMetadata().getFinalizers())
        .containsExactly("kubernetes.io/pvc-protection");
    assertThat(claims.create(claim("a")).getStatus().getReason()).isEqualTo("AlreadyExists");

    createdClaim.getMetadata().putLabelsItem("tier", "gold");
    V1PersistentVolumeClaim updatedClaim =
        claims.update(createdClaim).throwsApiException().getObject();
    createdClaim.getMetadata().putLabelsItem("tier", "iron");
    KubernetesApiResponse<V1PersistentVolumeClaim> staleUpdate = claims.update(createdClaim);
    assertThat(staleUpdate.getHttpStatusCode()).isEqualTo(409);
    assertThat(staleUpdate.getStatus().getReason()).isEqualTo("Conflict");

    ListOptions goldSelector = new ListOptions();
    goldSelector.setLabelSelector("tier=gold");
    assertThat(claims.list("default", goldSelector).getObject().getItems())
        .extracting(c -> c.getMetadata().getName())
        .containsExactly("a");
    assertThat(claims.get("default", "none").getHttpStatusCode()).isEqualTo(404);

    updatedClaim.getStatus().setPhase("Bound");
    assertThat(
            claims
                .updateStatus(updatedClaim, V1PersistentVolumeClaim::getStatus)
                .getObject()
                .getStatus()
                .getPhase())
        .isEqualTo("Bound");
  }

  @Test
  void genericApi_everyPatchType_isAccepted() throws Exception {
    claims.create(claim("a")).throwsApiException();
    patch(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"metadata\":{\"labels\":{\"k\":\"1\"}}}");
    assertThat(readLabel()).isEqualTo("1");
    patch(
        V1Patch.PATCH_FORMAT_JSON_PATCH,
        "[{\"op\":\"replace\",\"path\":\"/metadata/labels/k\",\"value\":\"2\"}]");
    assertThat(readLabel()).isEqualTo("2");
    patch(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"metadata\":{\"labels\":{\"k\":\"3\"}}}");
    assertThat(readLabel()).isEqualTo("3");
    PatchOptions forcedApply = new PatchOptions();
    forcedApply.setFieldManager("tester");
    forcedApply.setForce(true);
    claims
        .patch(
            "default",
            "a",
            V1Patch.PATCH_FORMAT_APPLY_YAML,
            new V1Patch(
                "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"a\",\"labels\":{\"k\":\"4\"}}}"),
            forcedApply)
        .throwsApiException();
    assertThat(readLabel()).isEqualTo("4");
  }

  private void patch(String format, String body) throws Exception {
    claims.patch("default", "a", format, new V1Patch(body)).throwsApiException();
  }

  private String readLabel() {
    return claims.get("default", "a").getObject().getMetadata().getLabels().get("k");
  }

  @Test
  void genericApi_deletionWithFinalizer_returnsObject() throws Exception {
    claims.create(claim("a")).throwsApiException();
    DeleteOptions otherUid = new DeleteOptions();
    otherUid.setPreconditions(new V1Preconditions().uid("other"));
    assertThat(claims.delete("default", "a", otherUid).getHttpStatusCode()).isEqualTo(409);

    KubernetesApiResponse<V1PersistentVolumeClaim> deletion = claims.delete("default", "a");
    assertThat(deletion.isSuccess()).isTrue();
    assertThat(deletion.getObject().getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(claims.get("default", "a").isSuccess()).isTrue();
    patch(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}");
    assertThat(claims.get("default", "a").getHttpStatusCode()).isEqualTo(404);
  }

  @Test
  void genericApi_watchFromList_deliversLaterEvents() throws Exception {
    String version = claims.list("default").getObject().getMetadata().getResourceVersion();
    ListOptions listVersion = new ListOptions();
    listVersion.setResourceVersion(version);
    try (Watchable<V1PersistentVolumeClaim> watch = claims.watch("default", listVersion)) {
      claims.create(claim("a")).throwsApiException();
      Watch.Response<V1PersistentVolumeClaim> addedEvent = watch.next();
      assertThat(addedEvent.type).isEqualTo("ADDED");
      assertThat(addedEvent.object.getMetadata().getName()).isEqualTo("a");
    }
  }

  @Test
  void watch_expiredVersion_deliversStatus() throws Exception {
    try (Watch<V1PersistentVolumeClaim> watch =
        Watch.createWatch(
            client,
            new CoreV1Api(client)
                .listNamespacedPersistentVolumeClaim("default")
                .resourceVersion("1")
                .watch(true)
                .buildCall(null),
            new TypeToken<Watch.Response<V1PersistentVolumeClaim>>() {}.getType())) {
      Watch.Response<V1PersistentVolumeClaim> event = watch.next();
      assertThat(event.type).isEqualTo("ERROR");
      assertThat(event.status.getCode()).isEqualTo(410);
    }
  }

  @Test
  void dynamicApi_customResource_isDiscoveredAndCreated() throws Exception {
    SnapshotResources.install(server.handlers());
    Discovery.APIResource snapshots =
        new Discovery(client)
            .findAll().stream()
                .filter(resource -> resource.getResourcePlural().equals("volumesnapshots"))
                .findFirst()
                .orElseThrow();
    assertThat(snapshots.getKind()).isEqualTo("VolumeSnapshot");
    assertThat(snapshots.getNamespaced()).isTrue();

    DynamicKubernetesApi api =
        new DynamicKubernetesApi(
            snapshots.getGroup(), snapshots.getPreferredVersion(), "volumesnapshots", client);
    DynamicKubernetesObject snapshot =
        new DynamicKubernetesObject(
            JsonParser.parseString(
                    "{\"apiVersion\":\"snapshot.storage.k8s.io/v1\",\"kind\":\"VolumeSnapshot\","
                        + "\"metadata\":{\"name\":\"s\",\"namespace\":\"default\"},"
                        + "\"spec\":{\"source\":{\"persistentVolumeClaimName\":\"a\"}}}")
                .getAsJsonObject());
    api.create(snapshot).throwsApiException();
    assertThat(api.list("default").getObject().getItems())
        .extracting(snapshotObject -> snapshotObject.getMetadata().getName())
        .containsExactly("s");
  }
}
