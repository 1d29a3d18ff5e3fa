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

  private record ClientKey(Class<?> type, String serviceAccount) {}

  private final Map<ClientKey, Object> clients = new HashMap<>();
  private final Deque<Closeable> resources = new ArrayDeque<>();

  private ClassServer(KubernetesServer kubernetes) {
    this.kubernetes = kubernetes;
  }

  static ClassServer open(TestServer server, EmbeddedKubernetes options, Class<?> testClass) {
    ClassServer opened = new ClassServer(server.openNamespace(options, testClass));
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
    opened.startControllers(server, options);
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

  private void startControllers(TestServer server, EmbeddedKubernetes options) {
    try {
      resources.push(
          RunningControllers.start(
              server.server(), List.of(options.controllers()), kubernetes.namespace()));
    } catch (ExtensionConfigurationException e) {
      closeAfter(e);
      throw e;
    }
  }

  private void closeAfter(ExtensionConfigurationException failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  void closeLast(Closeable resource) {
    resources.addLast(resource);
  }

  KubernetesServer kubernetes() {
    return kubernetes;
  }

  // the account is "" for the administrator
  synchronized Object client(InjectedClient library, Class<?> type, String serviceAccount) {
    return clients.computeIfAbsent(
        new ClientKey(type, serviceAccount),
        key -> {
          Object client = library.create(type, kubeconfig(serviceAccount));
          if (client instanceof Closeable closeable) {
            resources.push(closeable);
          }
          return client;
        });
  }

  String kubeconfig(String serviceAccount) {
    return serviceAccount.isEmpty()
        ? kubernetes.kubeconfig()
        : kubernetes.kubeconfigOf(serviceAccount);
  }

  @Override
  public synchronized void close() throws IOException {
    while (!resources.isEmpty()) {
      resources.pop().close();
    }
  }
}
