package dev.mooring.it.client;

import dev.mooring.apiserver.ApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients of fabric8 for an embedded server. */
final class Fabric8Clients {
  enum HttpLibrary {
    JDK,
    VERTX;

    HttpClient.Factory makeFactory() {
      return this == JDK ? new JdkHttpClientFactory() : new VertxHttpClientFactory();
    }
  }

  private Fabric8Clients() {}

  static KubernetesClient connect(ApiServer server, HttpLibrary library) {
    return connect(server, library, new FirstWatchExpiry(""));
  }

  static KubernetesClient connect(ApiServer server, HttpLibrary library, FirstWatchExpiry expiry) {
    Config config = Config.fromKubeconfig(server.kubeconfig());
    config.setWatchReconnectInterval(1); // ms
    config.setRequestRetryBackoffLimit(0); // a refused request fails the test at once
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(library.makeFactory())
        .withHttpClientBuilderConsumer(
            client -> client.addOrReplaceInterceptor("first watch expiry", expiry))
        .build();
  }

  /** Lets the first watch of a resource start at a version that the server no longer has. */
  static final class FirstWatchExpiry implements Interceptor {
    private final String plural;
    private final AtomicInteger lists = new AtomicInteger();
    private final AtomicInteger watches = new AtomicInteger();

    /** Changes no watch if the name is "". */
    FirstWatchExpiry(String plural) {
      this.plural = plural;
    }

    @Override
    public void before(BasicBuilder target, HttpRequest request, RequestTags tags) {
      String uri = request.uri().toString();
      if (!request.uri().getPath().endsWith("/" + plural)) {
        return;
      }
      if (!uri.contains("watch=true")) {
        lists.incrementAndGet();
      } else if (watches.getAndIncrement() == 0) {
        target.uri(URI.create(uri.replaceFirst("resourceVersion=\\d+", "resourceVersion=1")));
      }
    }

    int countLists() {
      return lists.get();
    }

    int countWatches() {
      return watches.get();
    }
  }
}
