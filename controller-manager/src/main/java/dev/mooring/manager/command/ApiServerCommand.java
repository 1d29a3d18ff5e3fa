package dev.mooring.manager.command;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.manager.telemetry.Logs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the embedded API server by itself. */
@Command(
    name = "apiserver",
    description =
        "Runs the embedded API server by itself, on the loopback interface, for demos and tests. Not for production.",
    mixinStandardHelpOptions = true)
public final class ApiServerCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      description = "Port, 0 for any that is free. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--write-kubeconfig",
      paramLabel = "FILE",
      description = "Where to write a kubeconfig for it. Default: a temporary file.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Folder that it keeps its objects in. Default: memory only.")
  private @Nullable Path dataDir;

  @Option(
      names = "--audit-log-path",
      paramLabel = "FILE",
      description =
          "File that every request is written down in, in the format of Kubernetes' audit log. Default: none.")
  private @Nullable Path auditLog;

  @Option(
      names = "--simulate-nodes",
      paramLabel = "N",
      description =
          "Simulate so many nodes with a scheduler and kubelets. Default: ${DEFAULT-VALUE}.")
  private int nodes;

  /** Who may do what. */
  enum Authorization {
    /** Everybody everything. */
    AlwaysAllow,
    /** Everybody what roles allow. */
    RBAC
  }

  @Option(
      names = "--token",
      description =
          "Bearer token of the user of the kubeconfig, who may do everything. Default: a random one with --authorization-mode=RBAC, else none.")
  private String token = "";

  @Option(
      names = {"--authorization-mode", "--authorization"},
      paramLabel = "MODE",
      description =
          "AlwaysAllow: everybody on this machine may do everything; RBAC: who shows the token may do everything, all others (ServiceAccounts by their tokens, certificates with --tls) what roles allow. Default: RBAC with --token, else AlwaysAllow.")
  private @Nullable Authorization authorization;

  @Option(
      names = "--tls",
      description =
          "Speak TLS, and HTTP/2 with whoever does, with a certificate of an authority of its own that the kubeconfig trusts.")
  private boolean tls;

  @Option(
      names = "--snapshot-kinds",
      description =
          "Install the kinds of snapshot.storage.k8s.io: VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotClass, and of groupsnapshot.storage.k8s.io: VolumeGroupSnapshot and so on.")
  private boolean snapshots;

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=BOOL,...",
      description =
          "WatchList=false: no watch may ask for what is there already, as with many servers before Kubernetes 1.34. Default: WatchList=true.")
  private String gates = "WatchList=true";

  /** For picocli. */
  public ApiServerCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    Logs.configure(false, false, false);
    if (port < 0 || port > 65535) {
      throw new WrongFlagException(
          "--port " + port + " is not a port: name one from 1 to 65535, or 0 for any that is free");
    }
    if (nodes < 0 || nodes > 10_000) {
      throw new WrongFlagException(
          "--simulate-nodes " + nodes + " is out of range: name a number from 0 to 10000");
    }
    if (authorization == Authorization.AlwaysAllow && !token.isEmpty()) {
      throw new WrongFlagException(
          "--authorization-mode=AlwaysAllow asks for no token: leave out --token, or name RBAC");
    }
    if (authorization == Authorization.RBAC && token.isEmpty()) {
      token = UUID.randomUUID().toString();
    }
    CountDownLatch stopped = new CountDownLatch(1);
    try (ApiServer server =
        ApiServer.start(
            new ApiServer.Config(port, token, dataDir, tls, auditLog, streamsLists()))) {
      if (snapshots) {
        SnapshotResources.install(server.handlers());
        SnapshotResources.installGroups(server.handlers());
      }
      Path file = writeKubeconfig(server, kubeconfig);
      try (NodeSimulator simulator = NodeSimulator.start(server.handlers(), nodes)) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(stopped::countDown));
        System.out.println("ready at " + server.url());
        System.out.println("kubeconfig: " + file.toAbsolutePath());
        stopped.await();
        return simulator == null ? 1 : 0;
      }
    }
  }

  private boolean streamsLists() throws UsageException {
    return switch (gates) {
      case "WatchList=true" -> true;
      case "WatchList=false" -> false;
      default ->
          throw new WrongFlagException(
              "--feature-gates " + gates + " is not known: there is WatchList=true or =false");
    };
  }

  static Path writeKubeconfig(ApiServer server, @Nullable Path wanted) throws UsageException {
    try {
      Path file = wanted == null ? Files.createTempFile("mooring-", ".kubeconfig") : wanted;
      Files.writeString(file, server.kubeconfig());
      return file;
    } catch (IOException e) {
      throw new UsageException(
          "kubeconfig cannot be written to "
              + wanted
              + " ("
              + e.getClass().getSimpleName()
              + "): name a file in a folder that this user may write to");
    }
  }
}
