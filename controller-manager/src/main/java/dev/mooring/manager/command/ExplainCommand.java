package dev.mooring.manager.command;

import dev.mooring.explain.Subject;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.audit.AuditFiles;
import dev.mooring.manager.explain.Answer;
import dev.mooring.manager.explain.ClusterAnswers;
import dev.mooring.manager.explain.ClusterSight;
import dev.mooring.manager.explain.ExplainedObject;
import dev.mooring.manager.explain.ExplanationText;
import dev.mooring.manager.explain.ExplanationTree;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.manager.explain.NotAnsweredException;
import dev.mooring.manager.mcp.ExplainTools;
import dev.mooring.manager.telemetry.Logs;
import dev.mooring.mcp.ToolServer;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says why something waits. */
@Command(
    name = "explain",
    description =
        "Says why a claim, a volume, a pod, a class, an attachment or a node waits, what happens next and who does it, and which tests every volume passed or failed for it. Looks at any cluster, and writes nothing. Exit code 0: nothing waits; 3: something does.",
    mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
  private static final int WAITS = 3;
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  /** The forms of an answer. */
  enum Output {
    text,
    json,
    yaml
  }

  @Parameters(
      arity = "0..2",
      paramLabel = "KIND/NAME",
      description =
          "What to explain: pvc/NAME, pv/NAME, pod/NAME, class/NAME, volumeattachment/NAME or node/NAME. Without it: whatever waits in the namespace.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "The namespace. Default: that of the kubeconfig's context, else default.")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all", "--all-namespaces"},
      description = "Whatever waits, in all namespaces.")
  private boolean all;

  @Option(
      names = {"-o", "--output"},
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Look again every 2 seconds, tell what has changed, and end when nothing waits.")
  private boolean watch;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "Of a claim or a volume, tell too what was done last: from the log that 'mooring run --audit-log' writes.")
  private @Nullable String audit;

  @Option(
      names = "--mcp",
      description =
          "Answer a program that asks by the Model Context Protocol, on standard input and output, until the input ends. -n is then where an object is of which it does not say where it is.")
  private boolean mcp;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final LookOptions look = new LookOptions();
  private final SystemTime time = new SystemTime();

  /** For picocli. */
  public ExplainCommand() {}

  @Override
  public Integer call()
      throws UsageException, NotAnsweredException, IOException, InterruptedException {
    Logs.configure(false, false, true);
    refuseBesideMcp();
    refuseWhatIsNoObject();
    AuditFiles log = audit == null ? null : TimelineCommand.files(audit);
    KubeConnection connection = look.connect();
    KubeCluster reader = KubeCluster.alone(connection, time);
    try (connection;
        LazyPlugins lazy = look.plugins()) {
      ClusterAnswers answers =
          new ClusterAnswers(
              new ClusterSight.Source(connection, reader, new KubeEvents(reader), lazy),
              new ClusterAnswers.Understanding(look.compat(), log),
              time);
      String where = namespace == null ? connection.namespace() : namespace;
      if (mcp) {
        return serve(new ExplainTools(answers, where, log, time));
      }
      return object.isEmpty()
          ? until(() -> answers.waiting(all ? "" : where))
          : one(answers, where);
    }
  }

  /** The protocol has other ways to say what these say. */
  private void refuseBesideMcp() {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    List<String> refused = new ArrayList<>(object);
    Stream.of("--output", "--watch", "--all")
        .filter(line.getParseResult()::hasMatchedOption)
        .forEach(refused::add);
    if (mcp && !refused.isEmpty()) {
      throw new ParameterException(
          line, "--mcp is asked by a program what to explain: leave out " + refused.getFirst());
    }
  }

  /** Whatever else may print does not print between messages. */
  private static int serve(ExplainTools tools) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err);
    try {
      new ToolServer(
              new ToolServer.About("mooring", VersionCommand.number(), ExplainTools.INSTRUCTIONS),
              tools.all())
          .serve(System.in, out);
      return 0;
    } finally {
      System.setOut(out);
    }
  }

  /** Looks at the cluster once. */
  @FunctionalInterface
  private interface Look {
    Answer at() throws NotAnsweredException, InterruptedException;
  }

  /** Prints the answer, and, while it is watched, each one that is another, until nothing waits. */
  private int until(Look look) throws NotAnsweredException, InterruptedException {
    Answer told = look.at();
    print(told);
    while (watch && told.waits()) {
      time.sleep(BETWEEN_LOOKS);
      Answer now = look.at();
      if (!now.equals(told)) {
        told = now;
        print(told);
      }
    }
    return told.waits() ? WAITS : 0;
  }

  /** Before a cluster is looked for: who mistypes has no use for what is wrong with that. */
  private void refuseWhatIsNoObject() throws UsageException, NotAnsweredException {
    if (object.isEmpty()) {
      return;
    }
    ExplainedObject.of(object, namespace == null ? "default" : namespace);
    if (all) {
      throw new WrongFlagException(
          "-A explains whatever waits, and " + object.getFirst() + " is one object: leave out one");
    }
  }

  private int one(ClusterAnswers answers, String where)
      throws UsageException, NotAnsweredException, InterruptedException {
    ExplainedObject asked = ExplainedObject.of(object, where);
    return until(() -> answers.about(asked));
  }

  private void print(Answer answer) {
    long now = time.now().getEpochSecond();
    ExplainedObject asked = answer.asked();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(
        switch (output) {
          case text ->
              asked == null
                  ? ExplanationText.ofAll(answer, ExplanationText.Part.ALL, now)
                  : ExplanationText.of(
                      new Subject(asked.kind(), asked.key()), answer.explanations(), now);
          case json -> ExplanationTree.json(answer);
          case yaml -> ExplanationTree.yaml(answer);
        });
  }
}
