package dev.mooring.junit;

import java.io.Reader;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ParameterResolutionException;

// by name and from the class loader of the parameter: each library is optional
enum InjectedClient {
  FABRIC8("io.fabric8.kubernetes.client.KubernetesClient") {
    @Override
    Object connect(ClassLoader loader, String kubeconfig) throws ReflectiveOperationException {
      Class<?> config = loader.loadClass("io.fabric8.kubernetes.client.Config");
      Class<?> builder = loader.loadClass("io.fabric8.kubernetes.client.KubernetesClientBuilder");
      Object parsed = config.getMethod("fromKubeconfig", String.class).invoke(null, kubeconfig);
      Object configured =
          builder
              .getMethod("withConfig", config)
              .invoke(builder.getConstructor().newInstance(), parsed);
      return builder.getMethod("build").invoke(configured);
    }
  },
  JAVA_CLIENT("io.kubernetes.client.openapi.ApiClient") {
    @Override
    Object connect(ClassLoader loader, String kubeconfig) throws ReflectiveOperationException {
      return loader
          .loadClass("io.kubernetes.client.util.Config")
          .getMethod("fromConfig", Reader.class)
          .invoke(null, new StringReader(kubeconfig));
    }
  };

  private final String typeName;

  InjectedClient(String typeName) {
    this.typeName = typeName;
  }

  static Optional<InjectedClient> find(Class<?> type) {
    return Arrays.stream(values()).filter(c -> c.typeName.equals(type.getName())).findFirst();
  }

  abstract Object connect(ClassLoader loader, String kubeconfig)
      throws ReflectiveOperationException;

  Object create(Class<?> type, String kubeconfig) {
    try {
      return connect(type.getClassLoader(), kubeconfig);
    } catch (ReflectiveOperationException e) {
      throw new ParameterResolutionException(
          "a client of the type " + typeName + " cannot be created", e);
    }
  }
}
