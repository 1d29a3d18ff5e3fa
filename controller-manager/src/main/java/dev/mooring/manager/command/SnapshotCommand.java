package dev.mooring.manager.command;

import com.google.gson.Gson;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.simulate.ClusterCopy;
import dev.mooring.manager.telemetry.LogSetup;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
      write(copy);
      if (!copy.unread().isEmpty()) {
        System.err.println(copy.unreadText());
      }
      System.out.println("%,d objects are in %s".formatted(copy.objects().size(), file));
      return 0;
    }
  }

  private void write(ClusterCopy copy) throws UsageException {
    try {
      Files.writeString(file, new Gson().toJson(copy.toJson()), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new UsageException(file + " exists: specify a new file, or delete it");
    } catch (IOException e) {
      throw new UsageException(
          "%s cannot be written (%s): specify a file in a writable directory"
              .formatted(file, e.getClass().getSimpleName()));
    }
  }
}
