package dev.mooring.junit;

import dev.mooring.apiserver.simulate.NodeSimulator;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

final class ClassServer implements AutoCloseable {
  private final KubernetesServer kubernetes;
  private final Map<Class<?>, Object> clients = new HashMap<>();
  private final Deque<Closeable> resources = new ArrayDeque<>();

  private ClassServer(KubernetesServer kubernetes) {
    this.kubernetes = kubernetes;
  }

  static ClassServer open(TestServer server, EmbeddedKubernetes options, Class<?> testClass) {
    ClassServer opened = new ClassServer(server.openNamespace(options.namespace(), testClass));
    try {
      opened.createObjects(server.manifests(), options, testClass);
    } catch (ExtensionConfigurationException e) {
      server.closeNamespace(opened.kubernetes);
      throw e;
    }
    opened.resources.push(() -> server.closeNamespace(opened.kubernetes));
    if (options.simulateNodes() > 0) {
      NodeSimulator nodes =
          NodeSimulator.start(server.server().handlers(), options.simulateNodes());
      opened.resources.push(nodes::close);
    }
    return opened;
  }

  private void createObjects(
      ManifestCreation creation, EmbeddedKubernetes options, Class<?> testClass) {
    ManifestFiles files = new ManifestFiles(testClass.getClassLoader(), kubernetes.namespace());
    List<ManifestDocument> documents = new ArrayList<>(files.read(options.crds()));
    documents.addAll(files.read(options.manifests()));
    ManifestCreation.requireDistinct(documents);
    documents.forEach(document -> creation.create(document, kubernetes.namespace()));
  }

  void closeLast(Closeable resource) {
    resources.addLast(resource);
  }

  KubernetesServer kubernetes() {
    return kubernetes;
  }

  synchronized Object client(InjectedClient library, Class<?> type) {
    return clients.computeIfAbsent(
        type,
        newType -> {
          Object client = library.create(newType, kubernetes.kubeconfig());
          if (client instanceof Closeable closeable) {
            resources.push(closeable);
          }
          return client;
        });
  }

  @Override
  public synchronized void close() throws IOException {
    while (!resources.isEmpty()) {
      resources.pop().close();
    }
  }
}
