package dev.mooring.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.testkit.TestWait;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.dynamic.Dynamics;
import java.io.IOException;
import java.io.StringReader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs a controller on an informer of the official Kubernetes client for Java. */
class JavaInformerTest {
  private static final String FINALIZER = "example.com/widgets";

  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
  private final FirstWatchExpiry expiry = new FirstWatchExpiry();
  private ApiServer server;
  private ApiClient client;
  private DynamicKubernetesApi widgets;
  private SharedInformerFactory informers;

  /** Lets the first watch of widgets start at a version that the server no longer has. */
  private static final class FirstWatchExpiry implements Interceptor {
    private final AtomicInteger watches = new AtomicInteger();

    @Override
    public Response intercept(Chain chain) throws IOException {
      Request request = chain.request();
      boolean isWatch =
          request.url().encodedPath().endsWith("/widgets")
              && "true".equals(request.url().queryParameter("watch"));
      if (isWatch && watches.getAndIncrement() == 0) {
        return chain.proceed(
            request
                .newBuilder()
                .url(request.url().newBuilder().setQueryParameter("resourceVersion", "1").build())
                .build());
      }
      return chain.proceed(request);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(new ApiServer.ServerOptions(0, "tok", null).withTls());
    client = Config.fromConfig(new StringReader(server.kubeconfig()));
    OkHttpClient http = client.getHttpClient().newBuilder().addInterceptor(expiry).build();
    client.setHttpClient(http);
    widgets = new DynamicKubernetesApi("example.com", "v1", "widgets", client);
    informers = new SharedInformerFactory(client);
  }

  @AfterEach
  void stop() throws IOException {
    informers.stopAllRegisteredInformers();
    client.getHttpClient().dispatcher().executorService().shutdownNow();
    server.close();
  }

  private final class QueueFiller implements ResourceEventHandler<DynamicKubernetesObject> {
    @Override
    public void onAdd(DynamicKubernetesObject object) {
      queue.add(object.getMetadata().getName());
    }

    @Override
    public void onUpdate(DynamicKubernetesObject before, DynamicKubernetesObject after) {
      queue.add(after.getMetadata().getName());
    }

    @Override
    public void onDelete(DynamicKubernetesObject object, boolean isFinalStateUnknown) {
      queue.add(object.getMetadata().getName());
    }
  }

  @Test
  void controller_customResource_isReconciledAndCleanedUp() throws Exception {
    new DynamicKubernetesApi("apiextensions.k8s.io", "v1", "customresourcedefinitions", client)
        .create(Dynamics.newFromYaml(Widget.DEFINITION))
        .throwsApiException();
    SharedIndexInformer<DynamicKubernetesObject> informer =
        informers.sharedIndexInformerFor(widgets, DynamicKubernetesObject.class, 0);
    informer.addEventHandler(new QueueFiller());
    informers.startAllRegisteredInformers();
    TestWait.until("watch after the expired one", () -> expiry.watches.get() >= 2);

    widgets
        .create(
            Dynamics.newFromJson(
                """
                {"apiVersion": "example.com/v1", "kind": "Widget",
                 "metadata": {"name": "w", "namespace": "default"}, "spec": {"size": 3}}
                """))
        .throwsApiException();
    reconcileUntilSize(3);
    assertThat(informer.getIndexer().getByKey("default/w")).isNotNull();
    mergePatch("{\"spec\": {\"size\": 5}}");
    reconcileUntilSize(5);
    widgets.delete("default", "w").throwsApiException();
    while (informer.getIndexer().getByKey("default/w") != null) {
      reconcileNext();
    }

    assertThat(widgets.get("default", "w").getHttpStatusCode()).isEqualTo(404);
    assertThat(new CoreV1Api(client).listNamespacedEvent("default").execute().getItems())
        .extracting(CoreV1Event::getMessage)
        .contains("the size is 3", "the size is 5", "the widget is removed");
  }

  private void reconcileUntilSize(int size) throws Exception {
    while (readReachedSize(widgets.get("default", "w").getObject()) != size) {
      reconcileNext();
    }
  }

  private static int readReachedSize(DynamicKubernetesObject widget) {
    JsonObject status = widget.getRaw().getAsJsonObject("status");
    return status == null ? 0 : status.get("size").getAsInt();
  }

  private void reconcileNext() throws Exception {
    String name = queue.poll(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS);
    assertThat(name).as("next change").isNotNull();
    // the cache may not have the controller's own last write yet
    KubernetesApiResponse<DynamicKubernetesObject> answer = widgets.get("default", name);
    if (answer.getHttpStatusCode() == 404) {
      return;
    }
    DynamicKubernetesObject widget = answer.throwsApiException().getObject();
    boolean hasFinalizer =
        widget.getMetadata().getFinalizers() != null
            && widget.getMetadata().getFinalizers().contains(FINALIZER);
    int size = widget.getRaw().getAsJsonObject("spec").get("size").getAsInt();
    if (widget.getMetadata().getDeletionTimestamp() != null) {
      if (hasFinalizer) {
        recordEvent(widget, "Removed", "the widget is removed");
        mergePatch("{\"metadata\": {\"finalizers\": null}}");
      }
    } else if (!hasFinalizer) {
      mergePatch("{\"metadata\": {\"finalizers\": [\"" + FINALIZER + "\"]}}");
    } else if (readReachedSize(widget) != size) {
      recordEvent(widget, "Resized", "the size is " + size);
      widgets
          .updateStatus(widget, _ -> JsonParser.parseString("{\"size\": " + size + "}"))
          .throwsApiException();
    }
  }

  private void mergePatch(String patch) throws ApiException {
    widgets
        .patch("default", "w", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, new V1Patch(patch))
        .throwsApiException();
  }

  private void recordEvent(DynamicKubernetesObject widget, String reason, String message)
      throws ApiException {
    new CoreV1Api(client)
        .createNamespacedEvent(
            "default",
            new CoreV1Event()
                .metadata(new V1ObjectMeta().generateName("w.").namespace("default"))
                .involvedObject(
                    new V1ObjectReference()
                        .apiVersion(widget.getApiVersion())
                        .kind(widget.getKind())
                        .namespace("default")
                        .name("w")
                        .uid(widget.getMetadata().getUid()))
                .type("Normal")
                .reason(reason)
                .message(message))
        .execute();
  }
}
