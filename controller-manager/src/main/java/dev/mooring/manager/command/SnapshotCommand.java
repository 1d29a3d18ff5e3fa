package dev.mooring.manager.command;

import com.google.gson.Gson;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.simulate.ClusterCopy;
import dev.mooring.manager.telemetry.LogSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "snapshot",
    description =
        "Writes the objects that 'mooring simulate' needs into a file: volumes, claims, classes, nodes, pods, workloads and CSI objects and snapshots, without Secrets. Only reads from the cluster.",
    mixinStandardHelpOptions = true)
public final class SnapshotCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description = "File to create, for example snapshot.json. An existing file is an error.")
  private Path file = Path.of("");

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  public SnapshotCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    try (KubeConnection connection = cluster.connect()) {
      ClusterCopy copy = ClusterCopy.read(connection);
      NewFile.create(
          file,
          out -> out.write(new Gson().toJson(copy.toJson()).getBytes(StandardCharsets.UTF_8)));
      if (!copy.unread().isEmpty()) {
        System.err.println(copy.unreadText());
      }
      System.out.println("%,d objects are in %s".formatted(copy.objects().size(), file));
      return 0;
    }
  }
}
