package dev.mooring.manager.command;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.kube.ConcurrencyWindow;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.RateCap;
import dev.mooring.manager.explain.ClusterSight;
import dev.mooring.manager.explain.Explainers;
import dev.mooring.manager.explain.ExplanationText;
import dev.mooring.manager.explain.ExplanationTree;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.manager.telemetry.Logs;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.time.SystemTime;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says why something waits. */
@Command(
    name = "explain",
    description =
        "Says why a claim waits, what happens next and who does it, and which tests every volume passed or failed for it. Looks at any cluster, and writes nothing. Exit code 0: nothing waits; 3: something does.",
    mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
  private static final int WAITS = 3;

  /** The forms of an answer. */
  enum Output {
    text,
    json,
    yaml
  }

  @Parameters(
      arity = "0..2",
      paramLabel = "KIND/NAME",
      description = "What to explain: pvc/NAME. Without it: whatever waits in the namespace.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "The namespace. Default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Option(
      names = {"-A", "--all", "--all-namespaces"},
      description = "Whatever waits, in all namespaces.")
  private boolean all;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Option(
      names = "--compat",
      defaultValue = "none",
      description =
          "Whose decisions the cluster's controllers take: none: Mooring's own; kcm: exactly kube-controller-manager's. Default: ${DEFAULT-VALUE}.")
  private RunOptions.Compat compat = RunOptions.Compat.none;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final PluginOptions plugins = new PluginOptions();
  @Mixin private final PluginSettings settings = new PluginSettings();
  private final SystemTime time = new SystemTime();

  /** For picocli. */
  public ExplainCommand() {}

  @Override
  public Integer call() throws UsageException, InterruptedException {
    Logs.configure(false, false, true);
    KubeConnection connection = cluster.connect();
    LiveReader reader =
        new KubeCluster(
            connection, time, new ConcurrencyWindow(time), RateCap.NONE, KubeCluster.ALWAYS);
    try (connection;
        LazyPlugins lazy =
            new LazyPlugins(plugins.config(settings.byName(), settings.timeout(), false))) {
      ClusterSight.Source source = new ClusterSight.Source(connection, reader, lazy);
      return object.isEmpty() ? everything(source) : one(source);
    }
  }

  private int one(ClusterSight.Source source) throws UsageException, InterruptedException {
    if (all) {
      throw new UsageException(
          "-A explains whatever waits, and " + object.getFirst() + " is one object: leave out one");
    }
    ExplainedObject asked = ExplainedObject.of(object, namespace);
    Resource found = read(source.reader(), asked.kind(), asked.key());
    ClusterSight sight = ClusterSight.read(source, asked.key().namespace(), Explainers.READ, found);
    List<Explanation> explanations =
        new Explainers(sight, compat == RunOptions.Compat.kcm)
            .explain(asked.kind(), asked.key(), Detail.EVIDENCE);
    if (explanations.isEmpty()) {
      throw new UsageException(
          asked.kind() + " " + asked.key() + " went while it was looked at: ask again");
    }
    print(
        switch (output) {
          case text -> ExplanationText.of(explanations, time.now().getEpochSecond());
          case json -> ExplanationTree.json(explanations);
          case yaml -> ExplanationTree.yaml(explanations);
        });
    return code(explanations);
  }

  private static <T extends Resource> T read(LiveReader reader, Kind<T> kind, ObjectKey key)
      throws UsageException, InterruptedException {
    return switch (reader.read(kind, key)) {
      case ReadResult.Found<T>(T found) -> found;
      case ReadResult.Absent<T> _ ->
          throw new UsageException(
              "there is no "
                  + kind
                  + " \""
                  + key.name()
                  + "\""
                  + (key.namespace().isEmpty()
                      ? ""
                      : " in namespace \"" + key.namespace() + "\" (-n names another)"));
      case ReadResult.Failed<T>(String why) ->
          throw new UsageException("cannot read " + kind + " " + key + ": " + why);
    };
  }

  private int everything(ClusterSight.Source source) throws UsageException, InterruptedException {
    String where = all ? "" : namespace;
    ClusterSight sight = ClusterSight.read(source, where, Explainers.READ, null);
    Explainers explainers = new Explainers(sight, compat == RunOptions.Compat.kcm);
    List<Explanation> explanations = new ArrayList<>();
    int objects = 0;
    for (Kind<?> kind : Explainers.KINDS) {
      String why = sight.unseen(kind).orElse("");
      if (!why.isEmpty()) {
        throw new UsageException(
            "cannot list "
                + kind.plural()
                + (where.isEmpty() ? " in all namespaces" : " in namespace " + where)
                + ": "
                + why);
      }
      for (Resource each : sight.informer(kind).snapshot().all()) {
        ObjectKey key = each.key();
        if (where.isEmpty() || !kind.namespaced() || key.namespace().equals(where)) {
          objects++;
          explanations.addAll(explainers.explain(kind, key, Detail.SUMMARY));
        }
      }
    }
    explanations.removeIf(explanation -> !explanation.waits());
    print(
        switch (output) {
          case text -> ExplanationText.ofAll(explanations, objects, time.now().getEpochSecond());
          case json -> ExplanationTree.json(explanations);
          case yaml -> ExplanationTree.yaml(explanations);
        });
    return code(explanations);
  }

  private static int code(List<Explanation> explanations) {
    return explanations.stream().anyMatch(Explanation::waits) ? WAITS : 0;
  }

  private static void print(String text) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(text);
  }
}
