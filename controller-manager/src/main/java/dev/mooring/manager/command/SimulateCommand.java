package dev.mooring.manager.command;

import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.explain.TextLayout;
import dev.mooring.manager.simulate.ClusterChange;
import dev.mooring.manager.simulate.ClusterCopy;
import dev.mooring.manager.simulate.ClusterSimulation;
import dev.mooring.manager.simulate.CopiedKinds;
import dev.mooring.manager.simulate.CopiedObject;
import dev.mooring.manager.simulate.ManifestReader;
import dev.mooring.manager.simulate.NamedObject;
import dev.mooring.manager.simulate.ReportText;
import dev.mooring.manager.simulate.ReportTree;
import dev.mooring.manager.simulate.SimulationReport;
import dev.mooring.manager.telemetry.LogSetup;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "simulate",
    description =
        "Shows what a change would do: copies the cluster into an embedded API server, applies the change there, and runs the controllers with simulated nodes and drivers. Only reads from the cluster, without Secrets. Exit code 0: no data is destroyed; 4: data is destroyed.",
    footer = {
      "",
      "Examples:",
      "  mooring simulate --delete namespace/shop",
      "  mooring simulate --drain node-3 -o json",
      "  mooring simulate --from snapshot.json --scale statefulset/db=5 -n shop"
    },
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
  private static final int DATA_LOSS = 4;
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final List<String> FLAGS =
      List.of("--mode=replace", "--endpoints=off", "--leader-elect=false");

  private static final List<String> SNAPSHOT_FLAGS = List.of("--controllers=*,snapshot-controller");

  enum Output {
    text,
    json
  }

  @Option(
      names = "--from",
      paramLabel = "PATH",
      description =
          "Objects instead of those of the cluster: a file of 'mooring snapshot', or manifests in a file or directory.")
  private @Nullable String from;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "PATH",
      description =
          "Change: manifests in a file or directory are created, or merged into existing objects.")
  private List<String> manifests = List.of();

  @Option(
      names = "--delete",
      paramLabel = "KIND/NAME",
      description = "Change: the object is deleted, for example pvc/data or namespace/shop.")
  private List<String> deletions = List.of();

  @Option(names = "--drain", paramLabel = "NODE", description = "Change: the node is drained.")
  private List<String> drained = List.of();

  @Option(
      names = "--fail",
      paramLabel = "NODE",
      description = "Change: the kubelet of the node stops, and the node stays away.")
  private List<String> failed = List.of();

  @Option(
      names = "--scale",
      paramLabel = "KIND/NAME=N",
      description =
          "Change: the workload gets N replicas, for example statefulset/db=3 or deployment/web=0.")
  private List<String> scaled = List.of();

  @Option(
      names = "--mode",
      description =
          "Change: replace: Mooring's volume controllers replace those of kube-controller-manager. beside: the reverse. Default: Mooring's before and after the change.")
  private RunOptions.@Nullable Mode mode;

  @Option(
      names = "--flag",
      paramLabel = "FLAG",
      description =
          "Change: the controllers run with this flag of 'mooring run', for example --flag=--compat=kcm.")
  private List<String> flags = List.of();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace of the objects. Default: 'default'.")
  private String namespace = "default";

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "Simulated time after the change, at most 720h, for example 1h. Default: 10m.")
  private Duration horizon = Duration.ofMinutes(10);

  @Option(
      names = {"-o", "--output"},
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  public SimulateCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    Thread.ofVirtual().start(CopiedKinds::snapshots); // another processor parses them meanwhile
    RunFlags.require("--flag", flags);
    List<String> assumptions = new ArrayList<>();
    List<ClusterChange> changes = changes(assumptions);
    if (changes.isEmpty() && flags.isEmpty() && mode == null) {
      throw new InvalidFlagException(
          "no change is given: specify for example --delete pvc/data, --drain NODE or -f FILE");
    }
    if (horizon.compareTo(LONGEST) > 0) {
      throw new InvalidFlagException(
          "--for is longer than %sh: specify for example 10m".formatted(LONGEST.toHours()));
    }
    SimulationReport report =
        new ClusterSimulation(request(changes, objects(), assumptions), this::showProgress).run();
    boolean hasColours = output == Output.text && CommandOutput.hasColours();
    CommandOutput.stream(hasColours)
        .println(
            output == Output.json
                ? ReportTree.json(report)
                : ReportText.of(
                    report, new TextLayout(false, hasColours, Instant.now().getEpochSecond())));
    return report.losses().isEmpty() ? 0 : DATA_LOSS;
  }

  // kube-controller-manager's controllers are Mooring's with its decisions
  private ClusterSimulation.Request request(
      List<ClusterChange> changes, Source source, List<String> assumptionsOfChanges)
      throws UsageException {
    List<String> common = new ArrayList<>(FLAGS);
    if (ClusterSimulation.Request.hasSnapshots(source.objects(), changes)) {
      common.addAll(SNAPSHOT_FLAGS);
    }
    List<String> assumptions = new ArrayList<>(source.assumptions());
    assumptions.addAll(assumptionsOfChanges);
    if (mode != null) {
      assumptions.add(
          "kube-controller-manager's volume controllers decide as Mooring's with --compat=kcm");
    }
    List<String> before = new ArrayList<>(common);
    List<String> after = new ArrayList<>(common);
    if (mode != null) {
      (mode == RunOptions.Mode.replace ? before : after).add("--compat=kcm");
    }
    after.addAll(flags);
    var config = RunFlags.config(before);
    return new ClusterSimulation.Request(
        source.objects(),
        changes,
        config,
        after.equals(before) ? config : RunFlags.config(after),
        horizon,
        assumptions);
  }

  private record Source(List<CopiedObject> objects, List<String> assumptions) {}

  private void showProgress(String line) {
    if (TerminalWidth.isTerminal()) {
      System.err.println(line);
    }
  }

  private Source objects() throws UsageException, IOException, InterruptedException {
    if (from != null) {
      ManifestReader.Manifests manifests = ManifestReader.read("--from", from);
      return new Source(
          manifests.objects(), ignored("--from " + from, manifests).stream().toList());
    }
    try (KubeConnection connection = cluster.connect()) {
      ClusterCopy copy = ClusterCopy.read(connection);
      return new Source(
          copy.objects(), copy.unread().isEmpty() ? List.of() : List.of(copy.unreadText()));
    }
  }

  private static Optional<String> ignored(String source, ManifestReader.Manifests manifests) {
    return manifests.skipped().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "objects of other kinds in %s were ignored: %s"
                .formatted(source, String.join(", ", new TreeSet<>(manifests.skipped()))));
  }

  private List<ClusterChange> changes(List<String> assumptions) throws UsageException, IOException {
    List<ClusterChange> changes = new ArrayList<>();
    for (String path : manifests) {
      ManifestReader.Manifests applied = ManifestReader.read("-f", path);
      applied.objects().forEach(object -> changes.add(new ClusterChange.ApplyManifest(object)));
      ignored("-f " + path, applied).ifPresent(assumptions::add);
    }
    for (String workload : scaled) {
      changes.add(scale(workload));
    }
    drained.forEach(node -> changes.add(new ClusterChange.DrainNode(node)));
    failed.forEach(node -> changes.add(new ClusterChange.FailNode(node)));
    for (String text : deletions) {
      NamedObject object = parse("--delete", text, text);
      changes.add(new ClusterChange.DeleteObject(object.type(), object.namespace(), object.name()));
    }
    return changes;
  }

  private NamedObject parse(String flag, String value, String text) throws UsageException {
    return NamedObject.parse(text, namespace)
        .orElseThrow(() ->
            new InvalidFlagException(
                "%s %s does not name an object: specify KIND/NAME, the namespace with -n, and one of these kinds: %s"
                    .formatted(flag, value, NamedObject.kinds())));
  }

  private ClusterChange scale(String value) throws UsageException {
    int equals = value.lastIndexOf('=');
    String number = value.substring(equals + 1);
    if (equals < 0 || !number.matches("\\d{1,5}")) {
      throw new InvalidFlagException(
          "--scale " + value + " has no number of replicas: specify for example statefulset/db=3");
    }
    NamedObject object = parse("--scale", value, value.substring(0, equals));
    ResourceType type = object.type();
    if (!type.subresources().contains("scale")) {
      throw new InvalidFlagException(
          "--scale %s: a %s has no replicas: specify a statefulset, deployment or replicaset"
              .formatted(value, type.singular()));
    }
    return new ClusterChange.ScaleWorkload(
        type, object.namespace(), object.name(), Integer.parseInt(number));
  }
}
