package dev.mooring.manager.command;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.VolumeControllers;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The controllers of {@code mooring run} for tests, without leader election and endpoints. */
public final class EmbeddedVolumeControllers implements VolumeControllers {
  private static final List<String> FLAGS =
      List.of("--mode=replace", "--endpoints=off", "--leader-elect=false");

  public EmbeddedVolumeControllers() {}

  @Override
  public Closeable start(ApiServer server) throws IOException, InterruptedException {
    Path kubeconfig = Files.createTempFile("mooring-", ".kubeconfig");
    try {
      Files.writeString(kubeconfig, server.kubeconfig());
      ControllerManager manager =
          RunFlags.manager(
              FLAGS,
              PluginOptions.defaultDirectory().resolve("plugins"),
              ClusterOptions.connectTo(kubeconfig));
      manager.start();
      return () -> stop(manager);
    } catch (UsageException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      Files.deleteIfExists(kubeconfig);
    }
  }

  private static void stop(ControllerManager manager) {
    try {
      manager.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
