package dev.mooring.manager.command;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.danger.ClaimDanger;
import dev.mooring.manager.danger.ClusterIndex;
import dev.mooring.manager.danger.DangerAnalysis;
import dev.mooring.manager.danger.DangerReport;
import dev.mooring.manager.danger.DangerSearch.TakenAct;
import dev.mooring.manager.danger.DangerText;
import dev.mooring.manager.danger.DangerTree;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.simulate.ClusterContentsReader;
import dev.mooring.manager.simulate.ClusterCopy;
import dev.mooring.manager.simulate.ClusterSimulation;
import dev.mooring.manager.simulate.CopiedObject;
import dev.mooring.manager.simulate.DataLoss;
import dev.mooring.manager.simulate.ManifestReader;
import dev.mooring.manager.simulate.SimulatedActs;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.text.NameSuggestion;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "danger",
    description =
        "Finds the shortest sequence of at most three ordinary acts after which the data of a claim is destroyed: deletions, removed finalizers, lost nodes, restored backups, changed policies, upgraded classes. The decisions of the controllers determine what each act causes. Only reads from the cluster, without Secrets. Exit code 0: no claim is below --fail-below; 4: some are.",
    footer = {
      "",
      "Examples:",
      "  mooring danger pvc/data -n shop",
      "  mooring danger -A --fail-below 2",
      "  mooring danger -A --from snapshot.json -o json"
    },
    mixinStandardHelpOptions = true)
public final class DangerCommand implements Callable<Integer> {
  private static final int IN_DANGER = 4;
  private static final Set<String> KINDS =
      Set.of("pvc", "claim", "persistentvolumeclaim", "persistentvolumeclaims");

  enum Output {
    text,
    json
  }

