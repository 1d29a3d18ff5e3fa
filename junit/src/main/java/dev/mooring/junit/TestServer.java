package dev.mooring.junit;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.intercept.ReceivedRequest;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.junit.EmbeddedKubernetes.ServerLifecycle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

final class TestServer implements AutoCloseable {
  private static final int MAX_NAME =
      50; // leaves room for a number; names have up to 63 characters

  private final ApiServer server;
  private final String adminToken;
  private final List<NamespaceRequests> recorders = new CopyOnWriteArrayList<>();
  private final ManifestCreation manifests;

  private TestServer(ApiServer server, String adminToken) {
    this.server = server;
    this.adminToken = adminToken;
    this.manifests = new ManifestCreation(server, adminToken);
  }

  static TestServer start(int port, boolean tls) {
    String token = UUID.randomUUID().toString();
    try {
      ApiServer.ServerOptions options = new ApiServer.ServerOptions(port, token, null);
      TestServer started =
          new TestServer(ApiServer.start(tls ? options.withTls() : options), token);
      started.server.intercept(started::receive);
      return started;
    } catch (IOException e) {
      String message =
          e.getCause() instanceof BindException
              ? "port " + port + " is in use; choose another port, or 0 for a free one"
              : "the API server does not start: " + e.getMessage();
      throw new ExtensionConfigurationException(message, e);
    }
  }

  private void receive(ReceivedRequest request) throws StatusException {
    for (NamespaceRequests recorder : recorders) {
      recorder.receive(request);
    }
  }

  ApiServer server() {
    return server;
  }

  ManifestCreation manifests() {
    return manifests;
  }

  synchronized KubernetesServer openNamespace(EmbeddedKubernetes options, Class<?> testClass) {
    String wanted = options.namespace();
    String base = wanted.isEmpty() ? deriveName(testClass) : wanted;
    String name = base;
    for (int i = 2; wanted.isEmpty() && hasNamespace(name); i++) {
      name = base + "-" + i;
    }
    try {
      JsonObject namespace = JsonBodies.newObject("metadata", JsonBodies.newObject("name", name));
      server.handlers().create(KindCatalogue.NAMESPACES, "", namespace, WriteOptions.PLAIN);
    } catch (StatusException e) {
      throw new ExtensionConfigurationException("namespace: " + e.getMessage(), e);
    }
    NamespaceRequests recorder = new NamespaceRequests(name);
    recorders.add(recorder);
    return new KubernetesServer(
        server, adminToken, recorder, options.lifecycle() == ServerLifecycle.PER_JVM);
  }

  private boolean hasNamespace(String name) {
    return server.handlers().store(KindCatalogue.NAMESPACES).get(name) != null;
  }

  static String deriveName(Class<?> testClass) {
    String words =
        testClass
            .getSimpleName()
            .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-|-$", "");
    String name = words.substring(0, Math.min(MAX_NAME, words.length())).replaceAll("-$", "");
    return name.isEmpty() ? "test" : name;
  }

  synchronized void closeNamespace(KubernetesServer closed) {
    recorders.remove(closed.recorder());
    closed.deleteNamespace();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
