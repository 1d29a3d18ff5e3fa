package dev.mooring.it.cluster;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/** Sources of a real API server. */
enum ServerSource {
  /** A running server without volumes. */
  KUBECONFIG {
    @Override
    Optional<String> findMissingPrerequisite() {
      String kubeconfig = System.getProperty("mooring.kubeconfig", "");
      return kubeconfig.isEmpty()
          ? Optional.of("no cluster is named by -Dmooring.kubeconfig=FILE")
          : Files.isReadable(Path.of(kubeconfig))
              ? Optional.empty()
              : Optional.of("-Dmooring.kubeconfig " + kubeconfig + " cannot be read");
    }

    @Override
    RealCluster start(Path folder) {
      Path kubeconfig = Path.of(System.getProperty("mooring.kubeconfig"));
      return new StartedServer(kubeconfig, () -> {});
    }
  },

  /** kube-apiserver and etcd from a folder. */
  BINARIES {
    private Optional<File> folder() {
      String path =
          System.getProperty(
              "mooring.kube.binaries", System.getenv().getOrDefault("KUBEBUILDER_ASSETS", ""));
      return path.isEmpty() ? Optional.empty() : Optional.of(new File(path).getAbsoluteFile());
    }

    @Override
    Optional<String> findMissingPrerequisite() {
      Optional<File> folder = folder();
      if (folder.isEmpty()) {
        return Optional.of(
            "no folder with kube-apiserver and etcd is named by -Dmooring.kube.binaries=DIR or KUBEBUILDER_ASSETS");
      }
      for (String program : List.of("kube-apiserver", "etcd", "kubectl")) {
        if (!new File(folder.get(), program).canExecute()) {
          return Optional.of(folder.get() + " has no program " + program);
        }
      }
      return Optional.empty();
    }

    @Override
    RealCluster start(Path folder) throws IOException {
      // the library expects DIR/k8s/VERSION-OS-ARCH and writes certificates beside it
      Path binaries = folder().orElseThrow().toPath();
      Path version = Path.of("k8s", "0.0.0-" + platform());
      Path link = folder.resolve("kube").resolve(version);
      Files.createDirectories(link.getParent());
      Files.createSymbolicLink(link, binaries);
      KubeAPIServer server =
          new KubeAPIServer(
              KubeAPIServerConfigBuilder.anAPIServerConfig()
                  .withTestDir(folder.resolve("kube").toString())
                  .withApiServerVersion("0.0.0")
                  .withOfflineMode(true)
                  .withUpdateKubeConfig(false)
                  .withApiServerFlags(
                      List.of(
                          "--bind-address",
                          "127.0.0.1",
                          "--advertise-address",
                          "127.0.0.1",
                          "--endpoint-reconciler-type",
                          "none",
                          "--disable-admission-plugins",
                          "ServiceAccount"))
                  .build());
      server.start();
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.getKubeConfigYaml());
      return new StartedServer(kubeconfig, server::stop);
    }
  },

  /**
   * k3s in a container, with the volume and node controllers of its kube-controller-manager
   * disabled.
   */
  K3S {
    private static final String IMAGE = "rancher/k3s:v1.36.2-k3s1";
    private static final String CONTROLLERS =
        "*,-persistentvolume-binder-controller,-persistentvolume-attach-detach-controller,-persistentvolume-expander-controller,-persistentvolumeclaim-protection-controller,-persistentvolume-protection-controller,-ephemeral-volume-controller,-volumeattributesclass-protection-controller,-node-lifecycle-controller,-taint-eviction-controller,-pod-garbage-collector-controller";

    @Override
    Optional<String> findMissingPrerequisite() {
      try {
        return DockerClientFactory.instance().isDockerAvailable()
            ? Optional.empty()
            : Optional.of("no Docker engine responds");
      } catch (RuntimeException | LinkageError e) {
        return Optional.of("no Docker engine responds: " + e);
      }
    }

    @Override
    @SuppressWarnings("resource") // the cluster closes it
    RealCluster start(Path folder) throws IOException {
      K3sContainer k3s =
          new K3sContainer(DockerImageName.parse(System.getProperty("mooring.k3s.image", IMAGE)));
      k3s.withCommand(
          "server",
          "--tls-san=" + k3s.getHost(),
          "--disable=traefik,local-storage,metrics-server,servicelb,coredns",
          "--disable-scheduler",
          "--kube-controller-manager-arg=controllers=" + CONTROLLERS);
      k3s.start();
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), k3s.getKubeConfigYaml());
      return new StartedServer(kubeconfig, k3s::stop);
    }
  };

  private record StartedServer(Path kubeconfig, Runnable stop) implements RealCluster {
    @Override
    public void close() {
      stop.run();
    }
  }

  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT);
    String arch = System.getProperty("os.arch");
    return (os.contains("mac") ? "darwin" : "linux")
        + "-"
        + (arch.equals("aarch64") ? "arm64" : "amd64");
  }

  /** Describes the missing prerequisite, if any. */
  abstract Optional<String> findMissingPrerequisite();

  /** Starts the server, which keeps its files in the folder. */
  abstract RealCluster start(Path folder) throws IOException;
}
