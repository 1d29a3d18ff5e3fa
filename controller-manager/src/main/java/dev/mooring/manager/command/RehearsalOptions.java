package dev.mooring.manager.command;

import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.LeaseObserver;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.shadow.ElectionRehearsal;
import dev.mooring.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class RehearsalOptions {
  @Option(
      names = "--rehearse",
      paramLabel = "DURATION",
      description =
          "Time for which this process compares its decisions with those of the leader before it takes part in the election, for example 10m. It stays on standby after an unexplained difference (docs/upgrade.md). 0 = no rehearsal. Default: ${DEFAULT-VALUE}.")
  private Duration duration = Duration.ZERO;

  @Option(
      names = "--rehearse-scenarios-dir",
      paramLabel = "DIR",
      description =
          "Directory for one scenario file per unexplained difference of the rehearsal; created if it is absent. Default: none; the log has the scenarios.")
  private @Nullable Path scenarios;

  Duration duration(ElectionOptions election) throws UsageException {
    if (duration.isNegative()) {
      throw new InvalidFlagException(
          "--rehearse " + duration + " is negative: specify 0 for no rehearsal");
    }
    if (duration.isPositive() && !election.isOn()) {
      throw new InvalidFlagException(
          "--rehearse compares with the leader, but there is no leader election: specify --leader-elect=true, or omit --rehearse");
    }
    return duration;
  }

  ElectionRehearsal newRehearsal(
      ManagerConfig config,
      KubeConnection connection,
      PluginRegistry.Config pluginConfig,
      Time time)
      throws UsageException {
    LeaseObserver leader =
        new LeaseObserver(
            config.election().orElseThrow(), KubeCluster.alone(connection, time), time);
    return new ElectionRehearsal(
        config.rehearsal(),
        leader,
        time,
        shadow -> {
          connection.forbidWrites();
          return new ControllerManager(
              config.observing(), connection, PluginRegistry.read(pluginConfig), shadow);
        },
        scenarios());
  }

  private Optional<Path> scenarios() throws UsageException {
    return scenarios == null
        ? Optional.empty()
        : Optional.of(create("--rehearse-scenarios-dir", scenarios));
  }

  static Path create(String flag, Path folder) throws UsageException {
    try {
      if (Files.isWritable(Files.createDirectories(folder))) {
        return folder;
      }
    } catch (IOException e) {
      // the same remedy
    }
    throw new UsageException(flag + " " + folder + " is not a writable directory: specify another");
  }
}
