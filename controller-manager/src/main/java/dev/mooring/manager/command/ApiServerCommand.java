package dev.mooring.manager.command;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.simulate.ControllerSimulator;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.apiserver.simulate.SimulatedController;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "apiserver",
    description =
        "Runs the embedded API server alone, on the loopback interface. For demos and tests; not for production.",
    mixinStandardHelpOptions = true)
public final class ApiServerCommand implements Callable<Integer> {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]+"); // RFC 6750
  private static final String OWN_KUBECONFIG =
      "apiVersion: v1\nkind: Config\nclusters:\n- name: mooring\n";

  @Option(names = "--port", description = "Port; 0 selects a free port. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--write-kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig file to write. Default: a temporary file.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Directory for persistent objects. Default: memory only.")
  private @Nullable Path dataDir;

  @Option(
      names = "--audit-log-path",
      paramLabel = "FILE",
      description = "Audit log of all requests, in Kubernetes' format. Default: none.")
  private @Nullable Path auditLog;

  @Option(
      names = "--simulate-nodes",
      paramLabel = "N",
      description =
          "Number of simulated nodes, with a scheduler and kubelets. Default: ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--simulate-controllers",
      paramLabel = "NAME,...",
      split = ",",
      description =
          "Simulated controllers of Kubernetes: namespaces, garbage-collection, deployments, stateful-sets, daemon-sets, jobs, or all. Default: none.")
  private List<String> controllers = List.of();

  enum Authorization {
    AlwaysAllow,
    RBAC
  }

  @Option(
      names = "--token",
      description =
          "Bearer token of the kubeconfig's user, who has full access. Default: random with --authorization-mode=RBAC, else none.")
  private String token = "";

  @Option(
      names = {"--authorization-mode", "--authorization"},
      paramLabel = "MODE",
      description =
          "AlwaysAllow: full access for every process on this machine. RBAC: full access with the token; RBAC rules for all others (ServiceAccount tokens, and certificates with --tls). Default: RBAC with --token, else AlwaysAllow.")
  private @Nullable Authorization authorization;

  @Option(
      names = "--tls",
      description =
          "Serve TLS, with HTTP/2 where the client supports it. The kubeconfig contains the generated certificate authority.")
  private boolean tls;

  @Option(
      names = "--snapshot-kinds",
      description =
          "Install the kinds of snapshot.storage.k8s.io (VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotClass) and of groupsnapshot.storage.k8s.io.")
  private boolean snapshots;

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=BOOL,...",
      description =
          "WatchList=false disables streaming lists, as on many servers before Kubernetes 1.34. Default: WatchList=true.")
  private String gates = "WatchList=true";

  public ApiServerCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, false);
    checkFlags();
    if (authorization == Authorization.RBAC && token.isEmpty()) {
      token = UUID.randomUUID().toString();
    }
    Set<SimulatedController> simulated = parseControllers();
    CountDownLatch stopped = new CountDownLatch(1);
    try (ApiServer server =
        ApiServer.start(
            new ApiServer.ServerOptions(port, token, dataDir, tls, auditLog, streamsLists()))) {
      if (snapshots) {
        SnapshotResources.install(server.handlers());
        SnapshotResources.installGroups(server.handlers());
      }
      Path file = writeKubeconfig(server, kubeconfig);
      try (NodeSimulator simulator = NodeSimulator.start(server.handlers(), nodes);
          ControllerSimulator _ = ControllerSimulator.start(server.handlers(), simulated, "")) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(stopped::countDown));
        System.out.println("ready at " + server.url());
        System.out.println("kubeconfig: " + file.toAbsolutePath());
        stopped.await();
        return simulator == null ? 1 : 0;
      }
    }
  }

  private void checkFlags() throws UsageException {
    if (port < 0 || port > 65535) {
      throw new InvalidFlagException(
          "--port " + port + " is not a port: specify 1 to 65535, or 0 for a free port");
    }
    if (nodes < 0 || nodes > 10_000) {
      throw new InvalidFlagException(
          "--simulate-nodes " + nodes + " is out of range: specify 0 to 10000");
    }
    if (authorization == Authorization.AlwaysAllow && !token.isEmpty()) {
      throw new InvalidFlagException(
          "--authorization-mode=AlwaysAllow does not use tokens: omit --token, or specify RBAC");
    }
    if (!token.isEmpty() && !TOKEN.matcher(token).matches()) {
      throw new InvalidFlagException(
          "--token is not a bearer token: specify letters, digits and the characters . _ ~ + / = -");
    }
    if (kubeconfig != null) {
      requireReplaceable(kubeconfig);
    }
  }

  private Set<SimulatedController> parseControllers() throws UsageException {
    Set<SimulatedController> parsed = EnumSet.noneOf(SimulatedController.class);
    for (String name : controllers) {
      if (name.equals("all")) {
        return EnumSet.allOf(SimulatedController.class);
      }
      parsed.add(
          Arrays.stream(SimulatedController.values())
              .filter(controller -> toFlagValue(controller).equals(name))
              .findFirst()
              .orElseThrow(() ->
                  new InvalidFlagException(
                      "--simulate-controllers %s is unknown: specify %s, or all"
                          .formatted(
                              name,
                              Arrays.stream(SimulatedController.values())
                                  .map(ApiServerCommand::toFlagValue)
                                  .collect(Collectors.joining(", "))))));
    }
    return parsed;
  }

  private static String toFlagValue(SimulatedController controller) {
    return controller.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private boolean streamsLists() throws UsageException {
    return switch (gates) {
      case "WatchList=true" -> true;
      case "WatchList=false" -> false;
      default ->
          throw new InvalidFlagException(
              "--feature-gates "
                  + gates
                  + " is unknown: specify WatchList=true or WatchList=false");
    };
  }

  // The file may be the only access of the user to other clusters.
  private static void requireReplaceable(Path file) throws UsageException {
    try {
      if (Files.isRegularFile(file)
          && Files.size(file) > 0
          && !Files.readString(file, StandardCharsets.ISO_8859_1).startsWith(OWN_KUBECONFIG)) {
        throw new UsageException(
            "--write-kubeconfig %s exists, and 'mooring apiserver' did not write it: specify another file, or delete it"
                .formatted(file));
      }
    } catch (IOException e) {
      throw makeUnwritable(file.toString(), e);
    }
  }

  private static UsageException makeUnwritable(String file, IOException problem) {
    return new UsageException(
        "cannot write kubeconfig %s (%s): specify a file in a writable directory"
            .formatted(file, FileProblem.findReason(problem)));
  }

  static Path writeKubeconfig(ApiServer server, @Nullable Path target) throws UsageException {
    try {
      Path file = target == null ? Files.createTempFile("mooring-", ".kubeconfig") : target;
      Files.writeString(file, server.kubeconfig());
      return file;
    } catch (IOException e) {
      throw makeUnwritable(
          target == null ? "to " + System.getProperty("java.io.tmpdir") : target.toString(), e);
    }
  }
}