  @Parameters(
      arity = "0..2",
      paramLabel = "pvc/NAME",
      description = "Claim. Default: all claims of the namespace.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace. Default: that of the kubeconfig's context, else 'default'.")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "All claims of the cluster.")
  private boolean all;

  @Option(
      names = "--from",
      paramLabel = "PATH",
      description =
          "Objects instead of those of the cluster: a file of 'mooring snapshot', or manifests in a file or directory.")
  private @Nullable String from;

  @Option(
      names = "--fail-below",
      paramLabel = "ACTS",
      description =
          "Exit with code 4 if fewer acts destroy the data of a claim, for example 2. 0 = never. Default: ${DEFAULT-VALUE}.")
  private int failBelow = 0;

  @Option(
      names = "--compat",
      paramLabel = "none|kcm|kcm-VERSION",
      completionCandidates = CompatFlag.Values.class,
      description =
          "Decision rules of the cluster's controllers: none for Mooring's, kcm for kube-controller-manager's. Default: ${DEFAULT-VALUE}.")
  private CompatFlag compat = CompatFlag.NONE;

  @Option(
      names = "--deletion-delay",
      paramLabel = "DURATION",
      description =
          "The flag of 'mooring run' in the cluster, for example 72h. Annotations of volumes and classes override it. Default: 0.")
  private Duration deletionDelay = Duration.ZERO;

  @Option(
      names = "--check",
      description =
          "Execute the sequence in a copy of the cluster with the controllers themselves, as 'mooring simulate' does. For one claim.")
  private boolean checks;

  @Option(
      names = {"-o", "--output"},
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  public DangerCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    rejectContradictions();
    Optional<String> name = claimName();
    List<CopiedObject> objects = objects();
    if (name.isEmpty() && !all) {
      requireNamespace(objects);
    }
    ClusterIndex index = new ClusterIndex(ClusterContentsReader.read(objects));
    ForecastTerms terms =
        new ForecastTerms(
            compat.compat(), deletionDelay, Instant.now().truncatedTo(ChronoUnit.SECONDS));
    DangerAnalysis analysis = new DangerAnalysis(index, terms);
    DangerReport report =
        new DangerReport(
            name.isPresent()
                ? List.of(analysis.withRemedies(find(index, name.get())))
                : search(index, analysis),
            DangerReport.assumptions(terms),
            name.isPresent());
    System.out.println(output == Output.json ? DangerTree.json(report) : DangerText.of(report));
    if (checks) {
      System.out.println();
      System.out.println(check(report.claims().getFirst(), objects));
    }
    return report.countBelow(failBelow) > 0 ? IN_DANGER : 0;
  }

  private void rejectContradictions() throws InvalidFlagException {
    if (failBelow < 0) {
      throw new InvalidFlagException("--fail-below is negative: specify a number of acts, or 0");
    }
    if (deletionDelay.isNegative()) {
      throw new InvalidFlagException("--deletion-delay is negative: specify for example 72h");
    }
    if (all && (!object.isEmpty() || namespace != null)) {
      throw new InvalidFlagException(
          "-A searches all claims: omit %s"
              .formatted(object.isEmpty() ? "-n" : String.join("/", object)));
    }
    if (checks && (object.isEmpty() || output == Output.json)) {
      throw new InvalidFlagException(
          "--check executes the sequence of one claim, as text: specify pvc/NAME without -o json");
    }
  }

  private Optional<String> claimName() throws InvalidFlagException {
    if (object.isEmpty()) {
      return Optional.empty();
    }
    NamedTarget target = NamedTarget.of(object);
    if (!KINDS.contains(target.kind()) || !ObjectKey.of("x", target.name()).flaw().isEmpty()) {
      throw new InvalidFlagException(
          "\"%s\" does not name a claim: specify pvc/NAME, -n NAMESPACE or -A"
              .formatted(target.text()));
    }
    return Optional.of(target.name());
  }

  private List<CopiedObject> objects() throws UsageException, IOException, InterruptedException {
    if (from == null) {
      try (KubeConnection connection = cluster.connect()) {
        namespace = namespace == null ? connection.namespace() : namespace;
        return ClusterCopy.read(connection).objects();
      }
    }
    namespace = namespace == null ? "default" : namespace;
    List<CopiedObject> objects = ManifestReader.read("--from", from).objects();
    return objects.stream().allMatch(CopiedObject::isOfCluster)
        ? objects
        : ClusterSimulation.bringToRest(objects, config());
  }

  // otherwise a misspelled name passes --fail-below
  private void requireNamespace(List<CopiedObject> objects) throws IOException {
    String name = String.valueOf(namespace);
    List<String> names =
        objects.stream()
            .filter(object -> object.type() == KindCatalogue.NAMESPACES)
            .map(CopiedObject::name)
            .toList();
    if (!names.isEmpty() && !names.contains(name)) {
      throw new IOException(
          "namespace %s does not exist: check -n NAMESPACE%s"
              .formatted(name, suggest(NameSuggestion.to(name, names))));
    }
  }

  private static String suggest(Optional<String> similar) {
    return similar.map(other -> "; did you mean '" + other + "'?").orElse("");
  }

  private ManagerConfig config() throws UsageException {
    return RunFlags.config(
        List.of("--mode=replace", "--endpoints=off", "--leader-elect=false", "--compat=" + compat));
  }

  private Claim find(ClusterIndex index, String name) throws IOException {
    ObjectKey key = ObjectKey.of(String.valueOf(namespace), name);
    Optional<Claim> claim = index.claim(key);
    if (claim.isEmpty()) {
      Optional<String> similar =
          NameSuggestion.to(
              name,
              index.claims().stream()
                  .filter(other -> other.key().namespace().equals(key.namespace()))
                  .map(other -> other.key().name())
                  .toList());
      throw new IOException(
          "claim %s does not exist: check the name and -n NAMESPACE%s"
              .formatted(key, suggest(similar)));
    }
    return claim.get();
  }

  private List<ClaimDanger> search(ClusterIndex index, DangerAnalysis analysis) {
    List<Claim> claims =
        index.claims().stream()
            .filter(claim -> all || claim.key().namespace().equals(namespace))
            .toList();
    if (TerminalWidth.isTerminal()) {
      System.err.println("searching %,d claims".formatted(claims.size()));
    }
    return claims.parallelStream().map(analysis::of).toList();
  }

  private String check(ClaimDanger danger, List<CopiedObject> objects)
      throws UsageException, IOException, InterruptedException {
    List<TakenAct> acts = danger.found().destruction().orElse(List.of());
    if (acts.isEmpty()) {
      return "Check: there is no act to execute.";
    }
    ManagerConfig config = config();
    List<DataLoss> losses =
        new ClusterSimulation(
                new ClusterSimulation.Request(
                    objects,
                    new SimulatedActs(objects).changes(acts.stream().map(TakenAct::act).toList()),
                    config,
                    config,
                    Duration.ofMinutes(10),
                    List.of()),
                _ -> {})
            .runInOrder();
    String volume = danger.volume().orElseThrow().meta().name();
    return losses.stream()
            .anyMatch(loss -> loss.kind().equals("persistentvolume") && loss.name().equals(volume))
        ? "Check: in a copy of the cluster, the controllers destroy the data of volume %s."
            .formatted(volume)
        : "Check: in a copy of the cluster, the simulated provisioner does not destroy the data of volume %s. It knows neither plugins nor recycling."
            .formatted(volume);
  }
}
