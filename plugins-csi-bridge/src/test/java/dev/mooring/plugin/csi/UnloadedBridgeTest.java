package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.testkit.TestWait;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that unloads the bridge, or starts one manager after the other, keeps no classes. */
class UnloadedBridgeTest {
  private static final List<String> OWN_PACKAGES =
      List.of("dev.mooring.plugin.csi.", "csi.", "io.grpc.", "io.netty.", "com.google.");

  @TempDir private Path folder;

  /** Loads the bridge and its libraries again, as the host does. */
  private static final class BridgeLoader extends URLClassLoader {
    BridgeLoader() {
      super(
          Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
              .map(BridgeLoader::toUrl)
              .toArray(URL[]::new),
          UnloadedBridgeTest.class.getClassLoader());
    }

    private static URL toUrl(String path) {
      try {
        return Path.of(path).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (OWN_PACKAGES.stream().noneMatch(name::startsWith)) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }

  private static WeakReference<ClassLoader> useBridge(Path socket, int connections) {
    try (BridgeLoader loader = new BridgeLoader()) {
      CsiConnector connector =
          (CsiConnector)
              loader.loadClass(GrpcConnector.class.getName()).getConstructor().newInstance();
      for (int i = 0; i < connections; i++) {
        CsiConnection connection = connector.connect("unix://" + socket, Duration.ofSeconds(30));
        assertThat(connection.probe()).isInstanceOf(DriverReply.Ok.class);
        connection.close();
        connection.close(); // without effect
      }
      return new WeakReference<>(loader);
    } catch (IOException | ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void classLoader_afterItsConnectionsAreClosed_isCollected() throws Exception {
    Path socket = folder.resolve("csi.sock");
    try (ReferenceDriver driver =
        new ReferenceDriver(socket, new VolumeStore(folder), Settings.of("d.example.com"))) {
      assertThat(driver).isNotNull();
      // a call leaves values of Netty in the variables of its thread
      WeakReference<ClassLoader> loader =
          CompletableFuture.supplyAsync(() -> useBridge(socket, 2), Thread::startVirtualThread)
              .join();
      TestWait.until(
          "the classes of the bridge are collected",
          () -> {
            System.gc();
            return loader.get() == null;
          });
    }
  }
}
