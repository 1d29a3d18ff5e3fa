package dev.mooring.manager.command;

import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.audit.AuditFiles;
import dev.mooring.manager.explain.ClusterAnswers;
import dev.mooring.manager.explain.ExplainAnswer;
import dev.mooring.manager.explain.ExplainedObject;
import dev.mooring.manager.explain.ExplanationText;
import dev.mooring.manager.explain.ExplanationTree;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.manager.explain.ListedClusterView;
import dev.mooring.manager.explain.NotAnsweredException;
import dev.mooring.manager.explain.TextLayout;
import dev.mooring.manager.explain.WaitChanges;
import dev.mooring.manager.explain.WaitingText;
import dev.mooring.manager.mcp.ExplainTools;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.mcp.ToolServer;
import dev.mooring.text.TextTable;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.io.PrintStream;
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

@Command(
    name = "explain",
    description =
        "Explains why a claim, volume, pod, class, attachment or node waits. Names the next step and who does it, the remedy, and the tests that each candidate volume fails. Works with any cluster, and writes nothing. Exit code 0: nothing is waiting; 3: something is.",
    mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
  private static final int EXIT_WAITING = 3;
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(2);

  enum Output {
    text,
    wide,
    name,
    json,
    yaml
  }

  enum Color {
    auto,
    always,
    never
  }

  @Parameters(
      arity = "0..2",
      paramLabel = "KIND/NAME",
      description =
          "Object: pvc/NAME, pv/NAME, pod/NAME, class/NAME, volumeattachment/NAME or node/NAME. Default: everything that is waiting in the namespace.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace. Default: that of the kubeconfig's context, else 'default'.")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all", "--all-namespaces"},
      description = "Explain everything that is waiting, in all namespaces.")
  private boolean explainsAll;

  @Option(
      names = {"-o", "--output"},
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Check every 2 seconds, print each change with its time, and exit when nothing is waiting.")
  private boolean watch;

  @Option(
      names = "--tests",
      description = "Show every test of every candidate volume. Default: only failed tests.")
  private boolean showsTests;

  @Option(
      names = "--flat",
      description =
          "List each object on its own. Default: group the objects that wait for one cause.")
  private boolean isFlat;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description =
          "Colours: ${COMPLETION-CANDIDATES}. auto: on a terminal, unless NO_COLOR is set. Default: ${DEFAULT-VALUE}.")
  private Color color = Color.auto;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "Audit log of 'mooring run --audit-log'. Adds the last actions on a claim or volume.")
  private @Nullable String audit;

  @Option(
      names = "--mcp",
      description =
          "Serve the Model Context Protocol on standard input and output until the input ends. -n is the default namespace of objects.")
  private boolean mcp;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final ReadOnlyOptions options = new ReadOnlyOptions();
  private final SystemTime time = new SystemTime();

  public ExplainCommand() {}

  @Override
  public Integer call()
      throws UsageException, NotAnsweredException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    rejectFlagsWithMcp();
    validateObject();
    AuditFiles log = audit == null ? null : TimelineCommand.files(audit);
    KubeConnection connection = options.connect();
    KubeCluster reader = KubeCluster.alone(connection, time);
    try (connection;
        LazyPlugins lazyPlugins = options.plugins()) {
      ClusterAnswers answers =
          new ClusterAnswers(
              new ListedClusterView.Source(connection, reader, new KubeEvents(reader), lazyPlugins),
              new ClusterAnswers.Understanding(options.compat(), log),
              time);
      String defaultNamespace = namespace == null ? connection.namespace() : namespace;
      if (mcp) {
        return serve(new ExplainTools(answers, defaultNamespace, log, time));
      }
      return object.isEmpty()
          ? printUntilDone(() -> answers.explainWaiting(explainsAll ? "" : defaultNamespace))
          : explainObject(answers, defaultNamespace);
    }
  }

  private void rejectFlagsWithMcp() {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    List<String> conflicting = new ArrayList<>(object);
    Stream.of("--output", "--watch", "--all")
        .filter(line.getParseResult()::hasMatchedOption)
        .forEach(conflicting::add);
    if (mcp && !conflicting.isEmpty()) {
      throw new ParameterException(
          line, "with --mcp, requests name the objects: omit " + conflicting.getFirst());
    }
  }

  // Serves requests; redirects other output, which would corrupt the protocol.
  private static int serve(ExplainTools tools) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err);
    try {
      new ToolServer(
              new ToolServer.ServerInfo(
                  "mooring", VersionCommand.number(), ExplainTools.INSTRUCTIONS),
              tools.tools())
          .serve(System.in, out);
      return 0;
    } finally {
      System.setOut(out);
    }
  }

  @FunctionalInterface
  private interface ExplainRequest {
    ExplainAnswer answer() throws NotAnsweredException, InterruptedException;
  }

  private int printUntilDone(ExplainRequest request)
      throws NotAnsweredException, InterruptedException {
    ExplainAnswer answer = request.answer();
    print(answer);
    while (watch && answer.waits() && !CommandOutput.isClosed()) {
      time.sleep(WATCH_INTERVAL);
      ExplainAnswer current = request.answer();
      printChanges(answer, current);
      answer = current;
    }
    return answer.waits() ? EXIT_WAITING : 0;
  }

  // Validates the object before a cluster is contacted, so that a typo is reported first.
  private void validateObject() throws UsageException, NotAnsweredException {
    if (object.isEmpty()) {
      return;
    }
    ExplainedObject.of(object, namespace == null ? "default" : namespace);
    if (explainsAll) {
      throw new InvalidFlagException(
          "-A explains everything that is waiting, but "
              + object.getFirst()
              + " is a single object: omit one of them");
    }
  }

  private int explainObject(ClusterAnswers answers, String defaultNamespace)
      throws UsageException, NotAnsweredException, InterruptedException {
    ExplainedObject requested = ExplainedObject.of(object, defaultNamespace);
    return printUntilDone(() -> answers.explain(requested));
  }

  // For programs, every version is a whole document.
  private void printChanges(ExplainAnswer earlier, ExplainAnswer later) {
    List<String> changes = WaitChanges.between(earlier, later, time.now());
    if (changes.isEmpty()) {
      return;
    }
    switch (output) {
      case text, wide, name -> {
        PrintStream out = CommandOutput.stream(hasColours());
        changes.forEach(out::println);
      }
      case json, yaml -> print(later);
    }
  }

  private boolean hasColours() {
    return switch (color) {
      case auto -> CommandOutput.hasColours();
      case always -> true;
      case never -> false;
    };
  }

  private void print(ExplainAnswer answer) {
    long now = time.now().getEpochSecond();
    boolean hasColours = output == Output.text && hasColours();
    String text =
        switch (output) {
          case text -> format(answer, new TextLayout(showsTests, hasColours, now));
          case wide -> WaitingText.ofTable(answer, TextTable.UNLIMITED, now);
          case name -> WaitingText.ofNames(answer);
          case json -> ExplanationTree.json(answer);
          case yaml -> ExplanationTree.yaml(answer);
        };
    if (!text.isEmpty()) {
      CommandOutput.stream(hasColours).println(text);
    }
  }

  private String format(ExplainAnswer answer, TextLayout layout) {
    if (answer.requested() != null) {
      return ExplanationText.of(answer, layout);
    }
    return isFlat
        ? WaitingText.ofObjects(answer, WaitingText.Page.ALL, layout)
        : WaitingText.ofCauses(answer, layout);
  }
}
